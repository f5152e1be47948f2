// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// Indices choose leading dimensions of either operand. Constant ones fold into the distances,
// dynamic ones become arithmetic in index.

#wg = #gpu.address_space<workgroup>
#sf = #tcgen05.tmem_layout<(5, 2, 32, 4) : (8@col, 4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>

// 3 stages of 1024 bytes are 192 units, 4 of 8 columns are 32; the repeat adds 32 and 4.
// CHECK-LABEL: func.func @constant(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NOT:     arith.muli
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NEXT:    %[[N:.*]] = arith.constant 32 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
// CHECK-NEXT:    %[[M:.*]] = arith.constant 192 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
// CHECK-NEXT:    %[[N:.*]] = arith.constant 36 : i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[N]]
// CHECK-NEXT:    %[[M:.*]] = arith.constant 224 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
// CHECK-NEXT:    return
func.func @constant(%taddr: i32, %s: memref<4x2x32x4xi32, #wg> {llvm.align = 16}) {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %t = tcgen05.view %taddr : i32 to memref<5x2x32x4xi32, #sf, 6>
  tcgen05.cp <shape_32x128b> %t[%c4], %s[%c3] multicast(<warpx4>) descriptor(<sdo = 128>) : memref<5x2x32x4xi32, #sf, 6>, memref<4x2x32x4xi32, #wg>
  return
}

// The dynamic part goes into the address before the mask, the constant one is added after it.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[TADDR:.*]]: i32, %[[S:.*]]: memref<3x4x2x32x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[I:arg[0-9]+]]: index, %[[J:arg[0-9]+]]: index)
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// CHECK-NEXT:    %[[COLUMNS:.*]] = arith.constant 8 : index
// CHECK-NEXT:    %[[PRODUCT:.*]] = arith.muli %[[I]], %[[COLUMNS]] : index
// CHECK-NEXT:    %[[MOVED:.*]] = arith.index_cast %[[PRODUCT]] : index to i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[MOVED]] : i32
// CHECK-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
// CHECK-NEXT:    %[[BYTES:.*]] = arith.constant 4096 : index
// CHECK-NEXT:    %[[PRODUCT:.*]] = arith.muli %[[J]], %[[BYTES]] : index
// CHECK-NEXT:    %[[ADDRESS:.*]] = arith.addi %[[BUFFER]], %[[PRODUCT]] : index
// CHECK-NEXT:    arith.index_cast %[[ADDRESS]] : index to i64
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
// CHECK-NEXT:    %[[M:.*]] = arith.constant 64 : i64
// CHECK-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]]
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr %[[T]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[D]] {
func.func @dynamic(%taddr: i32, %s: memref<3x4x2x32x4xi32, #wg> {llvm.align = 16}, %i: index, %j: index) {
  %c1 = arith.constant 1 : index
  %t = tcgen05.view %taddr : i32 to memref<5x2x32x4xi32, #sf, 6>
  tcgen05.cp <shape_32x128b> %t[%i], %s[%j, %c1] multicast(<warpx4>) descriptor(<sdo = 128>) : memref<5x2x32x4xi32, #sf, 6>, memref<3x4x2x32x4xi32, #wg>
  return
}

// Two dynamic indices of one operand.
// CHECK-LABEL: func.func @two_of_one(
// CHECK-SAME:    %[[I:arg[0-9]+]]: index, %[[J:arg[0-9]+]]: index)
// CHECK:         %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index
// CHECK:         %[[C4096:.*]] = arith.constant 4096 : index
// CHECK-NEXT:    %[[LEFT:.*]] = arith.muli %[[I]], %[[C4096]]
// CHECK-NEXT:    %[[C1024:.*]] = arith.constant 1024 : index
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.muli %[[J]], %[[C1024]]
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT:    arith.addi %[[BUFFER]], %[[SUM]]
#pair = #tcgen05.tmem_layout<(2, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
func.func @two_of_one(%taddr: i32, %s: memref<3x4x2x32x4xi32, #wg> {llvm.align = 16}, %i: index, %j: index) {
  %t = tcgen05.view %taddr : i32 to memref<2x32x4xi32, #pair, 6>
  tcgen05.cp <shape_32x128b> %t, %s[%i, %j] multicast(<warpx4>) descriptor(<sdo = 128>) : memref<2x32x4xi32, #pair, 6>, memref<3x4x2x32x4xi32, #wg>
  return
}

// Nested modes under a dynamic index: index 3 of (2, 4) is (0, 3), so the fast mode is the
// remainder by 4 and the slow one the quotient. Lanes are 65536 apart.
#nested = #tcgen05.tmem_layout<((2, 4), 4, 8) : ((1@lane, 8@col), 32@lane, 1@col)>
#nested_src = #tcgen05.smem_layout<((2, 4), 4, (2, 4)) : ((512, 64), 4, (32, 1))>
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:    %[[I:arg[0-9]+]]: index)
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[FAST:.*]] = arith.remui %[[I]], %[[C4]] : index
// CHECK-NEXT:    %[[SLOW:.*]] = arith.divui %[[I]], %[[C4]] : index
// CHECK-NEXT:    %[[LANE:.*]] = arith.constant 65536 : index
// CHECK-NEXT:    %[[LANES:.*]] = arith.muli %[[SLOW]], %[[LANE]] : index
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:    %[[COLUMNS:.*]] = arith.muli %[[FAST]], %[[C8]] : index
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[LANES]], %[[COLUMNS]] : index
// CHECK-NEXT:    %[[MOVED:.*]] = arith.index_cast %[[SUM]] : index to i32
// CHECK-NEXT:    %[[T:.*]] = arith.addi %[[BASE]], %[[MOVED]] : i32
// CHECK-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:    %[[FAST:.*]] = arith.remui %[[I]], %[[C4]] : index
// CHECK-NEXT:    %[[SLOW:.*]] = arith.divui %[[I]], %[[C4]] : index
// CHECK-NEXT:    %[[C2048:.*]] = arith.constant 2048 : index
// CHECK-NEXT:    %[[LEFT:.*]] = arith.muli %[[SLOW]], %[[C2048]] : index
// CHECK-NEXT:    %[[C256:.*]] = arith.constant 256 : index
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.muli %[[FAST]], %[[C256]] : index
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[LEFT]], %[[RIGHT]] : index
// CHECK-NEXT:    arith.addi %[[BUFFER]], %[[SUM]] : index
func.func @nested(%taddr: i32, %buffer: memref<1024xi32, #wg> {llvm.align = 16}, %i: index) {
  %t = tcgen05.view %taddr : i32 to memref<8x4x8xi32, #nested, 6>
  %s = tcgen05.view %buffer : memref<1024xi32, #wg> to memref<8x4x8xi32, #nested_src, #wg>
  tcgen05.cp <shape_4x256b> %t[%i], %s[%i] descriptor(<ldo = 128>) : memref<8x4x8xi32, #nested, 6>, memref<8x4x8xi32, #nested_src, #wg>
  return
}

