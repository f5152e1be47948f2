// swizzled_tile.mlir: four 128x256b copies along the rows of a tile with 128-byte swizzle.
// Text and assembled instructions only: none of it has run on Blackwell hardware.

// RUN: tcgen05-opt %S/../../../examples/swizzled_tile.mlir -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// The same module comes back from its custom, generic and bytecode form, and the stock mlir-opt
// with the plugin prints the same.
// RUN: tcgen05-opt %t.mlir | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --mlir-print-op-generic | tcgen05-opt | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --emit-bytecode | tcgen05-opt | diff %t.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %S/../../../examples/swizzled_tile.mlir | diff %t.mlir -

// Canonicalisation and cse keep the copy and its layouts.
// RUN: tcgen05-opt %t.mlir --canonicalize --cse | FileCheck %s --check-prefix=IR

// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_100a --path nvvm --emit ptx -o %t.nvvm.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.nvvm.ptx
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_100a --path inline-asm --emit ptx -o %t.inline-asm.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.inline-asm.ptx

// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_100a --path nvvm --emit sass -o %t.sm_100a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_100a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_100a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_100a --path inline-asm --emit sass -o %t.sm_100a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_100a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_100a.inline-asm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_103a --path nvvm --emit sass -o %t.sm_103a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_103a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_103a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_103a --path inline-asm --emit sass -o %t.sm_103a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_103a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_103a.inline-asm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_110a --path nvvm --emit sass -o %t.sm_110a.nvvm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_110a.nvvm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_110a.nvvm.sass | FileCheck %s --check-prefix=COPIES
// RUN: tcgen05 compile %S/../../../examples/swizzled_tile.mlir --chip sm_110a --path inline-asm --emit sass -o %t.sm_110a.inline-asm.sass
// RUN: FileCheck %s --check-prefix=SASS --input-file=%t.sm_110a.inline-asm.sass
// RUN: grep -c -E 'UTCCP|BRA[.]U[.]ANY' %t.sm_110a.inline-asm.sass | FileCheck %s --check-prefix=COPIES

// IR-DAG: #smem_layout = #tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>
// IR-DAG: #tmem_layout = #tcgen05.tmem_layout<(4, 128, 8) : (8@col, 1@lane, 1@col)>
// IR-DAG: #tmem_layout1 = #tcgen05.tmem_layout<(128, 32) : (1@lane, 1@col)>
// IR: gpu.func @swizzled_tile(%{{.+}}: memref<128x32xi32>, %{{.+}}: memref<128x32xi32>) workgroup([[TILE:%.+]] : memref<128x32xi32, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64})
// IR: [[SMEM:%.+]] = tcgen05.view [[TILE]] : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<4x128x8xi32, #smem_layout, #gpu.address_space<workgroup>>
// IR: memref.store %{{.+}}, [[SMEM]][%{{.+}}, %{{.+}}, %{{.+}}] : memref<4x128x8xi32, #smem_layout, #gpu.address_space<workgroup>>
// IR: [[TMEM:%.+]] = tcgen05.view %{{.+}} : i32 to memref<4x128x8xi32, #tmem_layout, #nvvm.memory_space<tensor>>
// IR: tcgen05.cp <shape_128x256b> [[TMEM]], [[SMEM]] descriptor(<sdo = 1024, swizzle = 3>) : memref<4x128x8xi32, #tmem_layout, #nvvm.memory_space<tensor>>, memref<4x128x8xi32, #smem_layout, #gpu.address_space<workgroup>>
// IR-NEXT: nvvm.tcgen05.commit

// PTX-LABEL: .entry swizzled_tile(
// PTX: .shared .align 1024 .b8
// PTX: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [taddr], %r{{[0-9]+}};
// PTX: elect.sync
// PTX: mbarrier.init.shared.b64 [copied], %r{{[0-9]+}};
// One store for each word of a row; the swizzle is an exclusive or with bits 4 to 6.
// PTX: and.b64 [[UNIT:%rd[0-9]+]], %rd{{[0-9]+}}, 112;
// PTX-COUNT-31: st.shared.b32
// PTX: xor.b64 [[LAST:%rd[0-9]+]], %rd{{[0-9]+}}, [[UNIT]];
// PTX-NEXT: st.shared.b32 {{\[}}[[LAST]]], %r{{[0-9]+}};
// PTX-NEXT: fence.proxy.async.shared::cta;
// PTX-NEXT: bar.sync 0;
// PTX: ld.shared.b32 %r{{[0-9]+}}, [taddr];
// PTX: elect.sync
// The descriptor without its start address, then the copies.
// PTX: or.b64 %rd{{[0-9]+}}, %rd{{[0-9]+}}, 4611756662049538048;
// PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+}}], %rd{{[0-9]+}};
// PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+(\+8)?}}], %rd{{[0-9]+}};
// PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+(\+16)?}}], %rd{{[0-9]+}};
// PTX: tcgen05.cp.cta_group::1.128x256b [%r{{[0-9]+(\+24)?}}], %rd{{[0-9]+}};
// PTX-NOT: tcgen05.cp
// PTX: tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [copied];
// PTX: mbarrier.try_wait.parity.shared.b64 P1, [%r{{[0-9]+}}], 0, 1000000;
// PTX: tcgen05.fence::after_thread_sync;
// PTX: tcgen05.ld.sync.aligned.32x32b.x32.b32
// PTX: tcgen05.wait::ld.sync.aligned;
// PTX: tcgen05.fence::before_thread_sync;
// PTX-NEXT: bar.sync 0;
// PTX: tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
// PTX: tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r{{[0-9]+}}, %r{{[0-9]+}};
// PTX-NOT: tcgen05.cp

// One instruction per copy, and nothing else that looks like one; BRA.U.ANY would be a loop around a copy.
// COPIES: {{^4$}}
// SASS: UTCCP.T.S tmem[UR{{[0-9]+}}], gdesc[UR{{[0-9]+}}]
// SASS: UTCCP.T.S tmem[UR{{[0-9]+(\+0x8)?}}], gdesc[UR{{[0-9]+}}]
// SASS: UTCCP.T.S tmem[UR{{[0-9]+(\+0x10)?}}], gdesc[UR{{[0-9]+}}]
// SASS: UTCCP.T.S tmem[UR{{[0-9]+(\+0x18)?}}], gdesc[UR{{[0-9]+}}]
