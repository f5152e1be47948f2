// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// Rules L1, L4 and T3, whole. The accepted siblings are in views.mlir.

// L1: the view of an operand is in sight.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
func.func @function_argument(%t: memref<128x4xi32, #tile, 6>, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
func.func @of_an_address(%t: memref<128x4xi32, #tile, 6>) -> i32 {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'view' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  %a = tcgen05.address %t : memref<128x4xi32, #tile, 6> -> i32
  return %a : i32
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @block_argument(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'cf.br' op operand 0 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  cf.br ^bb1(%t : memref<128x4xi32, #tile, 6>)
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
^bb1(%u: memref<128x4xi32, #tile, 6>):
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %u, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @iter_args(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'scf.for' op operand 3 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  // expected-error-re @below {{{{^}}'scf.for' op result 0 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6> [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
  // expected-note-re @below {{{{^}}it comes from here{{$}}}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %t) -> memref<128x4xi32, #tile, 6> {
    // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
    // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
    tcgen05.cp <shape_128x128b> %u, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    scf.yield %u : memref<128x4xi32, #tile, 6>
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @select(%p: i1, %a: i32, %b: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #tile, 6>
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %u = tcgen05.view %b : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'arith.select' op operand 1 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  // expected-error-re @below {{{{^}}'arith.select' op operand 2 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}it comes from here{{$}}}}
  %v = arith.select %p, %t, %u : memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got that of 'arith.select' [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %v, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @cast(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'memref.memory_space_cast' op operand 0 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}read it with nvvm.tcgen05.ld at the address that tcgen05.address gives{{$}}}}
  // expected-note-re @below {{{{^}}it comes from here{{$}}}}
  %u = memref.memory_space_cast %t : memref<128x4xi32, #tile, 6> to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got that of 'memref.memory_space_cast' [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %u, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>, memref<128x4xi32, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
func.func @both_operands(%t: memref<128x4xi32, #tile, 6>, %s: memref<128x4xi32, #rows, #wg>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the buffer itself and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
// expected-error-re @below {{{{^}}'memref.global' op 'type' must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, #gpu.address_space<workgroup>> [L1]{{$}}}}
// expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
memref.global "private" @rows : memref<128x4xi32, #rows, #wg> {alignment = 16}
func.func @global_with_a_layout(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-note-re @below {{{{^}}it comes from here{{$}}}}
  %s = memref.get_global @rows : memref<128x4xi32, #rows, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be the result of a tcgen05.view that is visible here, got that of 'memref.get_global' [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the buffer itself and take the tcgen05.view where it is used{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return
}

// -----

// L1 where nothing is copied: upstream's conversions would end the process over these types.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
// expected-error-re @below {{{{^}}'func.func' op 'function_type' must have no tcgen05 layout, which only the result of a tcgen05.view has, got (memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>) -> () [L1]{{$}}}}
// expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
func.func private @declared(%t: memref<128x4xi32, #tile, 6>)
// expected-error-re @below {{{{^}}'func.func' op 'function_type' must have no tcgen05 layout, which only the result of a tcgen05.view has, got () -> memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, #gpu.address_space<workgroup>> [L1]{{$}}}}
// expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
func.func private @returns() -> memref<128x4xi32, #rows, #wg>
// expected-error-re @below {{{{^}}'func.func' op block argument 1 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6> [L1]{{$}}}}
// expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
func.func @unused_argument(%i: index, %t: memref<128x4xi32, #tile, 6>) {
  return
}
// expected-error-re @below {{{{^}}'func.func' op block argument 0 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, #gpu.address_space<workgroup>> [L1]{{$}}}}
// expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
func.func @unused_block_argument() {
  // expected-error-re @below {{{{^}}'func.call' op result 0 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, #gpu.address_space<workgroup>> [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
  %r = func.call @returns() : () -> memref<128x4xi32, #rows, #wg>
  cf.br ^bb1(%r : memref<128x4xi32, #rows, #wg>)
^bb1(%s: memref<128x4xi32, #rows, #wg>):
  return
}
func.func @alloc() {
  // expected-error-re @below {{{{^}}'memref.alloc' op result 0 must have no tcgen05 layout, which only the result of a tcgen05.view has, got memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (4, 1)>, #gpu.address_space<workgroup>> [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
  %a = memref.alloc() : memref<128x4xi32, #rows, #wg>
  return
}

// -----

// L4: only this dialect's operations use a view; a view with an ordinary layout is one too.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func private @callee(memref<128x4xi32, #wg>)
func.func @foreign_uses(%taddr: i32, %b: memref<512xi32, #wg>, %i: index) -> i32 {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %s = tcgen05.view %b : memref<512xi32, #wg> to memref<128x4xi32, #rows, #wg>
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %p = tcgen05.view %b : memref<512xi32, #wg> to memref<128x4xi32, #wg>
  // expected-error-re @below {{{{^}}'memref.load' op operand 0 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}read it with nvvm.tcgen05.ld at the address that tcgen05.address gives{{$}}}}
  %x = memref.load %t[%i, %i] : memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'memref.load' op operand 0 is a tcgen05.view of shared memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}tcgen05-expand-access makes address arithmetic of it: run it before{{$}}}}
  %y = memref.load %s[%i, %i] : memref<128x4xi32, #rows, #wg>
  // expected-error-re @below {{{{^}}'memref.store' op operand 1 is a tcgen05.view of shared memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}tcgen05-expand-access makes address arithmetic of it: run it before{{$}}}}
  memref.store %x, %p[%i, %i] : memref<128x4xi32, #wg>
  // expected-error-re @below {{{{^}}'func.call' op operand 0 is a tcgen05.view of shared memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the address or the plain buffer and take the tcgen05.view where it is used{{$}}}}
  func.call @callee(%p) : (memref<128x4xi32, #wg>) -> ()
  return %x : i32
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @returned(%taddr: i32) -> memref<128x4xi32, #tile, 6> {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'func.return' op operand 0 is a tcgen05.view of tensor memory, which only tcgen05 operations can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}pass the i32 address and take the tcgen05.view where it is used{{$}}}}
  return %t : memref<128x4xi32, #tile, 6>
}

// -----

// T3, also where tcgen05-check-memory has not run: upstream's backend would end the process.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @allocations(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  // expected-error-re @below {{{{^}}'memref.alloca' op result must be in generic or local memory, got #gpu.address_space<workgroup>, which is shared memory [T3]{{$}}}}
  // expected-note-re @below {{{{^}}declare it with memref.global or as a workgroup attribution of the gpu.func, or take it from gpu.dynamic_shared_memory{{$}}}}
  %b = memref.alloca() : memref<128x4xi32, #wg>
  %s = tcgen05.view %b alignment(16) : memref<128x4xi32, #wg> to memref<128x4xi32, #rows, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  // expected-error-re @below {{{{^}}'memref.alloc' op result must be in generic or local memory, got #gpu.address_space<workgroup>, which is shared memory [T3]{{$}}}}
  // expected-note-re @below {{{{^}}declare it with memref.global or as a workgroup attribution of the gpu.func, or take it from gpu.dynamic_shared_memory{{$}}}}
  %c = memref.alloc() : memref<128x4xi32, #wg>
  %u = tcgen05.view %c alignment(16) : memref<128x4xi32, #wg> to memref<128x4xi32, #rows, #wg>
  tcgen05.cp <shape_128x128b> %t, %u descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  return
}
