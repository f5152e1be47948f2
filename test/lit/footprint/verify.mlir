// RUN: tcgen05-opt %s --pass-pipeline='builtin.module(tcgen05-verify-footprint{list-assumptions})' --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file -o /dev/null

// Rules F1 to F12: what is accepted, with all that a proof takes for granted.

// -----

// Nothing: the columns come from an alloc, the bytes from a global, and both hold the copy.
#dst = #tcgen05.tmem_layout<(8, 128, 4) : (4@col, 1@lane, 1@col)>
memref.global "private" @ring : memref<3x8x128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32
func.func @known(%stage: index) {
  %columns = arith.constant 64 : i32
  %half = arith.constant 32 : i32
  %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
  nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
  %a = llvm.load %slot : !llvm.ptr<3> -> i32
  %b = arith.addi %a, %half : i32
  %s = memref.get_global @ring : memref<3x8x128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %b : i32 to memref<8x128x4xi32, #dst, #nvvm.memory_space<tensor>>
  tcgen05.cp <shape_128x128b> %t, %s[%stage] descriptor(<ldo = 16, sdo = 128>) : memref<8x128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<3x8x128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// A tensor-memory address from who knows where.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (0@lane, 8@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @address(%a: i32) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' address is the start of an allocation: lane 0, a multiple of 32 columns [F4]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 8 to 11 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// Multiples of four columns that the run time adds to an alloc.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32
func.func @multiples(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %columns = arith.constant 64 : i32
  %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
  nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
  %a = llvm.load %slot : !llvm.ptr<3> -> i32
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  scf.for %i = %c0 to %n step %c4 {
    %m = arith.index_cast %i : index to i32
    %b = arith.addi %a, %m : i32
    %t = tcgen05.view %b : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
    // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' base stays in bounds, whatever the run time adds to it: columns 0 to 3, moved by it [F6]{{$}}}}
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

// The user's word on a pointer, and how much there is behind it.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>
func.func @pointer(%p: !llvm.ptr<3>) {
  %a = arith.constant 64 : i32
  %s = tcgen05.view %p alignment(1024) : !llvm.ptr<3> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 64 to 71 from the root are allocated [F6]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' root is aligned to 1024 bytes, as alignment(1024) says [F9]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' holds bytes 32 to 16351 of the root [F10]{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>) : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// The user's word on dynamic shared memory, whose views say how much there is.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
func.func @dynamic() {
  %a = arith.constant 0 : i32
  %c2048 = arith.constant 2048 : index
  %b = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %d = memref.assume_alignment %b, 1024 : memref<?xi8, #gpu.address_space<workgroup>>
  %v = memref.view %d[%c2048][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128x32xf32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %v alignment(1024) : memref<128x32xf32, #gpu.address_space<workgroup>> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 7 from the root are allocated [F6]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' root is aligned to 1024 bytes, as alignment(1024) says [F9]{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>) : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// A ring of who knows how many stages, and four rows whose block of eight is behind a pointer.
#dst = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#src = #tcgen05.smem_layout<(?, 4, 8) : (32, 8, 1), swizzle = 1>
func.func @ring(%p: !llvm.ptr<3>, %stage: index) {
  %a = arith.constant 0 : i32
  %s = tcgen05.view %p alignment(256) : !llvm.ptr<3> to memref<?x4x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<4x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 7 from the root are allocated [F6]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' root is aligned to 256 bytes, as alignment(256) says [F9]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' keeps the copy inside its buffer, whatever the run time chooses: bytes 0 to 127 of the root, moved by it [F10]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' holds the eight-row blocks of 4-row copies from bytes 0 to 127 of the root [F11]{{$}}}}
  tcgen05.cp <shape_4x256b> %t, %s[%stage] descriptor(<swizzle = 1>) : memref<4x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<?x4x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// Sources through subview, expand_shape, reinterpret_cast and memref.view; the swizzled view last.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#dst2 = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 4, swizzle = 3>
memref.global "private" @ring : memref<4x128x32xi32, #gpu.address_space<workgroup>> {alignment = 1024}
memref.global "private" @bytes : memref<65536xi8, #gpu.address_space<workgroup>> {alignment = 1024}
func.func @sources(%i: index) {
  %a = arith.constant 0 : i32
  %c16384 = arith.constant 16384 : index
  %d = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  %d2 = tcgen05.view %a : i32 to memref<2x128x4xi32, #dst2, #nvvm.memory_space<tensor>>
  %ring = memref.get_global @ring : memref<4x128x32xi32, #gpu.address_space<workgroup>>
  %bytes = memref.get_global @bytes : memref<65536xi8, #gpu.address_space<workgroup>>
  // A stage that a constant chooses.
  %stage = memref.subview %ring[1, 0, 0] [1, 128, 32] [1, 1, 1] : memref<4x128x32xi32, #gpu.address_space<workgroup>> to memref<128x32xi32, strided<[32, 1], offset: 4096>, #gpu.address_space<workgroup>>
  %s0 = tcgen05.view %stage : memref<128x32xi32, strided<[32, 1], offset: 4096>, #gpu.address_space<workgroup>> to memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 3 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_128x128b> %d, %s0 descriptor(<sdo = 1024, swizzle = 3>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  // Half of the bytes, reshaped.
  %half = memref.view %bytes[%c16384][] : memref<65536xi8, #gpu.address_space<workgroup>> to memref<12288xi32, #gpu.address_space<workgroup>>
  %stages = memref.expand_shape %half [[0, 1, 2]] output_shape [3, 128, 32] : memref<12288xi32, #gpu.address_space<workgroup>> into memref<3x128x32xi32, #gpu.address_space<workgroup>>
  %last = memref.subview %stages[2, 0, 0] [1, 128, 32] [1, 1, 1] : memref<3x128x32xi32, #gpu.address_space<workgroup>> to memref<128x32xi32, strided<[32, 1], offset: 8192>, #gpu.address_space<workgroup>>
  %s1 = tcgen05.view %last : memref<128x32xi32, strided<[32, 1], offset: 8192>, #gpu.address_space<workgroup>> to memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 3 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_128x128b> %d, %s1 descriptor(<sdo = 1024, swizzle = 3>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  // Plain tiles, 16 bytes wide, two of them side by side in memory.
  %tiles = memref.reinterpret_cast %ring to offset: [512], sizes: [2, 128, 4], strides: [512, 4, 1] : memref<4x128x32xi32, #gpu.address_space<workgroup>> to memref<2x128x4xi32, strided<[512, 4, 1], offset: 512>, #gpu.address_space<workgroup>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 7 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_128x128b> %d2, %tiles descriptor(<sdo = 128>) : memref<2x128x4xi32, #dst2, #nvvm.memory_space<tensor>>, memref<2x128x4xi32, strided<[512, 4, 1], offset: 512>, #gpu.address_space<workgroup>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 3 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_128x128b> %d, %tiles[%i] descriptor(<sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<2x128x4xi32, strided<[512, 4, 1], offset: 512>, #gpu.address_space<workgroup>>
  // A stage that the run time chooses by a subview: it is assumed to choose one that there is.
  %any = memref.subview %ring[%i, 0, 0] [1, 128, 32] [1, 1, 1] : memref<4x128x32xi32, #gpu.address_space<workgroup>> to memref<128x32xi32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
  %s2 = tcgen05.view %any : memref<128x32xi32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>> to memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 0 to 3 from the root are allocated [F6]{{$}}}}
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'src' keeps the copy inside its buffer, whatever the run time chooses: bytes 16 to 16367 of the root, moved by it [F10]{{$}}}}
  tcgen05.cp <shape_128x128b> %d, %s2 descriptor(<sdo = 1024, swizzle = 3>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// The limits: the last lane, the last columns, the last bytes, the block of eight rows.
#lanes = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col), offset = (31@lane, 504@col)>
#src = #tcgen05.smem_layout<(4, 8) : (8, 1), offset = 32, swizzle = 1>
memref.global "private" @rows : memref<8x8xi32, #gpu.address_space<workgroup>> {alignment = 256}
func.func @limits() {
  %a = arith.constant 0 : i32
  %b = memref.get_global @rows : memref<8x8xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<8x8xi32, #gpu.address_space<workgroup>> to memref<4x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<4x8xi32, #lanes, #nvvm.memory_space<tensor>>
  // expected-remark-re @below {{{{^}}'tcgen05.cp' op is right if 'dst' columns 504 to 511 from the root are allocated [F6]{{$}}}}
  tcgen05.cp <shape_4x256b> %t, %s descriptor(<swizzle = 1>) : memref<4x8xi32, #lanes, #nvvm.memory_space<tensor>>, memref<4x8xi32, #src, #gpu.address_space<workgroup>>
  return
}
