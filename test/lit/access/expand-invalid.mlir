// RUN: tcgen05-opt %s --tcgen05-expand-access --split-input-file --verify-diagnostics

// Rules L1, L2, L4, L5 and F9 for loads and stores through views of shared memory, whole. The accepted siblings are in expand.mlir.

// L4: what is no load or store.

#wg = #gpu.address_space<workgroup>
#swz = #tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>
func.func private @callee(memref<4x128x8xi32, #swz, #wg>)
func.func @foreign(%b: memref<4096xi32, #wg>, %g: memref<4x128x8xi32>, %i: index, %x: i32) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<4x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'memref.copy' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}load and store the words one by one, which takes the layout{{$}}}}
  memref.copy %v, %g : memref<4x128x8xi32, #swz, #wg> to memref<4x128x8xi32>
  // expected-error-re @below {{{{^}}'memref.atomic_rmw' op operand 1 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}use the buffer behind the view, or take the tcgen05.view where words are accessed{{$}}}}
  %r = memref.atomic_rmw addi %x, %v[%i, %i, %i] : (i32, memref<4x128x8xi32, #swz, #wg>) -> i32
  // expected-error-re @below {{{{^}}'affine.load' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}lower-affine makes a memref.load of it: run it before{{$}}}}
  %a = affine.load %v[0, 0, 0] : memref<4x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'affine.store' op operand 1 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}lower-affine makes a memref.store of it: run it before{{$}}}}
  affine.store %x, %v[0, 0, 0] : memref<4x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'func.call' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}use the buffer behind the view, or take the tcgen05.view where words are accessed{{$}}}}
  func.call @callee(%v) : (memref<4x128x8xi32, #swz, #wg>) -> ()
  // expected-error-re @below {{{{^}}'memref.dim' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}the extent is that of the view's type, or the value that it was made of{{$}}}}
  %d = memref.dim %v, %i : memref<4x128x8xi32, #swz, #wg>
  return
}

// -----

#wg = #gpu.address_space<workgroup>
#flat = #tcgen05.smem_layout<(16, 8) : (8, 1)>
func.func @more(%b: memref<128xi32, #wg>, %i: index, %p: i1) {
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %v = tcgen05.view %b : memref<128xi32, #wg> to memref<16x8xi32, #wg>
  // expected-note-re @below {{{{^}}the view is here{{$}}}}
  %w = tcgen05.view %b : memref<128xi32, #wg> to memref<16x8xi32, #wg>
  // expected-error-re @below {{{{^}}'memref.subview' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}take a tcgen05.view of the buffer, with an offset in its layout{{$}}}}
  %s = memref.subview %v[2, 0] [4, 8] [1, 1] : memref<16x8xi32, #wg> to memref<4x8xi32, strided<[8, 1], offset: 16>, #wg>
  // expected-error-re @below {{{{^}}'memref.cast' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}take a tcgen05.view of the buffer, of the type that is wanted{{$}}}}
  %k = memref.cast %v : memref<16x8xi32, #wg> to memref<?x8xi32, #wg>
  // expected-error-re @below {{{{^}}'memref.memory_space_cast' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}take a tcgen05.view of the buffer, of the type that is wanted{{$}}}}
  %m = memref.memory_space_cast %v : memref<16x8xi32, #wg> to memref<16x8xi32>
  // expected-error-re @below {{{{^}}'arith.select' op operand 1 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  // expected-note-re @below {{{{^}}use the buffer behind the view, or take the tcgen05.view where words are accessed{{$}}}}
  // expected-error-re @below {{{{^}}'arith.select' op operand 2 is a tcgen05.view of shared memory, which only tcgen05.cp, loads and stores can use [L4]{{$}}}}
  %c = arith.select %p, %v, %w : memref<16x8xi32, #wg>
  return
}

// -----

// L1: the view is in sight.

