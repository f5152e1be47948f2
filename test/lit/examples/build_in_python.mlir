// build_in_python.py prints the module of copy_readback.mlir, and what it prints compiles.

// RUN: %python %S/../../../examples/build_in_python.py > %t.py.mlir
// RUN: tcgen05-opt %S/../../../examples/copy_readback.mlir | diff %t.py.mlir -
// RUN: tcgen05 compile %t.py.mlir --chip sm_100a --emit ptx | FileCheck %s

// CHECK: tcgen05.cp.cta_group::1.128x128b [%r{{[0-9]+}}], %rd{{[0-9]+}};
// CHECK-NOT: tcgen05.cp
