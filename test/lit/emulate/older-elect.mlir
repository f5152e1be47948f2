// tcgen05-older-chips: elect.sync becomes the lowest lane of a ballot below sm_90.

// RUN: tcgen05-opt %s --tcgen05-older-chips --split-input-file | FileCheck %s

// CHECK-LABEL: gpu.module @older
gpu.module @older [#nvvm.target<chip = "sm_86">] {
  // The lanes that come here, of all 32: a block may have fewer.
  // CHECK-LABEL: llvm.func @all()
  // CHECK-NEXT:    %[[ALL:.*]] = llvm.mlir.constant(-1 : i32) : i32
  // CHECK-NEXT:    %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
  // CHECK-NEXT:    %[[LANES:.*]] = nvvm.vote.sync ballot %[[ALL]], %[[TRUE]] -> i32
  // CHECK-NEXT:    %[[LOWEST:.*]] = "llvm.intr.cttz"(%[[LANES]]) <{is_zero_poison = true}> : (i32) -> i32
  // CHECK-NEXT:    %[[LANE:.*]] = nvvm.read.ptx.sreg.laneid : i32
  // CHECK-NEXT:    %[[LEADER:.*]] = llvm.icmp "eq" %[[LANE]], %[[LOWEST]] : i32
  // CHECK-NEXT:    llvm.return %[[LEADER]] : i1
  llvm.func @all() -> i1 {
    %leader = nvvm.elect.sync -> i1
    llvm.return %leader : i1
  }

  // CHECK-LABEL: llvm.func @some(
  // CHECK-SAME:    %[[MASK:.*]]: i32) -> i1
  // CHECK-NOT:     nvvm.elect.sync
  // CHECK:         nvvm.vote.sync ballot %[[MASK]], %{{.*}} -> i32
  llvm.func @some(%mask: i32) -> i1 {
    %leader = nvvm.elect.sync %mask -> i1
    llvm.return %leader : i1
  }
}

// -----

// sm_90 has it.
// CHECK-LABEL: gpu.module @later
// CHECK:         nvvm.elect.sync -> i1
gpu.module @later [#nvvm.target<chip = "sm_90">] {
  llvm.func @all() -> i1 {
    %leader = nvvm.elect.sync -> i1
    llvm.return %leader : i1
  }
}

// -----

// Without a target nothing is known.
// CHECK-LABEL: gpu.module @none
// CHECK:         nvvm.elect.sync -> i1
gpu.module @none {
  llvm.func @all() -> i1 {
    %leader = nvvm.elect.sync -> i1
    llvm.return %leader : i1
  }
}
