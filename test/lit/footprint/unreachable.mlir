// RUN: tcgen05-opt %s --tcgen05-verify-footprint --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// In a block that nothing reaches, values may be made of each other: they are traced to an end.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
!S = memref<128x4xf32, #gpu.address_space<workgroup>>
func.func @made_of_itself(%a: i32) {
  return
^dead:
  %t = tcgen05.view %a : i32 to !T
  // expected-note-re @below {{{{^}}the root of 'src' is the result of 'memref.cast'{{$}}}}
  %x = memref.cast %x : !S to !S
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 4 (the result of 'memref.cast') [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %x descriptor(<ldo = 16, sdo = 128>) : !T, !S
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
!S = memref<128x4xf32, #gpu.address_space<workgroup>>
func.func @made_of_each_other(%a: i32) {
  return
^dead:
  %t = tcgen05.view %a : i32 to !T
  // expected-note-re @below {{{{^}}the root of 'src' is the result of 'memref.subview'{{$}}}}
  %x = memref.subview %y[0, 0] [128, 4] [1, 1] : !S to memref<128x4xf32, strided<[4, 1]>, #gpu.address_space<workgroup>>
  %y = memref.cast %x : memref<128x4xf32, strided<[4, 1]>, #gpu.address_space<workgroup>> to !S
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 4 (the result of 'memref.subview') [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %x descriptor(<ldo = 16, sdo = 128>) : !T, memref<128x4xf32, strided<[4, 1]>, #gpu.address_space<workgroup>>
  return
}

// -----

// Aligned by the word of the ring itself.
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
!S = memref<128x4xf32, #gpu.address_space<workgroup>>
func.func @aligned_by_each_other(%a: i32) {
  return
^dead:
  %t = tcgen05.view %a : i32 to !T
  %x = memref.assume_alignment %y, 16 : !S
  %y = memref.assume_alignment %x, 16 : !S
  tcgen05.cp <shape_128x128b> %t, %x descriptor(<ldo = 16, sdo = 128>) : !T, !S
  return
}

// -----

// A pointer's offset is looked for behind the casts of a memref.
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
!T = memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
!S = memref<128x4xf32, #gpu.address_space<workgroup>>
func.func @pointer_of_itself(%a: i32) {
  return
^dead:
  %t = tcgen05.view %a : i32 to !T
  %x = memref.cast %x : !S to !S
  %p = memref.extract_aligned_pointer_as_index %x : !S -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr<3>
  %s = tcgen05.view %q alignment(16) : !llvm.ptr<3> to !S
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : !T, !S
  return
}
