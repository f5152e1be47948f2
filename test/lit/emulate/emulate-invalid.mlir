// RUN: tcgen05-opt %s --tcgen05-emulate --split-input-file --verify-diagnostics

// Rules E1 and T1: what cannot be emulated is named. The accepted siblings are in operations.mlir.

gpu.module @kernels {
  llvm.func @mma(%d: !llvm.ptr<6>, %a: i64, %b: i64, %i: i32, %p: i1) {
    nvvm.tcgen05.fence <before>
    // expected-error-re @below {{{{^}}'nvvm.tcgen05.mma' op cannot be emulated: emulation has alloc, dealloc, relinquish_alloc_permit, cp, commit, shift, ld, st, wait and fence [E1]{{$}}}}
    // expected-note-re @below {{{{^}}compile for a chip with tcgen05 without emulation, or keep it out of this gpu.module{{$}}}}
    nvvm.tcgen05.mma %d, %a, %b, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    llvm.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_80", verifyTarget = false>] {
  llvm.func @pair(%t: !llvm.ptr<6>, %d: i64) {
    // expected-error-re @below {{{{^}}'nvvm.tcgen05.cp' op has cta_group::2, which needs clusters: wanted sm_90 or later, got sm_80 [T1]{{$}}}}
    nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, group = #nvvm.cta_group<cta_2>}
    llvm.return
  }
}
