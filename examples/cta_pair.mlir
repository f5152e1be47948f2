// One copy for two CTAs: a cta_group::2 copy is issued by one thread of a CTA pair,
// and each of the two CTAs copies from its own shared memory, at the same offset,
// into its own tensor memory, at the same address.
//
//   grid 2, block 128, cluster 2; A and Out are (CTA, row, word) = 2x128x4 words of
//   32 bits; Out equals A afterwards.
//
//   tcgen05 compile examples/cta_pair.mlir --chip sm_100a --emit ptx
//
// All tcgen05 instructions of a kernel use one cta_group: alloc, cp, commit,
// relinquish and dealloc all say 2 here; ld, wait and fence know no group.
//
// Compiled to PTX and SASS and checked there; never run on Blackwell hardware.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

gpu.module @kernels {
  // Both CTAs run this kernel, so each name is at the same offset in both.
  memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // The cluster of two is part of the kernel: a launch without it is refused.
  gpu.func @copy_pair(%A: memref<2x128x4xi32>, %Out: memref<2x128x4xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %leader_rank = arith.constant 0 : i32
    %parity = arith.constant 0 : i32
    // Bit i stands for the CTA of rank i in the cluster.
    %both = arith.constant 3 : i16
    %true = arith.constant true
    %smem = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %cta = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %is_warp0 = arith.cmpi eq, %warp, %c0 : index
    %is_leader = arith.cmpi eq, %rank, %leader_rank : i32
    %issues = arith.andi %is_warp0, %is_leader : i1

    // Each CTA has its mbarrier, for one arrival: that of the leader's commit. It
    // may come from the other CTA, so the init is fenced for the whole cluster.
    scf.if %is_warp0 {
      %init = nvvm.elect.sync -> i1
      scf.if %init {
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
    }

    // A pair's alloc may only be issued when the other CTA is known to run: after
    // this barrier it is. (Arrive releases, wait acquires.)
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}

    // One whole warp in each of the two CTAs; together they allocate 32 columns in
    // both. The first to come may wait here for the other.
    scf.if %is_warp0 {
      nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    }

    // Each CTA fills its own tile.
    scf.for %w = %c0 to %c4 step %c1 {
      %word = memref.load %A[%cta, %tid, %w] : memref<2x128x4xi32>
      memref.store %word, %smem[%tid, %w] : memref<128x4xi32, #gpu.address_space<workgroup>>
    }
    // Every writer fences its stores for the async proxy: those of the other CTA
    // are read by a copy that the leader issues, hence the cluster's shared memory.
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
    // Both tiles are filled and both allocations made before the leader goes on.
    // Within each CTA it hands over the tensor memory address as well.
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}

    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %tmem = tcgen05.view %base : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>

    // One thread of the pair issues for both: the elected one of the leader.
    scf.if %issues {
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {
        tcgen05.cp <shape_128x128b> %tmem, %smem cta_group(<cta_2>)
            descriptor(<ldo = 16, sdo = 128>)
            : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
              memref<128x4xi32, #gpu.address_space<workgroup>>
        // Both CTAs wait for the copy, and a CTA can wait on its own mbarrier only:
        // the commit arrives on the mbarrier at this offset in each CTA of the mask.
        nvvm.tcgen05.commit %mbar, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
      }
    }

    // Loops until phase 0 is complete: one try may time out. The scope is the
    // cluster because the arrival comes from the leader.
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %mbar, %parity {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    // The load below is asynchronous too and would not heed the wait by itself.
    nvvm.tcgen05.fence <after>

    // Each warp of each CTA loads the 32 lanes that it can reach in its own CTA.
    %row = arith.muli %warp, %c32 : index
    %address = tcgen05.address %tmem[%row, %c0]
        : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>> -> i32
    %source = llvm.inttoptr %address : i32 to !llvm.ptr<6>
    %words = nvvm.tcgen05.ld %source {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<4xi32>
    // Before the registers are used and before the columns are given back.
    nvvm.tcgen05.wait <load>
    vector.store %words, %Out[%cta, %tid, %c0] : memref<2x128x4xi32>, vector<4xi32>

    // A pair's dealloc frees the columns of both CTAs, so all warps of both must
    // have read. The barrier also keeps either CTA from ending while the other
    // still needs it.
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    // Again one whole warp in each CTA. A CTA may end right after its dealloc.
    scf.if %is_warp0 {
      nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
      %columns_base = llvm.inttoptr %base : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %columns_base, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
