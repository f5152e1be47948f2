// RUN: tcgen05-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --mlir-print-local-scope | FileCheck %s

// What the layouts' parsers accept, and the one spelling that is printed.

// The smallest and the largest values.
// CHECK: func.func private @f0() attributes {{[{]}}a = #tcgen05.tmem_layout<(1, 1) : (0@col, 0@col)>}
func.func private @f0() attributes {a = #tcgen05.tmem_layout<(1, 1) : (0@lane, 0@col)>}
// CHECK: func.func private @f1() attributes {{[{]}}a = #tcgen05.tmem_layout<(2147483647) : (2147483647@lane), offset = (-2147483647@lane, 2147483647@col)>}
func.func private @f1() attributes {a = #tcgen05.tmem_layout<(2147483647) : (2147483647@lane), offset = (-2147483647@lane, 2147483647@col)>}
// CHECK: func.func private @f2() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (-2147483647@col)>}
func.func private @f2() attributes {a = #tcgen05.tmem_layout<(4) : (-2147483647@col)>}
// CHECK: func.func private @f3() attributes {{[{]}}a = #tcgen05.smem_layout<(2147483647, 1) : (-2147483647, 2147483647), offset = -2147483647>}
func.func private @f3() attributes {a = #tcgen05.smem_layout<(2147483647, 1) : (-2147483647, 2147483647), offset = -2147483647>}
// CHECK: func.func private @f4() attributes {{[{]}}a = #tcgen05.smem_layout<(8) : (1), swizzle = 1>}
func.func private @f4() attributes {a = #tcgen05.smem_layout<(8) : (1), swizzle = 1>}
// CHECK: func.func private @f5() attributes {{[{]}}a = #tcgen05.smem_layout<(8) : (1), swizzle = 2>}
func.func private @f5() attributes {a = #tcgen05.smem_layout<(8) : (1), swizzle = 2>}
// CHECK: func.func private @f6() attributes {{[{]}}a = #tcgen05.smem_layout<(8) : (1), swizzle = 3>}
func.func private @f6() attributes {a = #tcgen05.smem_layout<(8) : (1), swizzle = 3>}
// CHECK: func.func private @f7() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (65536) : (1@col)>}
func.func private @f7() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (65536) : (1@col)>}

// No dimension, and one of many sub-modes.
// CHECK: func.func private @f8() attributes {{[{]}}a = #tcgen05.tmem_layout<() : ()>}
func.func private @f8() attributes {a = #tcgen05.tmem_layout<() : ()>}
// CHECK: func.func private @f9() attributes {{[{]}}a = #tcgen05.smem_layout<() : (), offset = 4>}
func.func private @f9() attributes {a = #tcgen05.smem_layout<() : (), offset = 4>}
// CHECK: func.func private @f10() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane)>}
func.func private @f10() attributes {a = #tcgen05.tmem_layout<((((((((((((((((4)))))))))))))))) : ((((((((((((((((1@lane))))))))))))))))>}
// CHECK: func.func private @f11() attributes {{[{]}}a = #tcgen05.smem_layout<((2, 2, 2, 2, 2)) : ((16, 8, 4, 2, 1))>}
func.func private @f11() attributes {a = #tcgen05.smem_layout<((2, (2, (2, 2)), 2)) : ((16, (8, (4, 2)), 1))>}

// The leading extent of shared memory may be dynamic, nested or not.
// CHECK: func.func private @f12() attributes {{[{]}}a = #tcgen05.smem_layout<(?) : (1)>}
func.func private @f12() attributes {a = #tcgen05.smem_layout<(?) : (1)>}
// CHECK: func.func private @f13() attributes {{[{]}}a = #tcgen05.smem_layout<((?, 8), 4) : ((32, 4), 1)>}
func.func private @f13() attributes {a = #tcgen05.smem_layout<((?, 8), 4) : ((32, 4), 1)>}
// CHECK: func.func private @f14() attributes {{[{]}}a = #tcgen05.smem_layout<((?, 2, 4)) : ((8, 4, 1))>}
func.func private @f14() attributes {a = #tcgen05.smem_layout<(((?, 2), 4)) : (((8, 4), 1))>}

// Fields in any order, one spelling of each.
// CHECK: func.func private @f15() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2) : (64@lane), offset = (2@lane, 3@col)>}
func.func private @f15() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), offset = (3@col, 2@lane), replicas = (2) : (64@lane)>}
// CHECK: func.func private @f16() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane)>}
func.func private @f16() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), offset = (), replicas = () : ()>}
// CHECK: func.func private @f17() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane)>}
func.func private @f17() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), offset = (0@lane, 0@col), replicas = (1, 1) : (5@lane, 5@col)>}
// CHECK: func.func private @f18() attributes {{[{]}}a = #tcgen05.smem_layout<(4) : (1)>}
func.func private @f18() attributes {a = #tcgen05.smem_layout<(4) : (1), swizzle = 0, offset = 0>}
// CHECK: func.func private @f19() attributes {{[{]}}a = #tcgen05.smem_layout<(4) : (1), offset = 8, swizzle = 3>}
func.func private @f19() attributes {a = #tcgen05.smem_layout<(4) : (1), swizzle = 3, offset = 8>}

// Replica sets, canonical: extents of 1 dropped, lanes before columns, short before long steps, joined.
// CHECK: func.func private @f20() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (4) : (32@lane)>}
func.func private @f20() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (64@lane, 32@lane)>}
// CHECK: func.func private @f21() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (4) : (32@lane)>}
func.func private @f21() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 1, 2) : (32@lane, 9@col, 64@lane)>}
// CHECK: func.func private @f22() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (4) : (32@lane)>}
func.func private @f22() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = ((2, 2)) : ((32@lane, 64@lane))>}
// CHECK: func.func private @f23() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (64@lane, 8@col)>}
func.func private @f23() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (8@col, 64@lane)>}
// CHECK: func.func private @f24() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 12) : (32@lane, 4@col)>}
func.func private @f24() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (3, 2, 2, 2) : (16@col, 4@col, 32@lane, 8@col)>}
// CHECK: func.func private @f25() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (-32@lane, 64@lane)>}
func.func private @f25() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (64@lane, -32@lane)>}
// CHECK: func.func private @f26() attributes {{[{]}}a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (4) : (-32@lane)>}
func.func private @f26() attributes {a = #tcgen05.tmem_layout<(4) : (1@lane), replicas = (2, 2) : (-64@lane, -32@lane)>}
