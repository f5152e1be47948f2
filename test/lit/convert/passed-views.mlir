// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// A view that is passed on is told to be passed as its address: L4.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @selected(%a: i32, %b: i32, %p: i1) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %s = tcgen05.view %a : i32 to memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %b : i32 to memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'arith.select' op operand 1 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-error-re @below {{{{^}}'arith.select' op operand 2 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  // expected-error-re @below {{{{^}}'arith.select' op result 0 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xf32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, #nvvm.memory_space<tensor>> [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
  %u = arith.select %p, %s, %t : memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
  return
}

// -----

// The address itself may be chosen.
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @chosen(%a: i32, %b: i32, %p: i1, %src: memref<128x4xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) {
  %c = arith.select %p, %a, %b : i32
  %t = tcgen05.view %c : i32 to memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<ldo = 16, sdo = 128>) : memref<128x4xf32, #tile, #nvvm.memory_space<tensor>>, memref<128x4xf32, #gpu.address_space<workgroup>>
  return
}
