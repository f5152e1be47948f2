// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// A view's buffer may have any elements: bytes are bytes. Where a subview has moved the buffer, its
// offset counts elements as LLVM lays them out, and here it is 64 bytes or 4 units each time. The
// sizes are compared with LLVM's in test/unit/lowering/test_lowering_elements.py.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 4) : (4, 1)>


// i8: bytes.
memref.global "private" @i8 : memref<4096xi8, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_i8(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_i8(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @i8 : memref<4096xi8, #wg>
  %b = memref.subview %g[64] [4032] [1]
      : memref<4096xi8, #wg> to memref<4032xi8, strided<[1], offset: 64>, #wg>
  %s = tcgen05.view %b
      : memref<4032xi8, strided<[1], offset: 64>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// f16: two bytes.
memref.global "private" @f16 : memref<2048xf16, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_f16(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_f16(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @f16 : memref<2048xf16, #wg>
  %b = memref.subview %g[32] [2016] [1]
      : memref<2048xf16, #wg> to memref<2016xf16, strided<[1], offset: 32>, #wg>
  %s = tcgen05.view %b
      : memref<2016xf16, strided<[1], offset: 32>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// i4: a nibble takes a byte.
memref.global "private" @i4 : memref<4096xi4, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_i4(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_i4(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @i4 : memref<4096xi4, #wg>
  %b = memref.subview %g[64] [4032] [1]
      : memref<4096xi4, #wg> to memref<4032xi4, strided<[1], offset: 64>, #wg>
  %s = tcgen05.view %b
      : memref<4032xi4, strided<[1], offset: 64>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// i1: so does a bit.
memref.global "private" @i1 : memref<4096xi1, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_i1(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_i1(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @i1 : memref<4096xi1, #wg>
  %b = memref.subview %g[64] [4032] [1]
      : memref<4096xi1, #wg> to memref<4032xi1, strided<[1], offset: 64>, #wg>
  %s = tcgen05.view %b
      : memref<4032xi1, strided<[1], offset: 64>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// f8E4M3FN: one byte.
memref.global "private" @f8E4M3FN : memref<4096xf8E4M3FN, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_f8E4M3FN(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_f8E4M3FN(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @f8E4M3FN : memref<4096xf8E4M3FN, #wg>
  %b = memref.subview %g[64] [4032] [1]
      : memref<4096xf8E4M3FN, #wg> to memref<4032xf8E4M3FN, strided<[1], offset: 64>, #wg>
  %s = tcgen05.view %b
      : memref<4032xf8E4M3FN, strided<[1], offset: 64>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// i24: three bytes take four.
memref.global "private" @i24 : memref<1024xi24, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_i24(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_i24(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @i24 : memref<1024xi24, #wg>
  %b = memref.subview %g[16] [1008] [1]
      : memref<1024xi24, #wg> to memref<1008xi24, strided<[1], offset: 16>, #wg>
  %s = tcgen05.view %b
      : memref<1008xi24, strided<[1], offset: 16>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// f64: eight.
memref.global "private" @f64 : memref<512xf64, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_f64(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_f64(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @f64 : memref<512xf64, #wg>
  %b = memref.subview %g[8] [504] [1]
      : memref<512xf64, #wg> to memref<504xf64, strided<[1], offset: 8>, #wg>
  %s = tcgen05.view %b
      : memref<504xf64, strided<[1], offset: 8>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// index: eight.
memref.global "private" @index : memref<512xindex, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_index(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_index(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @index : memref<512xindex, #wg>
  %b = memref.subview %g[8] [504] [1]
      : memref<512xindex, #wg> to memref<504xindex, strided<[1], offset: 8>, #wg>
  %s = tcgen05.view %b
      : memref<504xindex, strided<[1], offset: 8>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// vector<4xf32>: sixteen.
memref.global "private" @v4f32 : memref<256xvector<4xf32>, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_v4f32(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_v4f32(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @v4f32 : memref<256xvector<4xf32>, #wg>
  %b = memref.subview %g[4] [252] [1]
      : memref<256xvector<4xf32>, #wg> to memref<252xvector<4xf32>, strided<[1], offset: 4>, #wg>
  %s = tcgen05.view %b
      : memref<252xvector<4xf32>, strided<[1], offset: 4>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// vector<3xf32>: twelve take sixteen.
memref.global "private" @v3f32 : memref<256xvector<3xf32>, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_v3f32(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_v3f32(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @v3f32 : memref<256xvector<3xf32>, #wg>
  %b = memref.subview %g[4] [252] [1]
      : memref<256xvector<3xf32>, #wg> to memref<252xvector<3xf32>, strided<[1], offset: 4>, #wg>
  %s = tcgen05.view %b
      : memref<252xvector<3xf32>, strided<[1], offset: 4>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// vector<2x3xf16>: two rows of six bytes that take eight each.
memref.global "private" @v2x3f16 : memref<256xvector<2x3xf16>, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_v2x3f16(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_v2x3f16(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @v2x3f16 : memref<256xvector<2x3xf16>, #wg>
  %b = memref.subview %g[4] [252] [1]
      : memref<256xvector<2x3xf16>, #wg> to memref<252xvector<2x3xf16>, strided<[1], offset: 4>, #wg>
  %s = tcgen05.view %b
      : memref<252xvector<2x3xf16>, strided<[1], offset: 4>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// vector<8xi4>: packed in a vector: four bytes.
memref.global "private" @v8i4 : memref<1024xvector<8xi4>, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_v8i4(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_v8i4(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @v8i4 : memref<1024xvector<8xi4>, #wg>
  %b = memref.subview %g[16] [1008] [1]
      : memref<1024xvector<8xi4>, #wg> to memref<1008xvector<8xi4>, strided<[1], offset: 16>, #wg>
  %s = tcgen05.view %b
      : memref<1008xvector<8xi4>, strided<[1], offset: 16>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// complex<f32>: two of four.
memref.global "private" @c64 : memref<512xcomplex<f32>, #wg> {alignment = 16}
// CHECK-LABEL: func.func @of_c64(
// CHECK:         %[[B:.*]] = memref.subview
// CHECK-NEXT:    memref.extract_aligned_pointer_as_index %[[B]]
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    arith.addi %[[FIRST]], %[[N]] : i64
func.func @of_c64(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @c64 : memref<512xcomplex<f32>, #wg>
  %b = memref.subview %g[8] [504] [1]
      : memref<512xcomplex<f32>, #wg> to memref<504xcomplex<f32>, strided<[1], offset: 8>, #wg>
  %s = tcgen05.view %b
      : memref<504xcomplex<f32>, strided<[1], offset: 8>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// A dynamic offset is multiplied by the same size.
// CHECK-LABEL: func.func @dynamic_offset(
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata
// CHECK-NEXT:    %[[SIZE:.*]] = arith.constant 16 : index
// CHECK-NEXT:    arith.muli %[[OFFSET]], %[[SIZE]] : index
func.func @dynamic_offset(%taddr: i32, %i: index) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %g = memref.get_global @v3f32 : memref<256xvector<3xf32>, #wg>
  %b = memref.subview %g[%i] [128] [1]
      : memref<256xvector<3xf32>, #wg> to memref<128xvector<3xf32>, strided<[1], offset: ?>, #wg>
  %s = tcgen05.view %b
      : memref<128xvector<3xf32>, strided<[1], offset: ?>, #wg> to memref<128x4xi32, #src, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #src, #wg>
  return
}

// f32 on both sides.
memref.global "private" @floats : memref<128x4xf32, #wg> {alignment = 16}
// CHECK-LABEL: func.func @floats_to_floats(
// CHECK:         nvvm.tcgen05.cp
func.func @floats_to_floats(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xf32, #tile, 6>
  %s = memref.get_global @floats : memref<128x4xf32, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xf32, #tile, 6>, memref<128x4xf32, #wg>
  return
}
