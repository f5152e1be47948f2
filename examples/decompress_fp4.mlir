// A copy that decompresses: sixteen packed FP4 values per row in shared memory
// become sixteen bytes per row in tensor memory, the form in which an MMA of mixed
// formats takes them. The values are not converted: a byte is the four bits of
// its value in the middle, 00xxxx00.
//
//   grid 1, block 128; A is 128x2 words (row r: values 0 to 15 in 64 bits, the
//   lowest four bits first), Out is 128x4 words (row r: sixteen bytes), and byte j
//   of Out's row is value j of A's row shifted left by two:
//   A = 0x76543210, 0xFEDCBA98 gives 0x0C080400, 0x1C181410, 0x2C282420, 0x3C383430
//
//   tcgen05 compile examples/decompress_fp4.mlir --chip sm_100a --emit ptx
//
// Compiled to PTX and SASS and checked there; never run on Blackwell hardware.

// The footprint counts what is written: four words in each of 128 lanes.
#bytes = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

gpu.module @kernels {
  // b4x16_p64: every 16 bytes of shared memory hold sixteen 4-bit values (8 bytes),
  // then 64 bits of padding. So the source has the shape of the destination, and
  // its words 2 and 3 are padding.
  memref.global "private" @packed : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @decompress_fp4(%A: memref<128x2xi32>, %Out: memref<128x4xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %parity = arith.constant 0 : i32
    %ticks = arith.constant 1000000 : i32
    %smem = memref.get_global @packed : memref<128x4xi32, #gpu.address_space<workgroup>>
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index

    // A collective of one whole warp; then one thread prepares the mbarrier for the
    // one arrival of the commit.
    scf.if %is_warp0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %init = nvvm.elect.sync -> i1
      scf.if %init {
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
      }
    }

    // Thread r writes the two words of row r. The padding stays as it is: the copy
    // skips it.
    scf.for %w = %c0 to %c2 step %c1 {
      %word = memref.load %A[%tid, %w] : memref<128x2xi32>
      memref.store %word, %smem[%tid, %w] : memref<128x4xi32, #gpu.address_space<workgroup>>
    }
    // The copy reads through the async proxy: every writer fences, then all meet.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.view %base : i32 to memref<128x4xi32, #bytes, #nvvm.memory_space<tensor>>

    // One thread issues the copy and the commit that reports its completion.
    scf.if %is_warp0 {
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {
        tcgen05.cp <shape_128x128b> %tmem, %smem src_format(<b4x16_p64>)
            descriptor(<ldo = 16, sdo = 128>)
            : memref<128x4xi32, #bytes, #nvvm.memory_space<tensor>>,
              memref<128x4xi32, #gpu.address_space<workgroup>>
        nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
      }
    }

    // Loops until phase 0 is complete; the fence keeps the loads behind the wait.
    nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>

    // Each warp loads the 32 lanes that it can reach.
    %row = arith.muli %warp, %c32 : index
    %address = tcgen05.address %tmem[%row, %c0]
        : memref<128x4xi32, #bytes, #nvvm.memory_space<tensor>> -> i32
    %source = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %words = nvvm.tcgen05.ld %source {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    // Before the registers are used and before the columns are given back.
    nvvm.tcgen05.wait <load>
    vector.store %words, %Out[%tid, %c0] : memref<128x4xi32>, vector<4xi32>

    // Warp 0 gives the columns back when all warps have read them.
    nvvm.tcgen05.fence <before>
    gpu.barrier
    scf.if %is_warp0 {
      nvvm.tcgen05.relinquish_alloc_permit
      %columns_base = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %columns_base, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
