// A whole kernel in which GROUP, COPIES, OUTSIDE and the commit's mask are filled in by
// whole_kernel.py.

gpu.module @m {
  memref.global "private" @image : memref<128x96xi32, #gpu.address_space<workgroup>> {alignment = 1024}
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  // OUTSIDE
  gpu.func @k(%smem: memref<GROUPx128x96xi32>, %pattern: memref<128x512xi32>,
      %choices: memref<4xi32>, %out: memref<GROUPx128x512xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: GROUP, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %columns = arith.constant 512 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    %both = arith.constant 3 : i16
    %lane_step = arith.constant 65536 : i32
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %image = memref.get_global @image : memref<128x96xi32, #gpu.address_space<workgroup>>
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    %warp = arith.divui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    %is_leader = arith.cmpi eq, %block, %c0 : index
    %issues = arith.andi %is_warp0, %is_leader : i1
    scf.if %is_warp0 {
      nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_GROUP>} : !llvm.ptr<3>, i32
      %init = nvvm.elect.sync -> i1
      scf.if %init {
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }
    scf.for %w = %c0 to %c96 step %c32 {
      %words = vector.load %smem[%block, %tid, %w] : memref<GROUPx128x96xi32>, vector<32xi32>
      vector.store %words, %image[%tid, %w]
        : memref<128x96xi32, #gpu.address_space<workgroup>>, vector<32xi32>
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %row = arith.muli %warp, %c32 : index
    %row_i32 = arith.index_cast %row : index to i32
    %lanes = arith.muli %row_i32, %lane_step : i32
    %mine = arith.addi %base, %lanes : i32
    scf.for %c = %c0 to %c512 step %c128 {
      %words = vector.load %pattern[%tid, %c] : memref<128x512xi32>, vector<128xi32>
      %c_i32 = arith.index_cast %c : index to i32
      %a = arith.addi %mine, %c_i32 : i32
      %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
      nvvm.tcgen05.st %p, %words {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
    }
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %issues {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %chosen0 = memref.load %choices[%c0] : memref<4xi32>
      %chosen1 = memref.load %choices[%c1] : memref<4xi32>
      %chosen2 = memref.load %choices[%c2] : memref<4xi32>
      %chosen3 = memref.load %choices[%c3] : memref<4xi32>
      %choice0 = arith.index_cast %chosen0 : i32 to index
      %choice1 = arith.index_cast %chosen1 : i32 to index
      %choice2 = arith.index_cast %chosen2 : i32 to index
      %choice3 = arith.index_cast %chosen3 : i32 to index
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {
        nvvm.tcgen05.fence <after>
        // COPIES
        nvvm.tcgen05.commit %mbar MASK_VALUE {group = #nvvm.cta_group<cta_GROUP>} : !llvm.ptr<3> MASK_TYPE
      }
    }
    nvvm.mbarrier.try_wait.parity %mbar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    scf.for %c = %c0 to %c512 step %c128 {
      %c_i32 = arith.index_cast %c : index to i32
      %a = arith.addi %mine, %c_i32 : i32
      %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
      %words = nvvm.tcgen05.ld %p {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
      nvvm.tcgen05.wait <load>
      vector.store %words, %out[%block, %tid, %c] : memref<GROUPx128x512xi32>, vector<128xi32>
    }
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_warp0 {
      nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_GROUP>}
      %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %p, %columns {group = #nvvm.cta_group<cta_GROUP>} : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
