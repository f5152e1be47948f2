// tcgen05-older-chips: fences between proxies and of cluster scope below sm_90.

// RUN: tcgen05-opt %s --tcgen05-older-chips | FileCheck %s

gpu.module @older [#nvvm.target<chip = "sm_80">] {
  // Shared memory is the block's own, whether as its or as the cluster's.
  // CHECK-LABEL: llvm.func @proxies
  llvm.func @proxies(%p: !llvm.ptr) {
    %size = llvm.mlir.constant(128 : i32) : i32
    // CHECK:      nvvm.memory.barrier <cta>
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    // CHECK-NEXT: nvvm.memory.barrier <gpu>
    // CHECK-NEXT: nvvm.memory.barrier <gpu>
    // CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    // CHECK-NEXT: nvvm.memory.barrier <gpu>
    // CHECK-NEXT: nvvm.memory.barrier <sys>
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    // CHECK-NEXT: llvm.return
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %p, %size
    nvvm.fence.proxy.release #nvvm.mem_scope<sys>
    nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
    llvm.return
  }

  // A block is its own cluster.
  // CHECK-LABEL: llvm.func @cluster
  llvm.func @cluster(%p: !llvm.ptr, %v: i32) {
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    // CHECK-NEXT: nvvm.memory.barrier <cta>
    nvvm.fence.mbarrier.init
    nvvm.fence.sc.cluster
    nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
    nvvm.memory.barrier #nvvm.mem_scope<cluster>
    // CHECK-NEXT: nvvm.memory.barrier <gpu>
    nvvm.memory.barrier #nvvm.mem_scope<gpu>
    // CHECK-NEXT: llvm.fence syncscope("block") acq_rel
    // CHECK-NEXT: llvm.atomicrmw add %{{.*}}, %{{.*}} syncscope("block") monotonic
    // CHECK-NEXT: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} syncscope("block") acq_rel monotonic
    // CHECK-NEXT: llvm.load %{{.*}} atomic syncscope("block") acquire
    // CHECK-NEXT: llvm.store %{{.*}}, %{{.*}} atomic syncscope("block") release
    // CHECK-NEXT: llvm.fence syncscope("device") acq_rel
    llvm.fence syncscope("cluster") acq_rel
    %0 = llvm.atomicrmw add %p, %v syncscope("cluster") monotonic : !llvm.ptr, i32
    %1 = llvm.cmpxchg %p, %v, %v syncscope("cluster") acq_rel monotonic : !llvm.ptr, i32
    %2 = llvm.load %p atomic syncscope("cluster") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    llvm.store %v, %p atomic syncscope("cluster") release {alignment = 4 : i64} : i32, !llvm.ptr
    llvm.fence syncscope("device") acq_rel
    llvm.return
  }
}
