// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=path=inline-asm | FileCheck %s --check-prefixes=CHECK,ASM

// The six forms, both CTA groups, the three formats: attributes of NVVM's operation, and PTX text.
// Each form with each group and format is in test/unit/lowering/test_lowering_every_instruction.py.

#wg = #gpu.address_space<workgroup>

#wide_src = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
#wide = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
// CHECK-LABEL: func.func @form_128x256b(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.128x256b [$0], $1;", "r,l,~{memory}" %
func.func @form_128x256b(%taddr: i32, %buffer: memref<1024xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x8xi32, #wide, 6>
  %s = tcgen05.view %buffer : memref<1024xi32, #wg> to memref<128x8xi32, #wide_src, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<ldo = 128, sdo = 256>) : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #wide_src, #wg>
  return
}

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// CHECK-LABEL: func.func @form_128x128b(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {group = #nvvm.cta_group<cta_2>, shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::2.128x128b [$0], $1;", "r,l,~{memory}" %
func.func @form_128x128b(%taddr: i32, %s: memref<128x4xf32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xf32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s cta_group(<cta_2>) descriptor(<sdo = 128>) : memref<128x4xf32, #tile, 6>, memref<128x4xf32, #wg>
  return
}

#four_src = #tcgen05.smem_layout<(4, (2, 4)) : (4, (32, 1))>
#four = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
// CHECK-LABEL: func.func @form_4x256b(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.4x256b.b8x16.b4x16_p64 [$0], $1;", "r,l,~{memory}" %
func.func @form_4x256b(%taddr: i32, %buffer: memref<64xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<4x8xi32, #four, 6>
  %s = tcgen05.view %buffer : memref<64xi32, #wg> to memref<4x8xi32, #four_src, #wg>
  tcgen05.cp <shape_4x256b> %t, %s src_format(<b4x16_p64>) descriptor(<ldo = 128>) : memref<4x8xi32, #four, 6>, memref<4x8xi32, #four_src, #wg>
  return
}

#halves = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
// CHECK-LABEL: func.func @form_64x128b_02_13(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [$0], $1;", "r,l,~{memory}" %
func.func @form_64x128b_02_13(%taddr: i32, %s: memref<64x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<64x4xi32, #halves, 6>
  tcgen05.cp <shape_64x128b> %t, %s multicast(<warpx2_02_13>) descriptor(<sdo = 128>) : memref<64x4xi32, #halves, 6>, memref<64x4xi32, #wg>
  return
}

#pairs = #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>
// CHECK-LABEL: func.func @form_64x128b_01_23(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>, shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b6x16_p32>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.64x128b.warpx2::01_23.b8x16.b6x16_p32 [$0], $1;", "r,l,~{memory}" %
func.func @form_64x128b_01_23(%taddr: i32, %s: memref<64x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<64x4xi32, #pairs, 6>
  tcgen05.cp <shape_64x128b> %t, %s multicast(<warpx2_01_23>) src_format(<b6x16_p32>) descriptor(<sdo = 128>) : memref<64x4xi32, #pairs, 6>, memref<64x4xi32, #wg>
  return
}

#sf = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @form_32x128b(
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %{{.*}} {group = #nvvm.cta_group<cta_2>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::2.32x128b.warpx4.b8x16.b4x16_p64 [$0], $1;", "r,l,~{memory}" %
func.func @form_32x128b(%taddr: i32, %s: memref<32x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<32x4xi32, #sf, 6>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) cta_group(<cta_2>) src_format(<b4x16_p64>) descriptor(<sdo = 128>) : memref<32x4xi32, #sf, 6>, memref<32x4xi32, #wg>
  return
}