#wg = #gpu.address_space<workgroup>
#flat = #tcgen05.smem_layout<(16, 8) : (8, 1)>
// expected-note-re @below {{{{^}}it comes from here{{$}}}}
func.func @not_visible(%v: memref<16x8xi32, #flat, #wg>, %i: index) {
  // expected-error-re @below {{{{^}}'memref.load' op 'memref' must be the result of a tcgen05.view that is visible here, got a block argument [L1]{{$}}}}
  // expected-note-re @below {{{{^}}pass the buffer itself and take the tcgen05.view where it is used{{$}}}}
  %x = memref.load %v[%i, %i] : memref<16x8xi32, #flat, #wg>
  return
}

// -----

// L2: layouts that are numbers, and a buffer whose first byte can be told.

#wg = #gpu.address_space<workgroup>
#odd = affine_map<(d0) -> (d0 mod 64)>
func.func @layouts(%b: memref<128xi32, #wg>, %o: memref<128xi32, #odd, #wg>, %i: index) {
  %v = tcgen05.view %b : memref<128xi32, #wg> to memref<16x8xi32, strided<[?, 1]>, #wg>
  // expected-error-re @below {{{{^}}'memref.load' op 'memref' must have a static layout where it is a tcgen05.view, got strided<[?, 1]> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}write the view's strides and offset as numbers{{$}}}}
  %x = memref.load %v[%i, %i] : memref<16x8xi32, strided<[?, 1]>, #wg>
  %w = tcgen05.view %o : memref<128xi32, #odd, #wg> to memref<16x8xi32, #wg>
  // expected-error-re @below {{{{^}}'memref.store' op 'memref' must be a tcgen05.view of a strided buffer, got one with affine_map<(d0) -> (d0 mod 64)> [L2]{{$}}}}
  // expected-note-re @below {{{{^}}take the tcgen05.view of the buffer that it comes from{{$}}}}
  memref.store %x, %w[%i, %i] : memref<16x8xi32, #wg>
  return
}

// -----

// L5: one word, or one to four along the last dimension, all inside and none masked.

#wg = #gpu.address_space<workgroup>
#swz = #tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>
#map = affine_map<(d0, d1, d2) -> (d1)>
func.func @forms(%b: memref<4096xi32, #wg> {llvm.align = 16}, %i: index, %p: i32, %m: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<4x128x8xi32, #swz, #wg>
  %u = tcgen05.view %b : memref<4096xi32, #wg> to memref<16x8xui32, #wg>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access a vector of 1 to 4 words through a tcgen05.view of shared memory, got vector<8xi32> [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access it in pieces of at most vector<4xi32>{{$}}}}
  %long = vector.transfer_read %v[%i, %i, %c0], %p {in_bounds = [true]} : memref<4x128x8xi32, #swz, #wg>, vector<8xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access a vector of 1 to 4 words through a tcgen05.view of shared memory, got vector<2x2xi32> [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access it in pieces of at most vector<4xi32>{{$}}}}
  %flat = vector.transfer_read %v[%i, %i, %c0], %p {in_bounds = [true, true]} : memref<4x128x8xi32, #swz, #wg>, vector<2x2xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op 'permutation_map' must be that of the last dimension for a tcgen05.view of shared memory, got (d0, d1, d2) -> (d1) [L5]{{$}}}}
  // expected-note-re @below {{{{^}}only along the last dimension do words follow one another{{$}}}}
  %row = vector.transfer_read %v[%i, %i, %c0], %p {in_bounds = [true], permutation_map = #map} : memref<4x128x8xi32, #swz, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op 'in_bounds' must be [true] for a tcgen05.view of shared memory, got [false] [L5]{{$}}}}
  // expected-note-re @below {{{{^}}write {in_bounds = [true]} where that is so, and a branch around it elsewhere{{$}}}}
  %out = vector.transfer_read %v[%i, %i, %c0], %p : memref<4x128x8xi32, #swz, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_write' op 'mask' must be absent for a tcgen05.view of shared memory [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access single words in a branch{{$}}}}
  vector.transfer_write %out, %v[%i, %i, %c0], %m {in_bounds = [true]} : vector<4xi32>, memref<4x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'memref.load' op must access signless words through a tcgen05.view of shared memory, got ui32 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}take the tcgen05.view with elements of type i32{{$}}}}
  %s = memref.load %u[%i, %i] : memref<16x8xui32, #wg>
  return
}

// -----

// L5: constant indices are inside the view.

