// RUN: tcgen05-opt %s --tcgen05-verify-footprint --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// Numbers beyond all bounds are errors like others.

#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @stride(%a: i32, %m: memref<2x128x4xi32, strided<[4294967296, 4, 1]>, 3>, %i: index) {
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' 'stride' must be inside +-2147483647, got 4294967296 [L2]{{$}}}}
  // expected-note-re @below {{{{^}}nothing lies that far{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %m[%i] : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<2x128x4xi32, strided<[4294967296, 4, 1]>, 3>
  return
}

// -----

#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = 2147483647>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x4xi32, 3> {alignment = 16}
func.func @offset() {
  %a = arith.constant 2147483647 : i32
  %b = memref.get_global @tile : memref<128x4xi32, 3>
  %s = tcgen05.view %b : memref<128x4xi32, 3> to memref<128x4xi32, #src, 3>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' column origin must be a multiple of 4, got 65535 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}move it to one of columns 0 to 508{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must stay inside lanes 0..127, got lane 32767 for row 0, word 0 [F5]{{$}}}}
  // expected-note-re @below {{{{^}}128x128b reaches 128 lanes from the lane that it starts in{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must stay inside columns 0..511, got column 65535 for row 0, word 0 [F6]{{$}}}}
  // expected-note-re @below {{{{^}}start it further left, or copy less{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' origin must be a multiple of 16 bytes, got 8589934588 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}the descriptor holds it in units of 16 bytes; move the tile, or pad what repeats{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, 3>
  return
}
