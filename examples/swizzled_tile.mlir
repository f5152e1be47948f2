// A tile as an MMA keeps it in shared memory: 128 rows of 128 bytes, swizzled with
// the 128-byte mode. A 128x256b copy takes 32 bytes of each row, so four of them
// take the tile along its rows into 32 columns of tensor memory.
//
//   grid 1, block 128; A and Out are 128x32 words of 32 bits; Out equals A afterwards.
//
//   tcgen05 compile examples/swizzled_tile.mlir --chip sm_100a --emit ptx
//
// Compiled to PTX and SASS and checked there; never run on Blackwell hardware.

// The source is seen as (quarter of the row, row, word of the quarter): strides in
// words, 8 to the next quarter (32 bytes), 32 to the next row (128 bytes), before
// the swizzle. The swizzle exclusive-ors bits 4 to 6 of the absolute address with
// its bits 7 to 9: the 16-byte unit within a row with the row's number modulo 8.
#swizzled = #tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>
// Quarter q goes to columns 8*q to 8*q + 7.
#quarters = #tcgen05.tmem_layout<(4, 128, 8) : (8@col, 1@lane, 1@col)>
// The same 32 columns as rows, for the way back.
#rows = #tcgen05.tmem_layout<(128, 32) : (1@lane, 1@col)>

gpu.module @kernels {
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // The swizzle works on absolute addresses and repeats after 1024 bytes: a copy
  // takes a tile that starts at a multiple of that.
  gpu.func @swizzled_tile(%A: memref<128x32xi32>, %Out: memref<128x32xi32>)
      workgroup(%tile : memref<128x32xi32, #gpu.address_space<workgroup>> {llvm.align = 1024})
      kernel attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %parity = arith.constant 0 : i32
    %ticks = arith.constant 1000000 : i32
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

    // Thread r writes row r, quarter by quarter, through the view that the copy reads:
    // a store puts word (q, r, w) where the layout has it, swizzle included.
    %smem = tcgen05.view %tile : memref<128x32xi32, #gpu.address_space<workgroup>>
        to memref<4x128x8xi32, #swizzled, #gpu.address_space<workgroup>>
    scf.for %q = %c0 to %c4 step %c1 {
      %first = arith.muli %q, %c8 : index
      scf.for %w = %c0 to %c8 step %c1 {
        %column = arith.addi %first, %w : index
        %word = memref.load %A[%tid, %column] : memref<128x32xi32>
        memref.store %word, %smem[%q, %tid, %w]
            : memref<4x128x8xi32, #swizzled, #gpu.address_space<workgroup>>
      }
    }
    // The copy reads through the async proxy: every writer fences, then all meet.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.view %base : i32 to memref<4x128x8xi32, #quarters, #nvvm.memory_space<tensor>>

    // One thread issues the copy: four instructions, shared memory +32 bytes and
    // columns +8 from one to the next. Eight rows are 1024 bytes; the leading
    // offset is not read in a swizzled mode and is left out.
    scf.if %is_warp0 {
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {
        tcgen05.cp <shape_128x256b> %tmem, %smem descriptor(<sdo = 1024, swizzle = 3>)
            : memref<4x128x8xi32, #quarters, #nvvm.memory_space<tensor>>,
              memref<4x128x8xi32, #swizzled, #gpu.address_space<workgroup>>
        // One arrival when all four are done.
        nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
      }
    }

    // Loops until phase 0 is complete; the fence keeps the loads behind the wait.
    nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>

    // Each warp loads the 32 lanes that it can reach; a thread, one row.
    %out_tmem = tcgen05.view %base : i32 to memref<128x32xi32, #rows, #nvvm.memory_space<tensor>>
    %row = arith.muli %warp, %c32 : index
    %address = tcgen05.address %out_tmem[%row, %c0]
        : memref<128x32xi32, #rows, #nvvm.memory_space<tensor>> -> i32
    %source = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %words = nvvm.tcgen05.ld %source {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<32xi32>
    // Before the registers are used and before the columns are given back.
    nvvm.tcgen05.wait <load>
    vector.store %words, %Out[%tid, %c0] : memref<128x32xi32>, vector<32xi32>

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
