// tcgen05-emulate: what has no tcgen05 operation stays as it is.

// RUN: tcgen05-opt %s > %t.before
// RUN: tcgen05-opt %s --tcgen05-emulate > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s --input-file %t.after

// CHECK-NOT: __tcgen05_emulation
// CHECK-NOT: emulation_sites
gpu.module @plain [#nvvm.target<chip = "sm_75">] {
  gpu.func @kernel(%a: memref<32xi32>) kernel {
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%c0] : memref<32xi32>
    gpu.barrier
    gpu.return
  }
  // What others assume is theirs.
  llvm.func @other(%p: !llvm.ptr, %c: i1) {
    %size = llvm.mlir.constant(16 : i64) : i64
    llvm.intr.assume %c ["align"(%p, %size : !llvm.ptr, i64)] : i1
    llvm.return
  }
}

// Arithmetic in spite of its name.
gpu.module @descriptor {
  llvm.func @descriptor(%a: i32, %b: i32, %c: i32, %d: i8, %e: i1, %f: i8) -> i64 {
    %r = nvvm.tcgen05.mma_smem_desc (%a, %b, %c, %d, %e, %f) : (i32, i32, i32, i8, i1, i8) -> i64
    llvm.return %r : i64
  }
}
