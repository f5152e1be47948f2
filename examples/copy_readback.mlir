// The smallest whole kernel around one tcgen05.cp: 128 rows of four 32-bit
// words go from global to shared memory, by one 128x128b copy to tensor memory,
// and back through registers to global memory. Out equals A afterwards.
//
//   grid 1, block 128; A and Out are 128x4 words of 32 bits
//
//   tcgen05 compile examples/copy_readback.mlir --chip sm_100a --emit ptx
//
// Compiled to PTX and SASS and checked there; never run on Blackwell hardware.

// Row r of the tile is lane r of tensor memory, word w is column w.
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

gpu.module @kernels {
  // The copy reads shared memory in units of 16 bytes, so the buffer is aligned
  // to 16. Rows follow each other every 16 bytes, eight rows every 128 bytes.
  memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
  // tcgen05.alloc leaves the address of the columns that it got here.
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  // The mbarrier on which the hardware reports that the copy is complete.
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @copy(%A: memref<128x4xi32>, %Out: memref<128x4xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %parity = arith.constant 0 : i32
    %ticks = arith.constant 1000000 : i32
    %smem = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index

    // Allocation is a collective of one whole warp (.sync.aligned): the branch is
    // the same for its 32 threads, and no single thread has been elected yet.
    // 32 columns are the least that can be had; the tile uses four of them.
    scf.if %is_warp0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      // One thread initialises the mbarrier, for one arrival: that of the commit.
      %init = nvvm.elect.sync -> i1
      scf.if %init {
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
      }
    }

    // Thread r writes row r with ordinary stores (the generic proxy).
    scf.for %w = %c0 to %c4 step %c1 {
      %word = memref.load %A[%tid, %w] : memref<128x4xi32>
      memref.store %word, %smem[%tid, %w] : memref<128x4xi32, #gpu.address_space<workgroup>>
    }

    // The copy reads shared memory through the async proxy. Every thread that wrote
    // must fence its own writes, and before the barrier: a fence by the issuing
    // thread alone would order nothing that the others did. The same fence covers
    // the first state of the mbarrier.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // Hands over three things: the tile, the mbarrier, the tensor memory address.
    gpu.barrier

    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.view %base : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>

    // One thread issues the copy. elect.sync inside a branch of one whole warp is
    // the form that the assembler turns into a single instruction; under a
    // condition on the thread number it may emit a loop over active threads.
    scf.if %is_warp0 {
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {
        tcgen05.cp <shape_128x128b> %tmem, %smem descriptor(<ldo = 16, sdo = 128>)
            : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
              memref<128x4xi32, #gpu.address_space<workgroup>>
        // The copy is asynchronous. The commit covers what this very thread has
        // issued, so it stays in the same branch; it arrives once when all of it
        // is done. It also contains the fence before_thread_sync.
        nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
      }
    }

    // All threads wait for phase 0 of the mbarrier. This operation is a loop around
    // mbarrier.try_wait: one try may time out (after %ticks nanoseconds).
    nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32
    // The load below is asynchronous too and would not heed the wait by itself.
    nvvm.tcgen05.fence <after>

    // A warp can reach 32 lanes only: warp w lanes 32*w to 32*w + 31, and the lane
    // field of its address must say so. The address is that of the warp's first
    // row, the same in all of its threads; thread i receives lane 32*w + i.
    %row = arith.muli %warp, %c32 : index
    %address = tcgen05.address %tmem[%row, %c0]
        : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>> -> i32
    %source = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %words = nvvm.tcgen05.ld %source {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    // The registers hold the words only after this wait; and the columns must not
    // be given back while a load is under way.
    nvvm.tcgen05.wait <load>
    vector.store %words, %Out[%tid, %c0] : memref<128x4xi32>, vector<4xi32>

    // The four warps have read; only then may warp 0 give the columns back. The
    // fence puts the loads of each warp before the barrier.
    nvvm.tcgen05.fence <before>
    gpu.barrier
    scf.if %is_warp0 {
      // Lets other blocks on this multiprocessor allocate; no alloc may follow.
      nvvm.tcgen05.relinquish_alloc_permit
      // What was allocated is given back before the kernel ends, same count, by
      // one whole warp.
      %columns_base = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %columns_base, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