#wg = #gpu.address_space<workgroup>
#swz = #tcgen05.smem_layout<(?, 128, 8) : (1024, 8, 1), swizzle = 1>
#two = #tcgen05.smem_layout<(16, 2) : (2, 1)>
func.func @ranges(%b: memref<4096xi32, #wg> {llvm.align = 16}, %i: index, %p: i32) {
  %cm1 = arith.constant -1 : index
  %c6 = arith.constant 6 : index
  %c128 = arith.constant 128 : index
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<?x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'memref.load' op index 0 must be at least 0, got -1 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}the view has the type memref<?x128x8xi32, #tcgen05.smem_layout<(?, 128, 8) : (1024, 8, 1), swizzle = 1>, #gpu.address_space<workgroup>>{{$}}}}
  // expected-error-re @below {{{{^}}'memref.load' op index 1 must be in 0..127, got 128 [L5]{{$}}}}
  %x = memref.load %v[%cm1, %c128, %c6] : memref<?x128x8xi32, #swz, #wg>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op index 2 must be in 0..4, got 6 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}the view has the type memref<?x128x8xi32, #tcgen05.smem_layout<(?, 128, 8) : (1024, 8, 1), swizzle = 1>, #gpu.address_space<workgroup>>{{$}}}}
  %y = vector.transfer_read %v[%i, %i, %c6], %p {in_bounds = [true]} : memref<?x128x8xi32, #swz, #wg>, vector<4xi32>
  %w = tcgen05.view %b : memref<4096xi32, #wg> to memref<16x2xi32, #two, #wg>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access no more than the 2 words of dimension 1, got vector<4xi32> [L5]{{$}}}}
  // expected-note-re @below {{{{^}}only along the last dimension do words follow one another{{$}}}}
  %z = vector.transfer_read %w[%i, %i], %p {in_bounds = [true]} : memref<16x2xi32, #two, #wg>, vector<4xi32>
  return
}

// -----

// L5: the layout keeps the words in order.

#wg = #gpu.address_space<workgroup>
#cores = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
#columns = #tcgen05.smem_layout<(8, 16) : (1, 8)>
func.func @runs(%b: memref<4096xi32, #wg> {llvm.align = 16}, %i: index, %p: i32) {
  %c2 = arith.constant 2 : index
  %even = arith.muli %i, %c2 : index
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<128x8xi32, #cores, #wg>
  %w = tcgen05.view %b : memref<4096xi32, #wg> to memref<8x16xi32, #columns, #wg>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access words that lie together, got 4 along dimension 1 in runs of 4, from an index that is known to be 2 more than a multiple of 4 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}start at a multiple of 4, or access single words{{$}}}}
  %known = vector.transfer_read %v[%i, %c2], %p {in_bounds = [true]} : memref<128x8xi32, #cores, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access words that lie together, got 2 along dimension 1 in runs of 4, from an index of which no factor is known [L5]{{$}}}}
  // expected-note-re @below {{{{^}}let the last index be a constant, or a product with one that shows its factor, or access single words{{$}}}}
  %any = vector.transfer_read %v[%i, %i], %p {in_bounds = [true]} : memref<128x8xi32, #cores, #wg>, vector<2xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access words that lie together, got 3 along dimension 1 in runs of 4, from an index that is known to be a multiple of 2 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}let the last index be a constant, or a product with one that shows its factor, or access single words{{$}}}}
  %half = vector.transfer_read %v[%i, %even], %p {in_bounds = [true]} : memref<128x8xi32, #cores, #wg>, vector<3xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access words that lie together, got 4 along dimension 1, where 1 do [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access single words at a time{{$}}}}
  %down = vector.transfer_read %w[%i, %c2], %p {in_bounds = [true]} : memref<8x16xi32, #columns, #wg>, vector<4xi32>
  return
}

// -----

// L5: one 16-byte unit, known from layout, indices and buffer.

