// tcgen05-emulate: the functions of a copy, of an arrival in other blocks, and of a load.

// RUN: tcgen05-opt %s --tcgen05-emulate --canonicalize --cse | FileCheck %s

gpu.module @kernels {
  llvm.func @kernel(%t: !llvm.ptr<6>, %d: i64, %b: !llvm.ptr<3>, %m: i16) -> vector<8xi32> attributes {gpu.kernel, nvvm.kernel} {
    nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>}
    nvvm.tcgen05.commit %b, multicast_mask = %m : !llvm.ptr<3>, i16
    nvvm.tcgen05.commit %b : !llvm.ptr<3>
    %v = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
    llvm.return %v : vector<8xi32>
  }
}

// A failed check: the first thread that claims the report fills it, and all end.
// CHECK-LABEL: llvm.func internal @__tcgen05_fail(
// CHECK:         %[[REPORT:.*]] = llvm.inttoptr
// CHECK:         llvm.cmpxchg %[[REPORT]], %{{.*}}, %{{.*}} acq_rel monotonic : !llvm.ptr<1>, i32
// CHECK-COUNT-12: llvm.store volatile
// CHECK:         llvm.fence seq_cst
// CHECK-NEXT:    llvm.store volatile %{{.*}}, %[[REPORT]]
// CHECK-NEXT:    llvm.fence seq_cst
// CHECK:         nvvm.nanosleep
// CHECK:         llvm.intr.trap
// CHECK-NEXT:    llvm.unreachable

// CHECK-LABEL: llvm.func internal @__tcgen05_cp_32x128b_warpx4(
// CHECK-SAME:    %[[TADDR:.*]]: i32, %[[DESC:.*]]: i64, %[[ISSUES:.*]]: i1, %[[SITE:.*]]: i32) attributes {convergent, no_inline}
// CHECK:         %[[MASK:.*]] = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
// CHECK:         nvvm.vote.sync ballot %[[MASK]], %[[ISSUES]] -> i32
// One issuer after the other: its address and its descriptor, for all lanes.
// CHECK:         nvvm.shfl.sync idx %[[MASK]], %[[TADDR]]
// CHECK:         nvvm.shfl.sync idx %[[MASK]]
// CHECK:         nvvm.shfl.sync idx %[[MASK]]
// C5, F4, F5, E2, F6 and, row by row where in doubt, F10.
// CHECK:         llvm.call @__tcgen05_fail(%[[SITE]], 
// CHECK:         inline_asm {{.*}}"mov.u32 $0, %reserved_smem_offset_cap;", "=r" : () -> i32
// CHECK:         nvvm.read.ptx.sreg.total.smem.size
// Four blocks of 16 bytes are loaded, then each is stored in its four lanes.
// CHECK-COUNT-4:  llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK-COUNT-16: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// CHECK-NOT:     llvm.store
// CHECK:         nvvm.bar.warp.sync %[[MASK]] : i32
// CHECK-NEXT:    llvm.return

// CHECK-LABEL: llvm.func internal @__tcgen05_commit_shared_multicast(
// CHECK-SAME:    %[[BAR:.*]]: !llvm.ptr<3>, %[[M:.*]]: i16,
// CHECK:         nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    llvm.fence syncscope("cluster") acq_rel
// CHECK:         %[[RANK:.*]] = "llvm.intr.cttz"
// CHECK-NEXT:    %[[THERE:.*]] = nvvm.mapa %[[BAR]], %[[RANK]] : !llvm.ptr<3> -> !llvm.ptr<7>
// CHECK-NEXT:    nvvm.mbarrier.arrive %[[THERE]] {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>

// The mbarrier may be another block's, where an arrival gives no state.
// CHECK-LABEL: llvm.func internal @__tcgen05_commit_shared(
// CHECK-SAME:    %[[BAR:.*]]: !llvm.ptr<3>, %{{.*}}: i32) attributes {convergent, no_inline}
// CHECK-NEXT:    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT:    llvm.fence syncscope("cluster") acq_rel
// CHECK-NEXT:    %[[NUMBER:.*]] = llvm.ptrtoint %[[BAR]] : !llvm.ptr<3> to i64
// CHECK-NEXT:    %[[THERE:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr<7>
// CHECK-NEXT:    nvvm.mbarrier.arrive %[[THERE]] {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
// CHECK-NEXT:    llvm.return

// CHECK-LABEL: llvm.func internal @__tcgen05_ld_32x32b_r8(
// CHECK-SAME:    attributes {always_inline, convergent}
// By vectors where the column is a multiple of four, else word by word.
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
// CHECK:         llvm.return
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:         llvm.return