// A dynamic index that moves down: the layout's offset, 128 words, joins the address before the
// mask, since the address without it may be below 0.
#down = #tcgen05.smem_layout<(2, (4, 8), 4) : (-128, (32, 4), 1), offset = 128>
#rows = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-LABEL: func.func @negative_stride(
// CHECK-SAME:    %[[I:arg[0-9]+]]: index)
// CHECK:         %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index
// CHECK-NEXT:    %[[C:.*]] = arith.constant -512 : index
// CHECK-NEXT:    %[[MOVED:.*]] = arith.muli %[[I]], %[[C]] : index
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[BUFFER]], %[[MOVED]] : index
// CHECK-NEXT:    %[[OFFSET:.*]] = arith.constant 512 : index
// CHECK-NEXT:    %[[ADDRESS:.*]] = arith.addi %[[SUM]], %[[OFFSET]] : index
// CHECK-NEXT:    arith.index_cast %[[ADDRESS]] : index to i64
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NEXT:    %[[A:.*]] = llvm.inttoptr
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A]], %[[DESC]] {
func.func @negative_stride(%taddr: i32, %buffer: memref<256xi32, #wg> {llvm.align = 16}, %i: index) {
  %t = tcgen05.view %taddr : i32 to memref<32x4xi32, #rows, 6>
  %s = tcgen05.view %buffer : memref<256xi32, #wg> to memref<2x32x4xi32, #down, #wg>
  tcgen05.cp <shape_32x128b> %t, %s[%i] multicast(<warpx4>) descriptor(<sdo = 128>) : memref<32x4xi32, #rows, 6>, memref<2x32x4xi32, #down, #wg>
  return
}