#wg = #gpu.address_space<workgroup>
#flat = #tcgen05.smem_layout<(16, 8) : (8, 1)>
#late = #tcgen05.smem_layout<(16, 8) : (8, 1), offset = 2>
#narrow = #tcgen05.smem_layout<(16, 6) : (6, 1)>
// expected-note-re @below {{{{^}}it is counted from here, argument 0{{$}}}}
// expected-note-re @below {{{{^}}it is counted from here, argument 1{{$}}}}
// expected-note-re @below {{{{^}}it is counted from here, argument 2{{$}}}}
func.func @units(%b: memref<4096xi32, #wg> {llvm.align = 16}, %u: memref<512xi32, #wg>, %q: !llvm.ptr<3>, %i: index, %p: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %four = arith.muli %i, %c4 : index
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<16x8xi32, #flat, #wg>
  %late = tcgen05.view %b : memref<4096xi32, #wg> to memref<16x8xi32, #late, #wg>
  %narrow = tcgen05.view %b : memref<4096xi32, #wg> to memref<16x6xi32, #narrow, #wg>
  %unknown = tcgen05.view %u : memref<512xi32, #wg> to memref<16x8xi32, #flat, #wg>
  %pointer = tcgen05.view %q : !llvm.ptr<3> to memref<16x8xi32, #flat, #wg>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access 16 bytes that are known to lie in one 16-byte unit, got an address that is known to be a multiple of 4 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}let the last index be a constant, or a product with one that shows its factor, or access single words{{$}}}}
  %a = vector.transfer_read %v[%i, %i], %p {in_bounds = [true]} : memref<16x8xi32, #flat, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access 16 bytes that are known to lie in one 16-byte unit, got an address that is known to be 8 more than a multiple of 16 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access fewer words at a time: buffer and layout lead there{{$}}}}
  %b0 = vector.transfer_read %late[%i, %four], %p {in_bounds = [true]} : memref<16x8xi32, #late, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access 16 bytes that are known to lie in one 16-byte unit, got an address that is known to be a multiple of 8 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}access fewer words at a time: buffer and layout lead there{{$}}}}
  %c = vector.transfer_read %narrow[%i, %c0], %p {in_bounds = [true]} : memref<16x6xi32, #narrow, #wg>, vector<4xi32>
  // expected-error-re @below {{{{^}}'vector.transfer_read' op must access 8 bytes that are known to lie in one 16-byte unit, got an address that is known to be a multiple of 4 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}state what the address has, such as alignment(16), on the view{{$}}}}
  %d = vector.transfer_read %unknown[%i, %four], %p {in_bounds = [true]} : memref<16x8xi32, #flat, #wg>, vector<2xi32>
  // expected-error-re @below {{{{^}}'memref.load' op must access an address that is known to be a multiple of 4, got an address of which no factor is known [L5]{{$}}}}
  // expected-note-re @below {{{{^}}state what the address has, such as alignment(16), on the view{{$}}}}
  %e = memref.load %pointer[%i, %i] : memref<16x8xi32, #flat, #wg>
  return
}

// -----

// L5 and F9: whole words; what the user says against what is known.

#wg = #gpu.address_space<workgroup>
#flat = #tcgen05.smem_layout<(16, 8) : (8, 1)>
// expected-note-re @below {{{{^}}it is counted from here, argument 0{{$}}}}
func.func @odd_bytes(%b: memref<4096xi8, #wg> {llvm.align = 16}, %i: index) {
  %c2 = arith.constant 2 : index
  %s = memref.view %b[%c2][] : memref<4096xi8, #wg> to memref<128xi32, #wg>
  %v = tcgen05.view %s : memref<128xi32, #wg> to memref<16x8xi32, #flat, #wg>
  // expected-error-re @below {{{{^}}'memref.load' op must access an address that is known to be a multiple of 4, got an address that is known to be 2 more than a multiple of 4 [L5]{{$}}}}
  // expected-note-re @below {{{{^}}let the buffer start at a whole word{{$}}}}
  %x = memref.load %v[%i, %i] : memref<16x8xi32, #flat, #wg>
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be one that the address has, got 16 for an address that is 2 more than a multiple of 16 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}state what the address has, or move what it is the address of{{$}}}}
  %w = tcgen05.view %s alignment(16) : memref<128xi32, #wg> to memref<16x8xi32, #flat, #wg>
  %y = memref.load %w[%i, %i] : memref<16x8xi32, #flat, #wg>
  return
}
