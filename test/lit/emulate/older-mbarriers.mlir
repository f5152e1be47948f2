// tcgen05-older-chips: mbarriers below sm_90, which has their scopes, counts and waiting.

// RUN: tcgen05-opt %s --tcgen05-older-chips | FileCheck %s

gpu.module @older [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: llvm.func @arrive(
  // CHECK-SAME:    %[[M:[a-z0-9]+]]: !llvm.ptr<3>, %[[G:[a-z0-9]+]]: !llvm.ptr,
  // CHECK-SAME:    %[[REMOTE:[a-z0-9]+]]: !llvm.ptr<7>, %[[N:[a-z0-9]+]]: i32)
  llvm.func @arrive(%m: !llvm.ptr<3>, %g: !llvm.ptr, %remote: !llvm.ptr<7>, %n: i32) -> i64 {
    // CHECK:      %[[FOUR:.*]] = llvm.mlir.constant(4 : i32) : i32
    // CHECK:      nvvm.mbarrier.arrive %[[M]] : !llvm.ptr<3> -> i64
    // CHECK-NEXT: nvvm.mbarrier.arrive %[[G]] : !llvm.ptr -> i64
    // CHECK-NEXT: nvvm.mbarrier.arrive %[[M]] : !llvm.ptr<3> -> i64
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    nvvm.mbarrier.arrive %m {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>
    %0 = nvvm.mbarrier.arrive %g {relaxed = true} : !llvm.ptr -> i64
    nvvm.mbarrier.arrive %m, %one : !llvm.ptr<3>
    // Three cannot complete the phase, since the fourth is still to come; the state is the first.
    // CHECK-NEXT: %[[THREE:.*]] = llvm.mlir.constant(3 : i32) : i32
    // CHECK-NEXT: %[[STATE:.*]] = nvvm.mbarrier.arrive.nocomplete %[[M]], %[[THREE]] : !llvm.ptr<3>, i32 -> i64
    // CHECK-NEXT: nvvm.mbarrier.arrive %[[M]] : !llvm.ptr<3> -> i64
    %state = nvvm.mbarrier.arrive %m, %four : !llvm.ptr<3> -> i64
    // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.drop.shared"(%[[M]]) : (!llvm.ptr<3>) -> i64
    // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.drop"(%[[G]]) : (!llvm.ptr) -> i64
    nvvm.mbarrier.arrive_drop %m : !llvm.ptr<3>
    nvvm.mbarrier.arrive_drop %g : !llvm.ptr
    // CHECK-NEXT: %[[THREE:.*]] = llvm.mlir.constant(3 : i32) : i32
    // CHECK-NEXT: nvvm.mbarrier.arrive_drop.nocomplete %[[M]], %[[THREE]] : !llvm.ptr<3>, i32 -> i64
    // CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.drop.shared"(%[[M]]) : (!llvm.ptr<3>) -> i64
    nvvm.mbarrier.arrive_drop %m, %four : !llvm.ptr<3>
    // Another block's, and a count that is not known, cannot be rewritten.
    // CHECK-NEXT: nvvm.mbarrier.arrive %[[REMOTE]] : !llvm.ptr<7>
    // CHECK-NEXT: nvvm.mbarrier.arrive %[[M]], %[[N]] : !llvm.ptr<3>
    nvvm.mbarrier.arrive %remote : !llvm.ptr<7>
    nvvm.mbarrier.arrive %m, %n : !llvm.ptr<3>
    // CHECK-NEXT: llvm.return %[[STATE]] : i64
    llvm.return %state : i64
  }

  // CHECK-LABEL: llvm.func @test(
  // CHECK-SAME:    %[[M:[a-z0-9]+]]: !llvm.ptr<3>, %[[G:[a-z0-9]+]]: !llvm.ptr,
  // CHECK-SAME:    %[[STATE:[a-z0-9]+]]: i64, %[[PARITY:[a-z0-9]+]]: i32)
  llvm.func @test(%m: !llvm.ptr<3>, %g: !llvm.ptr, %state: i64, %parity: i32) -> i1 {
    // CHECK-NEXT: nvvm.mbarrier.test.wait %[[M]], %[[STATE]] : !llvm.ptr<3>, i64 -> i1
    // CHECK-NEXT: nvvm.mbarrier.test.wait %[[G]], %[[STATE]] : !llvm.ptr, i64 -> i1
    // CHECK-NEXT: nvvm.mbarrier.test.wait %[[M]], %[[STATE]] : !llvm.ptr<3>, i64 -> i1
    %0 = nvvm.mbarrier.test.wait %m, %state : !llvm.ptr<3>, i64 -> i1
    %1 = nvvm.mbarrier.test.wait %g, %state {relaxed = true} : !llvm.ptr, i64 -> i1
    %2 = nvvm.mbarrier.try_wait %m, %state, %parity : !llvm.ptr<3>, i64, i32 -> i1
    // CHECK-NEXT: nvvm.mbarrier.test.wait %[[G]], %[[PARITY]] : !llvm.ptr, i32 -> i1
    // CHECK-NEXT: %[[DONE:.*]] = nvvm.mbarrier.test.wait %[[M]], %[[PARITY]] : !llvm.ptr<3>, i32 -> i1
    // CHECK-NEXT: llvm.return %[[DONE]] : i1
    %3 = nvvm.mbarrier.test.wait %g, %parity : !llvm.ptr, i32 -> i1
    %4 = nvvm.mbarrier.try_wait %m, %parity {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
    llvm.return %4 : i1
  }

  // The operation that waits may stand anywhere in a block: its loop is in a function.
  // CHECK-LABEL: llvm.func @wait(
  // CHECK-SAME:    %[[M:[a-z0-9]+]]: !llvm.ptr<3>, %[[G:[a-z0-9]+]]: !llvm.ptr, %[[PARITY:[a-z0-9]+]]: i32)
  llvm.func @wait(%m: !llvm.ptr<3>, %g: !llvm.ptr, %parity: i32) {
    // CHECK:      llvm.call @__tcgen05_wait_shared(%[[M]], %[[PARITY]]) {always_inline} : (!llvm.ptr<3>, i32) -> ()
    // CHECK-NEXT: llvm.call @__tcgen05_wait_shared(%[[M]], %[[PARITY]]) {always_inline} : (!llvm.ptr<3>, i32) -> ()
    // CHECK-NEXT: llvm.call @__tcgen05_wait(%[[G]], %[[PARITY]]) {always_inline} : (!llvm.ptr, i32) -> ()
    // CHECK-NEXT: llvm.return
    %ticks = llvm.mlir.constant(1000 : i32) : i32
    nvvm.mbarrier.try_wait.parity %m, %parity, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %m, %parity, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %g, %parity, %ticks : !llvm.ptr, i32, i32
    llvm.return
  }
  // CHECK:      llvm.func internal @__tcgen05_wait_shared(
  // CHECK-SAME:   %[[M:[a-z0-9]+]]: !llvm.ptr<3>, %[[PARITY:[a-z0-9]+]]: i32) attributes {convergent}
  // CHECK-NEXT:   llvm.br ^[[TEST:.*]]
  // CHECK-NEXT: ^[[TEST]]:
  // CHECK-NEXT:   %[[DONE:.*]] = nvvm.mbarrier.test.wait %[[M]], %[[PARITY]] : !llvm.ptr<3>, i32 -> i1
  // CHECK-NEXT:   llvm.cond_br %[[DONE]], ^[[OUT:.*]], ^[[TEST]]
  // CHECK-NEXT: ^[[OUT]]:
  // CHECK-NEXT:   llvm.return
  // CHECK:      llvm.func internal @__tcgen05_wait(
  // CHECK:      nvvm.mbarrier.test.wait %{{.*}}, %{{.*}} : !llvm.ptr, i32 -> i1
  // CHECK-NOT:  llvm.func
}
