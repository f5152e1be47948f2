// tcgen05-emulate: each operation becomes a call, or a fence, in its place. The functions that are called are in functions.mlir.

// RUN: tcgen05-opt %s --tcgen05-emulate | FileCheck %s

// The operations that can report, by number.
// CHECK:      gpu.module @kernels attributes {tcgen05.emulation_sites = [
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.alloc' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.alloc' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.relinquish_alloc_permit' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.cp' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.cp' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'llvm.inline_asm' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.commit' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.commit' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.shift' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.ld' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.ld' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.st' op",
// CHECK-SAME:   "{{[^"]*}}operations.mlir:{{[0-9]+}}:{{[0-9]+}}: 'nvvm.tcgen05.dealloc' op"]} {
gpu.module @kernels {
  // CHECK:      llvm.func @all(
  // CHECK-SAME:   %[[SLOT:[a-z0-9]+]]: !llvm.ptr<3>, %[[WHERE:[a-z0-9]+]]: !llvm.ptr, %[[N:[a-z0-9]+]]: i32, %[[T:[a-z0-9]+]]: !llvm.ptr<6>,
  // CHECK-SAME:   %[[D:[a-z0-9]+]]: i64, %[[MASK:[a-z0-9]+]]: i16, %[[V:[a-z0-9]+]]: vector<4xi32>, %[[P:[a-z0-9]+]]: i1)
  llvm.func @all(%slot: !llvm.ptr<3>, %where: !llvm.ptr, %n: i32, %t: !llvm.ptr<6>, %d: i64, %mask: i16, %v: vector<4xi32>, %p: i1)
      -> i32 attributes {gpu.kernel, nvvm.kernel} {
    // CHECK-NEXT: %[[S0:.*]] = llvm.mlir.constant(0 : i32) : i32
    // CHECK-NEXT: llvm.call @__tcgen05_alloc_shared(%[[SLOT]], %[[N]], %[[S0]]) : (!llvm.ptr<3>, i32, i32) -> ()
    nvvm.tcgen05.alloc %slot, %n : !llvm.ptr<3>, i32
    // CHECK-NEXT: %[[S1:.*]] = llvm.mlir.constant(1 : i32) : i32
    // CHECK-NEXT: llvm.call @__tcgen05_alloc_generic_cta2(%[[WHERE]], %[[N]], %[[S1]]) : (!llvm.ptr, i32, i32) -> ()
    nvvm.tcgen05.alloc %where, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i32
    // CHECK-NEXT: %[[S2:.*]] = llvm.mlir.constant(2 : i32) : i32
    // CHECK-NEXT: llvm.call @__tcgen05_relinquish(%[[S2]]) : (i32) -> ()
    nvvm.tcgen05.relinquish_alloc_permit

    // The address, the descriptor, whether this thread issues, the number of the operation.
    // CHECK-NEXT: %[[T0:.*]] = llvm.ptrtoint %[[T]] : !llvm.ptr<6> to i32
    // CHECK-NEXT: %[[YES:.*]] = llvm.mlir.constant(true) : i1
    // CHECK-NEXT: %[[S3:.*]] = llvm.mlir.constant(3 : i32) : i32
    // CHECK-NEXT: llvm.call @__tcgen05_cp_128x128b(%[[T0]], %[[D]], %[[YES]], %[[S3]]) : (i32, i64, i1, i32) -> ()
    nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
    // CHECK: llvm.call @__tcgen05_cp_64x128b_warpx2_01_23_b4x16_p64_cta2(
    nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>,
        group = #nvvm.cta_group<cta_2>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
    // CHECK-NEXT: %[[A:.*]] = llvm.ptrtoint %[[T]] : !llvm.ptr<6> to i32
    // CHECK-NEXT: %[[S5:.*]] = llvm.mlir.constant(5 : i32) : i32
    // CHECK-NEXT: llvm.call @__tcgen05_cp_4x256b(%[[A]], %[[D]], %[[P]], %[[S5]]) : (i32, i64, i1, i32) -> ()
    %a = llvm.ptrtoint %t : !llvm.ptr<6> to i32
    llvm.inline_asm has_side_effects "@$2 tcgen05.cp.cta_group::1.4x256b [$0], $1;", "r,l,b,~{memory}" %a, %d, %p : (i32, i64, i1) -> ()

    // CHECK: llvm.call @__tcgen05_commit_shared(%[[SLOT]], %{{.*}}) : (!llvm.ptr<3>, i32) -> ()
    nvvm.tcgen05.commit %slot : !llvm.ptr<3>
    // CHECK: llvm.call @__tcgen05_commit_generic_multicast_cta2(%[[WHERE]], %[[MASK]], %{{.*}}) : (!llvm.ptr, i16, i32) -> ()
    nvvm.tcgen05.commit %where, multicast_mask = %mask {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i16
    // CHECK: llvm.call @__tcgen05_shift(%{{.*}}, %{{.*}}) : (i32, i32) -> ()
    nvvm.tcgen05.shift %t : !llvm.ptr<6>

    // Of the cluster, because there are pairs in this module.
    // CHECK-NEXT: llvm.fence syncscope("cluster") acq_rel
    nvvm.tcgen05.fence <after>
    // CHECK: %[[ONE:.*]] = llvm.call @__tcgen05_ld_16x64b_r1(%{{.*}}, %{{.*}}, %{{.*}}) : (i32, i32, i32) -> i32
    %one = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
    %off = llvm.mlir.constant(16 : i64) : i64
    // CHECK: %[[SPLIT:.*]] = llvm.trunc %{{.*}} : i64 to i32
    // CHECK: llvm.call @__tcgen05_ld_16x32bx2_r4_packed(%{{.*}}, %[[SPLIT]], %{{.*}}) : (i32, i32, i32) -> vector<4xi32>
    %four = nvvm.tcgen05.ld %t, %off {pack, shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<4xi32>
    // CHECK-NEXT: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32) : i32
    // CHECK-NEXT: nvvm.bar.warp.sync %[[ALL]] : i32
    nvvm.tcgen05.wait <load>
    // CHECK: llvm.call @__tcgen05_st_16x256b_r4(%{{.*}}, %{{.*}}, %{{.*}}, %[[V]]) : (i32, i32, i32, vector<4xi32>) -> ()
    nvvm.tcgen05.st %t, %v {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
    // CHECK-NEXT: llvm.fence syncscope("cluster") acq_rel
    // CHECK:      nvvm.bar.warp.sync
    nvvm.tcgen05.wait <store>
    // CHECK: llvm.call @__tcgen05_dealloc(%{{.*}}, %[[N]], %{{.*}}) : (i32, i32, i32) -> ()
    nvvm.tcgen05.dealloc %t, %n : !llvm.ptr<6>, i32
    // CHECK-NEXT: llvm.return %[[ONE]] : i32
    llvm.return %one : i32
  }
}

// What the host binds, and the functions, each once.
// CHECK:      llvm.mlir.global external @__tcgen05_emulation() {addr_space = 1 : i32, alignment = 8 : i64, externally_initialized} : !llvm.array<4 x i64>
// CHECK:      llvm.func internal @__tcgen05_fail(
// CHECK-NOT:  tcgen05.cp
