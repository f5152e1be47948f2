// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

// A view outside of the loop: its register stays there, the address of the copy is computed where
// the copy is.
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
// CHECK-LABEL: func.func @view_outside_of_a_loop(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NEXT:    scf.for %[[I:.*]] = %
// CHECK-NEXT:      %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:      %[[MOVED:.*]] = arith.muli %[[I]], %[[C4]] : index
// CHECK-NEXT:      %[[I32:.*]] = arith.index_cast %[[MOVED]] : index to i32
// CHECK-NEXT:      arith.addi %[[BASE]], %[[I32]] : i32
// CHECK:           nvvm.tcgen05.cp
func.func @view_outside_of_a_loop(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, 6>
  scf.for %i = %c0 to %c2 step %c1 {
    tcgen05.cp <shape_128x128b> %t[%i], %s descriptor(<sdo = 128>)
        : memref<2x128x4xi32, #two, 6>, memref<128x4xi32, #wg>
  }
  return
}

// Blocks that nothing reaches are lowered too, whichever order they are in.
// CHECK-LABEL: func.func @unreachable(
// CHECK:       ^bb1:
// CHECK:         nvvm.tcgen05.cp
// CHECK:       ^bb2:
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK-NEXT:    cf.br ^bb1
func.func @unreachable(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  return
^bb1:
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  cf.br ^bb3
^bb2:
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  cf.br ^bb1
^bb3:
  return
}

// Every operation is where the one that it comes from was: nothing has an unknown place.
// LOC-NOT:     loc(unknown)
// LOC-LABEL: func.func @locations(
// LOC:         llvm.call_intrinsic {{.*}} loc("view")
// LOC-NEXT:    scf.if {{.*}} {
// LOC-NEXT:      memref.extract_aligned_pointer_as_index {{.*}} loc("copy")
// LOC-NEXT:      arith.index_cast {{.*}} loc("copy")
// LOC-NEXT:      arith.constant {{.*}} loc("copy")
// LOC-NEXT:      arith.shrui {{.*}} loc("copy")
// LOC-NEXT:      arith.constant {{.*}} loc("copy")
// LOC-NEXT:      arith.andi {{.*}} loc("copy")
// LOC-NEXT:      arith.constant {{.*}} loc("copy")
// LOC-NEXT:      arith.ori {{.*}} loc("copy")
// LOC-NEXT:      arith.constant {{.*}} loc("copy")
// LOC-NEXT:      arith.addi {{.*}} loc("copy")
// LOC-NEXT:      llvm.inttoptr {{.*}} loc("copy")
// LOC-NEXT:      nvvm.tcgen05.cp {{.*}} loc("copy")
// LOC-NEXT:    } loc("copy")
// LOC-NEXT:    arith.constant {{.*}} loc("address")
// LOC-NEXT:    arith.addi {{.*}} loc("address")
// LOC-NEXT:    return {{.*}} loc("return")
// LOC-NOT:     loc(unknown)
#moved = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (0@lane, 4@col)>
func.func @locations(%taddr: i32 loc("a"), %s: memref<128x4xi32, #wg> {llvm.align = 16} loc("b"), %p: i1 loc("c")) -> i32 {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #moved, 6> loc("view")
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) predicate(%p)
      : memref<128x4xi32, #moved, 6>, memref<128x4xi32, #wg> loc("copy")
  %a = tcgen05.address %t : memref<128x4xi32, #moved, 6> -> i32 loc("address")
  return %a : i32 loc("return")
} loc("function")
