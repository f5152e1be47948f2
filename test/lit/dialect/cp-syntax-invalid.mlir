// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// Text that is no copy: our own parser's messages whole, then what upstream says of the rest.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @multicast_twice(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' 'multicast' is given twice{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src multicast(<none>) multicast(<none>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @cta_group_twice(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' 'cta_group' is given twice{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src cta_group(<cta_1>) multicast(<none>) cta_group(<cta_2>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @src_format_twice(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' 'src_format' is given twice{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src src_format(<b4x16_p64>) src_format(<b6x16_p32>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @descriptor_twice(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' 'descriptor' is given twice{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(<sdo = 128>) descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @predicate_twice(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>, %p: i1, %q: i1) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' 'predicate' is given twice{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src predicate(%p) predicate(%q) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @unknown_clause(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}expected ':'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src multicas(<none>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @clause_without_value(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}expected '('{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src multicast : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @wrong_attribute(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' invalid kind of attribute specified{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(#tile) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @wrong_enum(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error @below {{invalid kind of attribute specified}}
  tcgen05.cp <shape_128x128b> %dst, %src multicast(#nvvm.cta_group<cta_1>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @unknown_shape(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error @below {{expected ::mlir::NVVM::Tcgen05CpShape to be one of: shape_128x256b, shape_4x256b, shape_128x128b, shape_64x128b, shape_32x128b}}
  // expected-error @below {{failed to parse Tcgen05CpShapeAttr parameter 'value'}}
  tcgen05.cp <shape_16x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @predicate_is_no_flag(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>, %p: i32) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%p' expects different type than prior uses: 'i1' vs 'i32'}}
  tcgen05.cp <shape_128x128b> %dst, %src predicate(%p) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

func.func @no_memref(%dst: i32, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' invalid kind of type specified: expected builtin.memref, but found 'i32'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : i32, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @unranked(%dst: memref<128x4xi32, #tile, 6>, %src: memref<*xi32, 3>) {
  // expected-error-re @below {{{{^}}custom op 'tcgen05.cp' invalid kind of type specified: expected builtin.memref, but found 'memref<*xi32, 3>'{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<*xi32, 3>
  return
}

// -----

// The generic form: nothing in it ends the process.

func.func @nothing() {
  // expected-error @below {{'tcgen05.cp' op expected 2 or more operands, but found 0}}
  "tcgen05.cp"() : () -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @no_shape(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op requires attribute 'shape'{{$}}}}
  "tcgen05.cp"(%dst, %src) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @segments_do_not_add_up(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error @below {{'tcgen05.cp' op operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
  "tcgen05.cp"(%dst, %src) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 1>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @no_source(%dst: memref<128x4xi32, #tile, 6>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must be one operand each, got 1 and 0{{$}}}}
  "tcgen05.cp"(%dst, %i) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (memref<128x4xi32, #tile, 6>, index) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @two_destinations(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must be one operand each, got 2 and 1{{$}}}}
  "tcgen05.cp"(%dst, %dst, %src) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 2, 0, 1, 0, 0>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @negative_segment(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error @below {{'tcgen05.cp' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "tcgen05.cp"(%dst, %src) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 1, -1, 1, 1, 0>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @two_predicates(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>, %p: i1) {
  // expected-error @below {{'tcgen05.cp' op operand group starting at #2 requires 0 or 1 element, but found 2}}
  "tcgen05.cp"(%dst, %src, %p, %p) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, operandSegmentSizes = array<i32: 1, 0, 1, 0, 2>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>, i1, i1) -> ()
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @wrong_property(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error @below {{Invalid attribute `descriptor` in property conversion: #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>}}
  "tcgen05.cp"(%dst, %src) <{shape = #nvvm.tcgen05_cp_shape<shape_128x128b>, descriptor = #tile, operandSegmentSizes = array<i32: 1, 0, 1, 0, 0>}> : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}

// -----

func.func @wrong_alignment(%a: !llvm.ptr<3>) {
  // expected-error @below {{'tcgen05.view' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "tcgen05.view"(%a) <{alignment = 16 : i32}> : (!llvm.ptr<3>) -> memref<128x4xi32, 3>
  return
}

// -----

func.func @view_of_another_type(%a: !llvm.ptr<3>) {
  // expected-error @below {{'tcgen05.view' op result #0 must be memref of any type values, but got 'i64'}}
  %0 = "tcgen05.view"(%a) : (!llvm.ptr<3>) -> i64
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @address_of_another_type(%t: memref<128x4xi32, #tile, 6>) {
  // expected-error @below {{'tcgen05.address' op result #0 must be 32-bit signless integer, but got 'i64'}}
  %0 = tcgen05.address %t : memref<128x4xi32, #tile, 6> -> i64
  return
}

// -----

// expected-error @below {{unknown attribute `tmem_layouts` in dialect `tcgen05`}}
func.func private @f() attributes {a = #tcgen05.tmem_layouts<(4) : (1@lane)>}
