// tcgen05-emulate: a kernel without tcgen05 beside one with it, an alignment that is assumed, and no clusters.

// RUN: tcgen05-opt %s --tcgen05-emulate | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  // CHECK:      gpu.func @plain(
  // CHECK-NEXT:   %[[T:.*]] = llvm.mlir.constant(true) : i1
  // CHECK-NEXT:   %[[N:.*]] = llvm.mlir.constant(16 : i64) : i64
  // CHECK-NEXT:   llvm.intr.assume %[[T]] ["align"(%{{.*}}, %[[N]] : !llvm.ptr, i64)] : i1
  // CHECK-NEXT:   gpu.return
  gpu.func @plain(%p: !llvm.ptr) kernel {
    %t = llvm.mlir.constant(true) : i1
    %n = llvm.mlir.constant(16 : i64) : i64
    llvm.intr.assume %t ["align"(%p, %n : !llvm.ptr, i64)] : i1
    gpu.return
  }

  // Where tensor memory is used, the assumption is a check.
  // CHECK:      gpu.func @waits(%[[P:.*]]: !llvm.ptr<3>)
  // CHECK:        %[[N:.*]] = llvm.mlir.constant(1024 : i64) : i64
  // CHECK:        %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i64
  // CHECK-NEXT:   llvm.call @__tcgen05_check_alignment(%[[A]], %[[N]], %{{.*}}) : (i64, i64, i32) -> ()
  // CHECK-NOT:    llvm.intr.assume
  // A block's tensor memory is its own here.
  // CHECK:        llvm.fence syncscope("block") acq_rel
  // CHECK-NEXT:   gpu.return
  gpu.func @waits(%p: !llvm.ptr<3>) kernel {
    %t = llvm.mlir.constant(true) : i1
    %n = llvm.mlir.constant(1024 : i64) : i64
    llvm.intr.assume %t ["align"(%p, %n : !llvm.ptr<3>, i64)] : i1
    nvvm.tcgen05.fence <before>
    gpu.return
  }

  // CHECK:      llvm.func internal @__tcgen05_commit_shared(
  // CHECK-SAME:   %[[BAR:.*]]: !llvm.ptr<3>, %{{.*}}: i32) attributes {convergent, no_inline}
  // CHECK-NEXT:   nvvm.mbarrier.arrive %[[BAR]] : !llvm.ptr<3> -> i64
  // CHECK-NEXT:   llvm.return
  gpu.func @commits(%b: !llvm.ptr<3>) kernel {
    nvvm.tcgen05.commit %b : !llvm.ptr<3>
    gpu.return
  }
}
