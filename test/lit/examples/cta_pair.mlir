// cta_pair.mlir: one copy for a CTA pair, with the cluster protocol around it.
// Text and assembled instructions only: none of it has run on Blackwell hardware.

// RUN: tcgen05-opt %S/../../../examples/cta_pair.mlir -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// The same module comes back from its custom, generic and bytecode form, and the stock mlir-opt
// with the plugin prints the same.
// RUN: tcgen05-opt %t.mlir | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --mlir-print-op-generic | tcgen05-opt | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --emit-bytecode | tcgen05-opt | diff %t.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %S/../../../examples/cta_pair.mlir | diff %t.mlir -

// Canonicalisation and cse keep the copy and its layouts.
// RUN: tcgen05-opt %t.mlir --canonicalize --cse | FileCheck %s --check-prefix=IR

// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_100a --path nvvm --emit ptx -o %t.nvvm.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.nvvm.ptx
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_100a --path inline-asm --emit ptx -o %t.inline-asm.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.inline-asm.ptx

// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_100a --path nvvm --emit sass -o %t.sm_100a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_100a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_100a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_100a --path inline-asm --emit sass -o %t.sm_100a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_100a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_100a.inline-asm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_103a --path nvvm --emit sass -o %t.sm_103a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_103a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_103a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_103a --path inline-asm --emit sass -o %t.sm_103a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_103a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_103a.inline-asm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_110a --path nvvm --emit sass -o %t.sm_110a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_110a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_110a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/cta_pair.mlir --chip sm_110a --path inline-asm --emit sass -o %t.sm_110a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_110a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_110a.inline-asm.sass | FileCheck %s --check-prefix=COPIES

// IR: #tmem_layout = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// IR: gpu.func @copy_pair(
// IR-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>
// IR: tcgen05.cp <shape_128x128b> %{{.+}}, %{{.+}} cta_group(<cta_2>) descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #tmem_layout, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
// IR-NEXT: nvvm.tcgen05.commit %{{.+}}, multicast_mask = %{{.+}} {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16

// PTX-LABEL: .entry copy_pair(
// PTX: .reqntid 128, 1, 1
// PTX: .explicitcluster
// PTX: .reqnctapercluster 2, 1, 1
// PTX: elect.sync
// PTX: mbarrier.init.shared.b64 [copied], %r{{[0-9]+}};
// PTX-NEXT: fence.mbarrier_init.release.cluster;
// Both CTAs run before either allocates.
// PTX: barrier.cluster.arrive.aligned;
// PTX-NEXT: barrier.cluster.wait.aligned;
// PTX: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [taddr], %r{{[0-9]+}};
// PTX: st.shared.v4.b32
// PTX-NEXT: fence.proxy.async.shared::cluster;
// PTX-NEXT: barrier.cluster.arrive.aligned;
// PTX-NEXT: barrier.cluster.wait.aligned;
// PTX: ld.shared.b32 %r{{[0-9]+}}, [taddr];
// PTX: elect.sync
// The descriptor without its start address, then the copies.
// PTX: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 70403103981568;
// PTX: tcgen05.cp.cta_group::2.128x128b [%r{{[0-9]+}}], %rd{{[0-9]+}};
// PTX-NOT: tcgen05.cp
// PTX: mov.b16 [[BOTH:%rs[0-9]+]], 3;
// PTX: tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [copied], [[BOTH]];
// A loop around one try.
// PTX: {{^}}[[AGAIN:\$L.+]]:
// PTX: mbarrier.try_wait.parity.acquire.cluster.shared.b64 [[DONE:%p[0-9]+]], [copied], %r{{[0-9]+}};
// PTX-NEXT: not.pred [[MORE:%p[0-9]+]], [[DONE]];
// PTX-NEXT: @[[MORE]] bra [[AGAIN]];
// PTX: tcgen05.fence::after_thread_sync;
// PTX: tcgen05.ld.sync.aligned.32x32b.x4.b32
// PTX: tcgen05.wait::ld.sync.aligned;
// PTX: tcgen05.fence::before_thread_sync;
// PTX-NEXT: barrier.cluster.arrive.aligned;
// PTX-NEXT: barrier.cluster.wait.aligned;
// PTX: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;
// PTX: tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r{{[0-9]+}}, %r{{[0-9]+}};
// PTX-NOT: tcgen05.cp

// One instruction per copy, and nothing else that looks like one; BRA.U.ANY would be a loop around a copy.
// COPIES: {{^1$}}
// SASS: UTCCP.T.S.2CTA.128dp128bit tmem[UR{{[0-9]+}}], gdesc[UR{{[0-9]+}}]
