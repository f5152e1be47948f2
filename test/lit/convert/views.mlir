// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// The accepted siblings of views-invalid.mlir: addresses and plain buffers go anywhere, and the
// view is taken where it is used.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>

// CHECK-LABEL: func.func @block_argument(
// CHECK:       ^bb1(%[[A:.*]]: i32):
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[A]])
// CHECK:         nvvm.tcgen05.cp
func.func @block_argument(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  cf.br ^bb1(%taddr : i32)
^bb1(%a: i32):
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: func.func @iter_args(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %
// CHECK-NEXT:      llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[A]])
// CHECK:           nvvm.tcgen05.cp
func.func @iter_args(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %taddr) -> i32 {
    %t = tcgen05.view %a : i32 to memref<128x4xi32, #tile, 6>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    scf.yield %a : i32
  }
  return
}

// CHECK-LABEL: func.func @select(
// CHECK:         %[[A:.*]] = arith.select
// CHECK-NEXT:    llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[A]])
// CHECK:         nvvm.tcgen05.cp
func.func @select(%p: i1, %a: i32, %b: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %c = arith.select %p, %a, %b : i32
  %t = tcgen05.view %c : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// The buffer behind a view is used at will, before and after, and by several views.
// CHECK-LABEL: func.func @buffer(
// CHECK-SAME:    %[[B:arg[0-9]+]]: memref<512xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[I:.*]]: index)
// CHECK:         memref.load %[[B]][%[[I]]]
// CHECK:         call @callee(%[[B]])
// CHECK:         nvvm.tcgen05.cp
// CHECK-NOT:     tcgen05.view
func.func private @callee(memref<512xi32, #wg>)
func.func @buffer(%taddr: i32, %b: memref<512xi32, #wg> {llvm.align = 16}, %i: index) -> i32 {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %b : memref<512xi32, #wg> to memref<128x4xi32, #rows, #wg>
  %u = tcgen05.view %b : memref<512xi32, #wg> to memref<128x4xi32, #rows, #wg>
  %x = memref.load %b[%i] : memref<512xi32, #wg>
  func.call @callee(%b) : (memref<512xi32, #wg>) -> ()
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return %x : i32
}

// Local memory is allocated as ever.
// CHECK-LABEL: func.func @local(
// CHECK:         memref.alloca() : memref<4xi32>
func.func @local(%taddr: i32) -> i32 {
  %a = memref.alloca() : memref<4xi32>
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %b = tcgen05.address %t : memref<128x4xi32, #tile, 6> -> i32
  return %b : i32
}
