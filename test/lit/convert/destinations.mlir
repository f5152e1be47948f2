// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=path=inline-asm | FileCheck %s --check-prefixes=CHECK,ASM

// Where a tensor memory address comes from. Each view is an i32 that LLVM cannot see through: ptxas
// 13.0.88 crashes over an instruction whose address is a literal.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#moved = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (0@lane, 16@col)>
#four = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col), offset = (5@lane, 8@col)>

// CHECK-LABEL: func.func @from_i32(
// CHECK-SAME:    %[[TADDR:[^:]*]]: i32,
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]]) : (i32) -> i32
// NVVM:          %[[A:.*]] = llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<6>
// NVVM-NEXT:     nvvm.tcgen05.cp %[[A]], %
// ASM:           llvm.inline_asm {{.*}} %[[BASE]], %
func.func @from_i32(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: func.func @from_a_pointer(
// CHECK-SAME:    %[[TADDR:[^:]*]]: !llvm.ptr<6>,
// CHECK-NEXT:    %[[I32:.*]] = llvm.ptrtoint %[[TADDR]] : !llvm.ptr<6> to i32
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[I32]]) : (i32) -> i32
// NVVM:          llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<6>
// ASM:           llvm.inline_asm {{.*}} %[[BASE]], %
func.func @from_a_pointer(%taddr: !llvm.ptr<6>, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : !llvm.ptr<6> to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: func.func @from_a_constant(
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[ZERO]]) : (i32) -> i32
// NVVM:          llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<6>
// ASM:           llvm.inline_asm {{.*}} %[[BASE]], %
func.func @from_a_constant(%s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %zero = arith.constant 0 : i32
  %t = tcgen05.view %zero : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// A layout's offset is added behind the register, where it folds into the instruction.
// CHECK-LABEL: func.func @offset(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[N:.*]] = arith.constant 16 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]] : i32
// NVVM-NEXT:     llvm.inttoptr %[[T]] : i32 to !llvm.ptr<6>
// ASM-NEXT:      llvm.inline_asm {{.*}} %[[T]], %
func.func @offset(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #moved, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #moved, 6>, memref<128x4xi32, #wg>
  return
}

// 5 lanes and 8 columns: 5 * 65536 + 8.
#four_src = #tcgen05.smem_layout<(4, (2, 4)) : (4, (32, 1))>
// CHECK-LABEL: func.func @lane_offset(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[N:.*]] = arith.constant 327688 : i32
// CHECK-NEXT:    arith.addi %[[BASE]], %[[N]] : i32
func.func @lane_offset(%taddr: i32, %buffer: memref<64xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<4x8xi32, #four, 6>
  %s = tcgen05.view %buffer : memref<64xi32, #wg> to memref<4x8xi32, #four_src, #wg>
  tcgen05.cp <shape_4x256b> %t, %s descriptor(<ldo = 128>) : memref<4x8xi32, #four, 6>, memref<4x8xi32, #four_src, #wg>
  return
}

// A view that nothing uses leaves no register behind.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:    return
func.func @unused(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  return
}
