// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// A discardable attribute without a dialect's prefix is nearly always a misspelt name.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @misspelt(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'multicst'; did you mean 'multicast'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.multicst'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {multicst = 1 : i32} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @another_convention(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'srcFormat'; did you mean 'src_format'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.srcFormat'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {srcFormat = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @shortened(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'desc'; did you mean 'descriptor'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.desc'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {desc = #tcgen05.smem_desc<sdo = 128>} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @lengthened(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'smem_descriptor'; did you mean 'descriptor'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.smem_descriptor'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {smem_descriptor = #tcgen05.smem_desc<sdo = 128>} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @like_nothing(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'dispatch'{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.dispatch'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {dispatch} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

// A name of a clause is not a property that 'view' has, and a name is judged before the types.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @view(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op has no attribute 'align'; did you mean 'alignment'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.align'{{$}}}}
  %0 = tcgen05.view %a {align = 16} : i32 to memref<128x4xi32, 6>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @address(%t: memref<128x4xi32, #tile, 6>) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op has no attribute 'alignment'{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.alignment'{{$}}}}
  %0 = tcgen05.address %t {alignment = 16} : memref<128x4xi32, #tile, 6> -> i32
  return
}

// -----

// The generic form, with properties and with the attribute dictionary of old.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @generic(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'multicst'; did you mean 'multicast'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.multicst'{{$}}}}
  "tcgen05.cp"(%dst, %src) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> {multicst = #nvvm.tcgen05_cp_multicast<none>}
      : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @generic_dictionary(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'cta_groups'; did you mean 'cta_group'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.cta_groups'{{$}}}}
  "tcgen05.cp"(%dst, %src) {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, cta_groups = #nvvm.cta_group<cta_2>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}
      : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @generic_view(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op has no attribute 'aligned'; did you mean 'alignment'?{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.aligned'{{$}}}}
  %0 = "tcgen05.view"(%a) {aligned = 1024 : i64} : (!llvm.ptr<3>) -> memref<128x4xi32, 3>
  return
}

// -----

// The counts of operands are nobody's to write, so they are nothing to mean.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @operand_counts(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op has no attribute 'operandSegment'{{$}}}}
  // expected-note-re @below {{{{^}}attributes of other dialects carry their prefix, such as 'mydialect.operandSegment'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src {operandSegment = array<i32: 1>} : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}
