// RUN: tcgen05-opt %s --tcgen05-infer-descriptors --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --tcgen05-verify-footprint --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// Sources that no descriptor reads: one error each, with the first fault of each mode.

// -----

// Rows of 20 bytes.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 4) : (5, 1)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x5xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @rows(%a: i32) {
  %b = memref.get_global @tile : memref<128x5xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<128x5xi32, #gpu.address_space<workgroup>> to memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must be one with which 128x128b reads 'src', found none [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 0: 'descriptor' must read row 1, word 0 at byte 20 of the root buffer, where 'src' has it, got byte 16 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 1: 'descriptor' must read row 1, word 0 at byte 20 of the root buffer, where 'src' has it, got byte 32 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 2: 'descriptor' must read row 1, word 0 at byte 20 of the root buffer, where 'src' has it, got byte 64 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 3: 'descriptor' must read row 1, word 0 at byte 20 of the root buffer, where 'src' has it, got byte 144 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}no descriptor reads this layout; 128x128b reads for example #tcgen05.smem_layout<((16, 8), (1, 4)) : ((32, 4), (32, 1))>{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// The layout's own mode comes first: a swizzled tile whose buffer is not known to be aligned.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x32xi32, #gpu.address_space<workgroup>> {alignment = 128}
func.func @alignment(%a: i32) {
  %b = memref.get_global @tile : memref<128x32xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must be one with which 128x256b reads 'src', found none [F9]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 3: 'src' root must be aligned to 1024 bytes with swizzle 3, got 128 (memref.global @tile) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 0: 'descriptor' must read row 1, word 0 at byte 144 of the root buffer, where 'src' has it, got byte 16 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 1: 'descriptor' must read row 1, word 0 at byte 144 of the root buffer, where 'src' has it, got byte 32 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}swizzle 2: 'descriptor' must read row 1, word 0 at byte 144 of the root buffer, where 'src' has it, got byte 64 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 1024 bytes; where it is known to be, say so by alignment(1024) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}
