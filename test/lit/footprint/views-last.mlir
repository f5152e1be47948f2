// RUN: tcgen05-opt %s --tcgen05-verify-footprint --split-input-file --verify-diagnostics

// L4: a tcgen05.view is the last of the operations that make a source.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
func.func @subview_of_a_view(%a: i32, %b: memref<4096xi8, 3>) {
  %t = tcgen05.view %a : i32 to !T
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %v = tcgen05.view %b alignment(16) : memref<4096xi8, 3> to memref<256x4xf32, 3>
  %s = memref.subview %v[128, 0] [128, 4] [1, 1] : memref<256x4xf32, 3> to memref<128x4xf32, strided<[4, 1], offset: 512>, 3>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be a tcgen05.view itself or a buffer, got the result of 'memref.subview', which is taken of a tcgen05.view [L4]{{$}}}}
  // expected-note-re @below {{{{^}}views come last: take the subview, cast or reshape of the buffer behind the view, and the tcgen05.view of that{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : !T, memref<128x4xf32, strided<[4, 1], offset: 512>, 3>
  return
}

// -----

// The view of the subview.
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
func.func @view_of_a_subview(%a: i32, %b: memref<4096xi8, 3> {llvm.align = 16 : i64}) {
  %t = tcgen05.view %a : i32 to !T
  %s = memref.subview %b[2048] [2048] [1] : memref<4096xi8, 3> to memref<2048xi8, strided<[1], offset: 2048>, 3>
  %v = tcgen05.view %s alignment(16) : memref<2048xi8, strided<[1], offset: 2048>, 3> to memref<128x4xf32, 3>
  tcgen05.cp <shape_128x128b> %t, %v descriptor(<ldo = 16, sdo = 128>) : !T, memref<128x4xf32, 3>
  return
}
