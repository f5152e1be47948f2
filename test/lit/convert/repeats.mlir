// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// One instruction per repeat, in row-major order: the last repeat dimension is the fastest. The
// distances show it: columns in the address, units of 16 bytes in the descriptor.

#wg = #gpu.address_space<workgroup>

#none = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @no_dimension(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[BASE]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[DESC]] {
// CHECK-NEXT:    return
func.func @no_dimension(%taddr: i32, %s: memref<32x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<32x4xi32, #none, 6>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<32x4xi32, #none, 6>, memref<32x4xi32, #wg>
  return
}

#one = #tcgen05.tmem_layout<(3, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @one_dimension(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NEXT:    %[[A0:.*]] = llvm.inttoptr %[[BASE]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A0]], %[[DESC]] {
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
// CHECK-NEXT:    %[[M:.*]] = arith.constant 32 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
// CHECK-NEXT:    %[[N:.*]] = arith.constant 8 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[M:.*]] = arith.constant 64 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
// CHECK-NEXT:    return
func.func @one_dimension(%taddr: i32, %s: memref<3x32x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<3x32x4xi32, #one, 6>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<3x32x4xi32, #one, 6>, memref<3x32x4xi32, #wg>
  return
}

// Tensor memory is column-major here, shared memory row-major: (0, 0), (0, 1), (1, 0), (1, 1).
#two = #tcgen05.tmem_layout<(2, 2, 32, 4) : (4@col, 8@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @two_dimensions(
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 8 : i32
// CHECK:         arith.constant 32 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 4 : i32
// CHECK:         arith.constant 64 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 12 : i32
// CHECK:         arith.constant 96 : i64
// CHECK:         nvvm.tcgen05.cp {{.*}}
// CHECK-NEXT:    return
func.func @two_dimensions(%taddr: i32, %s: memref<2x2x32x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<2x2x32x4xi32, #two, 6>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<2x2x32x4xi32, #two, 6>, memref<2x2x32x4xi32, #wg>
  return
}

// A dimension of one repeat adds nothing, whatever its stride.
#three = #tcgen05.tmem_layout<(2, 1, 2, 32, 4) : (8@col, 4@col, 4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @three_dimensions(
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 4 : i32
// CHECK:         arith.constant 32 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 8 : i32
// CHECK:         arith.constant 64 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 12 : i32
// CHECK:         arith.constant 96 : i64
// CHECK:         nvvm.tcgen05.cp {{.*}}
// CHECK-NEXT:    return
func.func @three_dimensions(%taddr: i32, %s: memref<2x1x2x32x4xi32, strided<[256, 7, 128, 4, 1]>, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<2x1x2x32x4xi32, #three, 6>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<2x1x2x32x4xi32, #three, 6>, memref<2x1x2x32x4xi32, strided<[256, 7, 128, 4, 1]>, #wg>
  return
}

// Nested modes on both sides, nested alike or not: shared 0, 64, 32, 96; columns 0, 4, 8, 12.
#nested_src = #tcgen05.smem_layout<((2, 2), (4, 8), 4) : ((128, 256), (32, 4), 1)>
#nested = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @nested(
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 4 : i32
// CHECK:         arith.constant 64 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 8 : i32
// CHECK:         arith.constant 32 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 12 : i32
// CHECK:         arith.constant 96 : i64
// CHECK:         nvvm.tcgen05.cp {{.*}}
// CHECK-NEXT:    return
func.func @nested(%taddr: i32, %buffer: memref<512xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<4x32x4xi32, #nested, 6>
  %s = tcgen05.view %buffer : memref<512xi32, #wg> to memref<4x32x4xi32, #nested_src, #wg>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<4x32x4xi32, #nested, 6>, memref<4x32x4xi32, #nested_src, #wg>
  return
}

// Negative strides: the constant of the first repeat is the offset, the others are less.
#back_src = #tcgen05.smem_layout<(2, (4, 8), 4) : (-128, (32, 4), 1), offset = 128>
#back = #tcgen05.tmem_layout<(2, 32, 4) : (-4@col, 1@lane, 1@col), replicas = (4) : (32@lane), offset = (0@lane, 20@col)>
// CHECK-LABEL: func.func @negative_strides(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK:         %[[N:.*]] = arith.constant 20 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
// CHECK-NEXT:    %[[M:.*]] = arith.constant 32 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
// CHECK-NEXT:    %[[N:.*]] = arith.constant 16 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[DESC]] {
// CHECK-NEXT:    return
func.func @negative_strides(%taddr: i32, %buffer: memref<256xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<2x32x4xi32, #back, 6>
  %s = tcgen05.view %buffer : memref<256xi32, #wg> to memref<2x32x4xi32, #back_src, #wg>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<sdo = 128>) : memref<2x32x4xi32, #back, 6>, memref<2x32x4xi32, #back_src, #wg>
  return
}
