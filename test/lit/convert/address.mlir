// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// tcgen05.address is the view's register plus a constant and, for dynamic indices, arithmetic in
// index. Indices that are left out are zero.

#rows = #tcgen05.tmem_layout<(128, 16) : (1@lane, 1@col)>
#stages = #tcgen05.tmem_layout<(2, 128, 16) : (16@col, 1@lane, 1@col), offset = (0@lane, 64@col)>

// CHECK-LABEL: func.func @none(
// CHECK-SAME:    %[[TADDR:.*]]: i32)
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]]) : (i32) -> i32
// CHECK-NEXT:    return %[[BASE]] : i32
func.func @none(%taddr: i32) -> i32 {
  %t = tcgen05.view %taddr : i32 to memref<128x16xi32, #rows, 6>
  %a = tcgen05.address %t : memref<128x16xi32, #rows, 6> -> i32
  return %a : i32
}

// The offset alone, 64, then with 1 of 16 columns, then with lane 96 of 65536 and column 3.
// CHECK-LABEL: func.func @constants(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 64 : i32
// CHECK-NEXT:    %[[A:.*]] = arith.addi %[[BASE]], %[[N]] : i32
// CHECK-NEXT:    %[[N:.*]] = arith.constant 80 : i32
// CHECK-NEXT:    %[[B:.*]] = arith.addi %[[BASE]], %[[N]] : i32
// CHECK-NEXT:    %[[N:.*]] = arith.constant 6291539 : i32
// CHECK-NEXT:    %[[C:.*]] = arith.addi %[[BASE]], %[[N]] : i32
// CHECK-NEXT:    return %[[A]], %[[B]], %[[C]] : i32, i32, i32
func.func @constants(%taddr: i32) -> (i32, i32, i32) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c96 = arith.constant 96 : index
  %t = tcgen05.view %taddr : i32 to memref<2x128x16xi32, #stages, 6>
  %a = tcgen05.address %t : memref<2x128x16xi32, #stages, 6> -> i32
  %b = tcgen05.address %t[%c1] : memref<2x128x16xi32, #stages, 6> -> i32
  %c = tcgen05.address %t[%c1, %c96, %c3] : memref<2x128x16xi32, #stages, 6> -> i32
  return %a, %b, %c : i32, i32, i32
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[TADDR:[^:]*]]: i32, %[[ROW:[^:]*]]: index, %[[WORD:[^:]*]]: index)
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// CHECK-NEXT:    %[[LANE:.*]] = arith.constant 65536 : index
// CHECK-NEXT:    %[[LANES:.*]] = arith.muli %[[ROW]], %[[LANE]] : index
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[LANES]], %[[WORD]] : index
// CHECK-NEXT:    %[[MOVED:.*]] = arith.index_cast %[[SUM]] : index to i32
// CHECK-NEXT:    %[[A:.*]] = arith.addi %[[BASE]], %[[MOVED]] : i32
// CHECK-NEXT:    return %[[A]] : i32
func.func @dynamic(%taddr: i32, %row: index, %word: index) -> i32 {
  %t = tcgen05.view %taddr : i32 to memref<128x16xi32, #rows, 6>
  %a = tcgen05.address %t[%row, %word] : memref<128x16xi32, #rows, 6> -> i32
  return %a : i32
}

// A row's nested mode: index 33 of (2, 32) is (1, 1), lane 65.
#pairs = #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>
// CHECK-LABEL: func.func @nested(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4259840 : i32
// CHECK-NEXT:    arith.addi %[[BASE]], %[[N]] : i32
func.func @nested(%taddr: i32) -> i32 {
  %c33 = arith.constant 33 : index
  %t = tcgen05.view %taddr : i32 to memref<64x4xi32, #pairs, 6>
  %a = tcgen05.address %t[%c33] : memref<64x4xi32, #pairs, 6> -> i32
  return %a : i32
}

// The view of an address: each is in a register of its own.
// CHECK-LABEL: func.func @view_of_an_address(
// CHECK-SAME:    %[[TADDR:[^:]*]]: i32, %[[I:[^:]*]]: index)
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// CHECK:         %[[MOVED:.*]] = arith.index_cast
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[BASE]], %[[MOVED]] : i32
// CHECK-NEXT:    %[[OFFSET:.*]] = arith.constant 64 : i32
// CHECK-NEXT:    %[[A:.*]] = arith.addi %[[SUM]], %[[OFFSET]] : i32
// CHECK-NEXT:    %[[INNER:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[A]])
// CHECK-NEXT:    %[[N:.*]] = arith.constant 4 : i32
// CHECK-NEXT:    %[[B:.*]] = arith.addi %[[INNER]], %[[N]] : i32
// CHECK-NEXT:    return %[[B]] : i32
func.func @view_of_an_address(%taddr: i32, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %t = tcgen05.view %taddr : i32 to memref<2x128x16xi32, #stages, 6>
  %a = tcgen05.address %t[%i] : memref<2x128x16xi32, #stages, 6> -> i32
  %u = tcgen05.view %a : i32 to memref<128x16xi32, #rows, 6>
  %b = tcgen05.address %u[%c0, %c4] : memref<128x16xi32, #rows, 6> -> i32
  return %b : i32
}
