// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// Rule L2, whole: where a source starts and how it is laid out can be told. The accepted siblings are
// in sources.mlir.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#halves = affine_map<(d0, d1) -> ((d0 floordiv 64) * 512 + (d0 mod 64) * 4 + d1)>
func.func @no_strides(%taddr: i32, %s: memref<128x4xi32, #halves, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must have a strided layout or a #tcgen05.smem_layout, got affine_map<(d0, d1) -> ((d0 floordiv 64) * 512 + (d0 mod 64) * 4 + d1)> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}take a tcgen05.view of the buffer with the layout that it has{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #halves, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @dynamic_stride_of_repeats(%taddr: i32, %s: memref<2x128x4xi32, strided<[?, 4, 1]>, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, 6>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must have a static stride, got ? [L2]{{$}}}}
  // expected-note-re @below {{{{^}}only the strides of dimensions that an index chooses may be dynamic{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<2x128x4xi32, #two, 6>, memref<2x128x4xi32, strided<[?, 4, 1]>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @dynamic_layout_of_a_view(%taddr: i32, %b: memref<4096xi8, #wg> {llvm.align = 16}, %i: index) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %b : memref<4096xi8, #wg> to memref<2x128x4xi32, strided<[?, 4, 1]>, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must have a static layout where it is a tcgen05.view, got strided<[?, 4, 1]> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}nothing says what the ? of the view's type are: write them as numbers{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s[%i] descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<2x128x4xi32, strided<[?, 4, 1]>, #wg>
  %u = tcgen05.view %b : memref<4096xi8, #wg> to memref<128x4xi32, strided<[4, 1], offset: ?>, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must have a static layout where it is a tcgen05.view, got strided<[4, 1], offset: ?> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}nothing says what the ? of the view's type are: write them as numbers{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %u descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[4, 1], offset: ?>, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
#halves = affine_map<(d0) -> ((d0 floordiv 64) * 256 + d0 mod 64)>
func.func @view_of_a_buffer_without_strides(%taddr: i32, %b: memref<512xi32, #halves, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %b : memref<512xi32, #halves, #wg> to memref<128x4xi32, #rows, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be a tcgen05.view of a strided buffer, got one with affine_map<(d0) -> ((d0 floordiv 64) * 256 + d0 mod 64)> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}take the tcgen05.view of the buffer that it comes from{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @elements_of_no_known_size(%taddr: i32, %b: memref<8xmemref<4xi32>, strided<[1], offset: 2>, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %b : memref<8xmemref<4xi32>, strided<[1], offset: 2>, #wg> to memref<128x4xi32, #rows, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be a tcgen05.view of a buffer that has no offset or elements of a known size, got elements of type memref<4xi32> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}take the tcgen05.view of the whole buffer, with an offset in its layout{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return
}

// -----

// Everything that is wrong in a module, in source order; nothing is changed.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @first(%taddr: i32, %s: memref<2x128x4xi32, strided<[?, 4, 1]>, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, 6>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must have a static stride, got ? [L2]{{$}}}}
  // expected-note-re @below {{{{^}}only the strides of dimensions that an index chooses may be dynamic{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<2x128x4xi32, #two, 6>, memref<2x128x4xi32, strided<[?, 4, 1]>, #wg>
  // expected-error-re @below {{{{^}}'memref.alloca' op result must be in generic or local memory, got #gpu.address_space<workgroup>, which is shared memory [T3]{{$}}}}
  // expected-note-re @below {{{{^}}declare it with memref.global or as a workgroup attribution of the gpu.func, or take it from gpu.dynamic_shared_memory{{$}}}}
  %b = memref.alloca() : memref<128x4xi32, #wg>
  return
}
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
func.func @second(%t: memref<128x4xi32, #tile, 6>, %i: index) -> i32 {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'view' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  %a = tcgen05.address %t : memref<128x4xi32, #tile, 6> -> i32
  return %a : i32
}
