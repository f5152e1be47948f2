// Scale factors on their way to a block-scaled MMA, tile after tile: a ring of
// three stages in shared memory, the stage chosen at run time, four 32x128b.warpx4
// copies per tile. Where the MMA would be, the kernel reads tensor memory back, so
// that the result can be checked.
//
//   grid 1, block 128; A is (tile, block, row, word) = 9x4x32x4 words of 32 bits,
//   Out is (tile, lane, column) = 9x128x16:
//   Out[t, l, 4*b + w] = A[t, b, l % 32, w], the same in all four groups of 32 lanes.
//
// A block of 512 bytes holds four scale factors (one byte each) of 128 matrix rows:
// word w of row r belongs to matrix row 32*w + r.
//
//   tcgen05 compile examples/scale_factors.mlir --chip sm_100a --emit ptx
//
// Compiled to PTX and SASS and checked there; never run on Blackwell hardware.

// Block b starts at column 4*b. A row occupies one lane and, because the copy is a
// .warpx4, three more, 32 lanes apart: every warp finds its own replica.
#sf = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// The same 16 columns as the reading warps see them: all 128 lanes.
#lanes = #tcgen05.tmem_layout<(128, 16) : (1@lane, 1@col)>

gpu.module @kernels {
  // Three stages of 2048 bytes; a copy's origin is 16-byte aligned in each of them.
  memref.global "private" @ring : memref<3x4x32x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
  // One mbarrier per stage: the copies out of this stage are complete.
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  gpu.func @scale_factors(%A: memref<9x4x32x4xi32>, %Out: memref<9x128x16xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %tiles = arith.constant 9 : index
    %c32 = arith.constant 32 : index
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %ticks = arith.constant 1000000 : i32
    %ring = memref.get_global @ring : memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
    %mbars = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %lane = arith.remui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index

    // The whole warp allocates (32 columns are the least, the tile uses 16); one
    // thread initialises the mbarriers, for one arrival each: a commit's.
    scf.if %is_warp0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %init = nvvm.elect.sync -> i1
      scf.if %init {
        scf.for %s = %c0 to %c3 step %c1 {
          %s_i32 = arith.index_cast %s : index to i32
          %mbar = llvm.getelementptr %mbars[%s_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
        }
      }
    }

    // Tiles 0 and 1 fill the first two stages: the writing runs two tiles ahead of
    // the copying. Warp b writes block b, its thread r row r.
    scf.for %t = %c0 to %c2 step %c1 {
      scf.for %w = %c0 to %c4 step %c1 {
        %word = memref.load %A[%t, %warp, %lane, %w] : memref<9x4x32x4xi32>
        memref.store %word, %ring[%t, %warp, %lane, %w] : memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
      }
    }
    // Each thread fences what it wrote (the stores, and the mbarriers' first state)
    // for the async proxy, before the barrier that hands it over.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    // Also hands over the tensor memory address.
    gpu.barrier

    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %sf_tmem = tcgen05.view %base : i32 to memref<4x32x4xi32, #sf, #nvvm.memory_space<tensor>>
    %lanes_tmem = tcgen05.view %base : i32 to memref<128x16xi32, #lanes, #nvvm.memory_space<tensor>>

    scf.for %t = %c0 to %tiles step %c1 {
      // Tile t is in stage t % 3, and is the (t / 3)th use of that stage's mbarrier:
      // it completes the phase of parity (t / 3) % 2.
      %stage = arith.remui %t, %c3 : index
      %use = arith.divui %t, %c3 : index
      %odd = arith.remui %use, %c2 : index
      %parity = arith.index_cast %odd : index to i32
      %stage_i32 = arith.index_cast %stage : index to i32
      %mbar = llvm.getelementptr %mbars[%stage_i32] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64

      scf.if %is_warp0 {
        %issuer = nvvm.elect.sync -> i1
        scf.if %issuer {
          // The other warps have loaded the previous tile from these columns and met
          // this thread at a barrier; the fence keeps the copies behind it.
          nvvm.tcgen05.fence <after>
          // Four instructions, one per block: shared memory +512 bytes, columns +4.
          tcgen05.cp <shape_32x128b> %sf_tmem, %ring[%stage] multicast(<warpx4>)
              descriptor(<ldo = 16, sdo = 128>)
              : memref<4x32x4xi32, #sf, #nvvm.memory_space<tensor>>,
                memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
          // One arrival for all four.
          nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
        }
      }

      // While the copies run, tile t + 2 goes to stage (t + 2) % 3. That is the
      // stage of tile t - 1, whose copies every thread has waited for below, one
      // turn ago: nobody reads it any more.
      %ahead = arith.addi %t, %c2 : index
      %more = arith.cmpi ult, %ahead, %tiles : index
      scf.if %more {
        %fill = arith.remui %ahead, %c3 : index
        scf.for %w = %c0 to %c4 step %c1 {
          %word = memref.load %A[%ahead, %warp, %lane, %w] : memref<9x4x32x4xi32>
          memref.store %word, %ring[%fill, %warp, %lane, %w] : memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
        }
        // For the copies of two turns later, which are behind the barrier below.
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      }

      // Every thread waits: for its loads from tensor memory, and for its leave to
      // overwrite this stage in the next turn. The operation loops until it is done.
      nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32
      nvvm.tcgen05.fence <after>

      // Warp w can reach lanes 32*w to 32*w + 31 only, and its address says so.
      %row = arith.muli %warp, %c32 : index
      %address = tcgen05.address %lanes_tmem[%row, %c0]
          : memref<128x16xi32, #lanes, #nvvm.memory_space<tensor>> -> i32
      %source = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      %words = nvvm.tcgen05.ld %source {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<16xi32>
      // Before the registers are used and before the columns are written again.
      nvvm.tcgen05.wait <load>
      vector.store %words, %Out[%t, %tid, %c0] : memref<9x128x16xi32>, vector<16xi32>

      // All warps have read: the columns are free for the next tile's copies (or to
      // be given back), and the tile written ahead is handed over.
      nvvm.tcgen05.fence <before>
      gpu.barrier
    }

    scf.if %is_warp0 {
      nvvm.tcgen05.relinquish_alloc_permit
      %columns_base = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %columns_base, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
