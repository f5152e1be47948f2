// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=path=inline-asm | FileCheck %s --check-prefixes=CHECK,ASM

// A predicate gates the copies and nothing else: by a branch around NVVM's operations, by @p on
// each instruction of inline assembly.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
#wg = #gpu.address_space<workgroup>

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[TADDR:.*]]: i32, %[[SRC:.*]]: memref<2x128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[P:.*]]: i1)
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// NVVM-NEXT:     scf.if %[[P]] {
// NVVM-NEXT:       memref.extract_aligned_pointer_as_index
// NVVM:            nvvm.tcgen05.cp
// NVVM:            nvvm.tcgen05.cp %{{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// NVVM-NEXT:     }
// ASM-NEXT:      memref.extract_aligned_pointer_as_index
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "@$2 tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l,b,~{memory}" %{{.*}}, %{{.*}}, %[[P]] : (i32, i64, i1) -> ()
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "@$2 tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l,b,~{memory}" %{{.*}}, %{{.*}}, %[[P]] : (i32, i64, i1) -> ()
// CHECK-NEXT:    return
func.func @dynamic(%taddr: i32, %src: memref<2x128x4xi32, #wg> {llvm.align = 16}, %p: i1) {
  %t = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, 6>
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) predicate(%p) : memref<2x128x4xi32, #two, 6>, memref<2x128x4xi32, #wg>
  return
}

// A predicate that comes from another block.
// CHECK-LABEL: func.func @block_argument(
// CHECK:       ^bb1(%[[P:.*]]: i1):
// NVVM:          scf.if %[[P]] {
// ASM:           llvm.inline_asm {{.*}}"@$2 {{.*}}, %[[P]] :
func.func @block_argument(%taddr: i32, %src: memref<128x4xi32, #wg> {llvm.align = 16}, %q: i1) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  cf.br ^bb1(%q : i1)
^bb1(%p: i1):
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) predicate(%p) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: func.func @always(
// CHECK-NOT:     scf.if
// NVVM:          nvvm.tcgen05.cp
// ASM:           llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l,~{memory}"
// CHECK:         return
func.func @always(%taddr: i32, %src: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %true = arith.constant true
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) predicate(%true) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: func.func @never(
// CHECK-SAME:    %[[TADDR:.*]]: i32,
// CHECK-NEXT:    arith.constant false
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// CHECK-NEXT:    return
func.func @never(%taddr: i32, %src: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %false = arith.constant false
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) predicate(%false) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: llvm.func @an_llvm_constant(
// CHECK-NOT:     scf.if
// CHECK-NOT:     tcgen05.cp
// CHECK:         llvm.return
llvm.func @an_llvm_constant(%taddr: i32, %buffer: !llvm.ptr<3>) {
  %false = llvm.mlir.constant(false) : i1
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %buffer alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) predicate(%false) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  llvm.return
}
