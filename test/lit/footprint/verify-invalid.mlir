// RUN: tcgen05-opt %s --tcgen05-verify-footprint --split-input-file --verify-diagnostics
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm --split-input-file --verify-diagnostics

// Rules F1 to F12: each broken by itself where it can be, every message whole. The lowering proves
// first and says the same.

// -----

// F1: the replicas of another multicast.
#dst = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
memref.global "private" @tile : memref<64x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f1_replicas(%a: i32) {
  %s = memref.get_global @tile : memref<64x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<64x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' replicas must be (2) : (32@lane) with 64x128b.warpx2::01_23, got (2) : (64@lane) [F1]{{$}}}}
  // expected-note-re @below {{{{^}}give the layout replicas = (2) : (32@lane), or copy with 64x128b.warpx2::02_13{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' row 32, word 0 must lie in lane 64, got lane 32 [F2]{{$}}}}
  // expected-note-re @below {{{{^}}rows and words of 64x128b.warpx2::01_23 lie as in #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>{{$}}}}
  tcgen05.cp <shape_64x128b> %t, %s multicast(<warpx2_01_23>) descriptor(<ldo = 16, sdo = 128>) : memref<64x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<64x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F2: rows two lanes apart.
#dst = #tcgen05.tmem_layout<(32, 4) : (2@lane, 1@col), replicas = (4) : (32@lane)>
memref.global "private" @tile : memref<32x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f2_rows(%a: i32) {
  %s = memref.get_global @tile : memref<32x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<32x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' row 1, word 0 must lie in lane 1, got lane 2 [F2]{{$}}}}
  // expected-note-re @below {{{{^}}rows and words of 32x128b.warpx4 lie as in #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>{{$}}}}
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>) : memref<32x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<32x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F3: words two columns apart.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 2@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f3_words(%a: i32) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' row 0, word 1 must lie in column 1, got column 2 [F3]{{$}}}}
  // expected-note-re @below {{{{^}}rows and words of 128x128b lie as in #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F4: repeats six columns apart.
#dst = #tcgen05.tmem_layout<(2, 128, 4) : (6@col, 1@lane, 1@col)>
memref.global "private" @tile : memref<2x128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f4_repeats(%a: i32) {
  %s = memref.get_global @tile : memref<2x128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<2x128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' column origin of repeat (1) must be a multiple of 4, got 6 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}move it to column 4 or 8{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<2x128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<2x128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F4: two columns added to the base.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f4_constant(%a: i32) {
  %two = arith.constant 2 : i32
  %b = arith.addi %a, %two : i32
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %b : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' column origin must be a multiple of 4, got 2 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}move it to column 0 or 4{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F4: who knows how many columns added to the base.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f4_unknown(%a: i32, %i: i32) {
  %two = arith.constant 2 : i32
  %m = arith.muli %i, %two : i32
  %b = arith.addi %a, %m : i32
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %b : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' address must be moved by a multiple of 4 columns, got a number that is only known to be a multiple of 2 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}add known multiples of 4 alone, for example by arith.muli with 4, or take the tcgen05.view of the allocation's own address{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F4: one value of a dynamic index.
#dst = #tcgen05.tmem_layout<((2, 3), 128, 4) : ((32@col, 6@col), 1@lane, 1@col)>
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f4_index(%a: i32, %i: index) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<6x128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' column origin of index (1) must be a multiple of 4, got 6 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}move it to column 4 or 8{{$}}}}
  tcgen05.cp <shape_128x128b> %t[%i], %s descriptor(<ldo = 16, sdo = 128>) : memref<6x128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F5: lane 32 as a part of a constant address; replicas reach beyond lane 127.
#dst = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
memref.global "private" @tile : memref<32x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f5_lanes() {
  %a = arith.constant 0x200000 : i32
  %s = memref.get_global @tile : memref<32x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<32x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 (its replica 96 lanes on) [F5]{{$}}}}
  // expected-note-re @below {{{{^}}32x128b.warpx4 reaches 128 lanes from the lane that it starts in{{$}}}}
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>) : memref<32x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<32x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F6: the allocation behind the base is smaller than what is copied.
#dst = #tcgen05.tmem_layout<(9, 128, 4) : (4@col, 1@lane, 1@col)>
memref.global "private" @tile : memref<9x128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32
func.func @f6_allocation() {
  %columns = arith.constant 32 : i32
  %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
  // expected-note-re @below {{{{^}}it is traced to this allocation{{$}}}}
  nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
  %a = llvm.load %slot : !llvm.ptr<3> -> i32
  %s = memref.get_global @tile : memref<9x128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<9x128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must stay inside the 32 columns that the allocation got, got column 32 for repeat (8), row 0, word 0 [F6]{{$}}}}
  // expected-note-re @below {{{{^}}allocate 64 columns{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<9x128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<9x128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F7: all repeats in the same columns.
#dst = #tcgen05.tmem_layout<(4, 128, 4) : (0@col, 1@lane, 1@col)>
memref.global "private" @tile : memref<4x128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f7_repeats(%a: i32) {
  %s = memref.get_global @tile : memref<4x128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<4x128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' repeats must write different cells, got repeat (1) at lane 0, column 0, which writes cells of repeat (0) [F7]{{$}}}}
  // expected-note-re @below {{{{^}}place repeats 4 columns apart{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<4x128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<4x128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F8: sdo = 256 where the rows of the buffer are dense; the walk also leaves the buffer.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f8_sdo(%a: i32) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must read row 8, word 0 at byte 128 of the root buffer, where 'src' has it, got byte 256 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}the layout has sdo = 128{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must keep the walk inside the 2048 bytes of the root, got bytes 2048 to 2063 for row 64, word 0 [F10]{{$}}}}
  // expected-note-re @below {{{{^}}one 128x128b with sdo = 256 spans 3968 bytes; give the buffer room for all, or start earlier{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 256>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F8: the right strides, another swizzle.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x32xi32, #gpu.address_space<workgroup>> {alignment = 1024}
func.func @f8_swizzle(%a: i32) {
  %b = memref.get_global @tile : memref<128x32xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must read row 1, word 0 at byte 144 of the root buffer, where 'src' has it, got byte 64 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}the layout has swizzle = 3{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 2>) : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: a global without an alignment.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
func.func @f9_global(%a: i32) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 4 (memref.global @tile) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: dynamic shared memory is aligned to 16 bytes unless somebody says more.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
func.func @f9_dynamic(%a: i32) {
  // expected-note-re @below {{{{^}}the root of 'src' is gpu.dynamic_shared_memory{{$}}}}
  %b = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<?xi8, #gpu.address_space<workgroup>> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 1024 bytes with swizzle 3, got 16 (gpu.dynamic_shared_memory) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 1024 bytes; where it is known to be, say so by alignment(1024) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>) : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: a pointer of which nothing is known.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is argument 1{{$}}}}
func.func @f9_pointer(%a: i32, %p: !llvm.ptr<3>) {
  %s = tcgen05.view %p : !llvm.ptr<3> to memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 1 (argument 1) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: a tile that starts eight bytes into an aligned buffer, and rows that move it on by as much.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<2x514xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f9_origin(%a: i32, %i: index) {
  %b = memref.get_global @tile : memref<2x514xi32, #gpu.address_space<workgroup>>
  %o = memref.reinterpret_cast %b to offset: [2], sizes: [128, 4], strides: [4, 1] : memref<2x514xi32, #gpu.address_space<workgroup>> to memref<128x4xi32, strided<[4, 1], offset: 2>, #gpu.address_space<workgroup>>
  %r = memref.reinterpret_cast %b to offset: [0], sizes: [2, 128, 4], strides: [514, 4, 1] : memref<2x514xi32, #gpu.address_space<workgroup>> to memref<2x128x4xi32, strided<[514, 4, 1]>, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' origin must be a multiple of 16 bytes, got 8 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}the descriptor holds it in units of 16 bytes; move the tile, or pad what repeats{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %o descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, strided<[4, 1], offset: 2>, #gpu.address_space<workgroup>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' origin of index (1) must be a multiple of 16 bytes, got 2056 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}the descriptor holds it in units of 16 bytes; move the tile, or pad what repeats{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %r[%i] descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<2x128x4xi32, strided<[514, 4, 1]>, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: a distance that only the run time knows, in bytes.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @bytes{{$}}}}
memref.global "private" @bytes : memref<65536xi8, #gpu.address_space<workgroup>> {alignment = 1024}
func.func @f9_distance(%a: i32, %i: index) {
  %b = memref.get_global @bytes : memref<65536xi8, #gpu.address_space<workgroup>>
  %s = memref.view %b[%i][] : memref<65536xi8, #gpu.address_space<workgroup>> to memref<128x4xi32, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be moved by a multiple of 16 bytes, got a number that is only known to be a multiple of 1 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}compute it as a multiple of 16 bytes{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// -----

// F9: the user's word against what the global says.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 4) : (32, 1), swizzle = 3>
// expected-note-re @below {{{{^}}it is counted from here, memref.global @bytes{{$}}}}
memref.global "private" @bytes : memref<65536xi8, #gpu.address_space<workgroup>> {alignment = 512}
func.func @f9_statement(%a: i32) {
  %c256 = arith.constant 256 : index
  %b = memref.get_global @bytes : memref<65536xi8, #gpu.address_space<workgroup>>
  %v = memref.view %b[%c256][] : memref<65536xi8, #gpu.address_space<workgroup>> to memref<128x32xi32, #gpu.address_space<workgroup>>
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be one that the address has, got 1024 for an address that is 256 more than a multiple of 512 [F9]{{$}}}}
  // expected-note-re @below {{{{^}}state what the address has, or move what it is the address of{{$}}}}
  %s = tcgen05.view %v alignment(1024) : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 1024, swizzle = 3>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// F10: the last stage of a ring ends behind its buffer, whatever its own type says.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(4, 128, 4) : (512, 4, 1)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @ring{{$}}}}
memref.global "private" @ring : memref<3x128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
func.func @f10_ring(%a: i32, %stage: index) {
  %b = memref.get_global @ring : memref<3x128x4xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<3x128x4xi32, #gpu.address_space<workgroup>> to memref<4x128x4xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must keep the walk inside the 6144 bytes of the root, got bytes 6144 to 6159 for index (3), row 0, word 0 [F10]{{$}}}}
  // expected-note-re @below {{{{^}}one 128x128b with sdo = 128 spans 2048 bytes; give the buffer room for all, or start earlier{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s[%stage] descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<4x128x4xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// F11: four rows without the block of eight that they are a half of.
#dst = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#src = #tcgen05.smem_layout<(4, 8) : (8, 1), swizzle = 1>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @rows{{$}}}}
memref.global "private" @rows : memref<4x8xi32, #gpu.address_space<workgroup>> {alignment = 256}
func.func @f11_block(%a: i32) {
  %b = memref.get_global @rows : memref<4x8xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<4x8xi32, #gpu.address_space<workgroup>> to memref<4x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<4x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must back the eight-row block of a 4-row copy, rows 0..7 or rows -4..3 inside bytes 0..127 of the root, got rows 4..7 up to byte 255 and rows -4..-1 from byte -128 [F11]{{$}}}}
  // expected-note-re @below {{{{^}}the hardware is organised in blocks of eight rows; give the buffer four rows more{{$}}}}
  tcgen05.cp <shape_4x256b> %t, %s descriptor(<swizzle = 1>) : memref<4x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<4x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// F12: rows of 32 bytes in the last 16 of a swizzle row.
#dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#src = #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 28, swizzle = 3>
memref.global "private" @tile : memref<130x32xi32, #gpu.address_space<workgroup>> {alignment = 1024}
func.func @f12_straddle(%a: i32) {
  %b = memref.get_global @tile : memref<130x32xi32, #gpu.address_space<workgroup>>
  %s = tcgen05.view %b : memref<130x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must keep each 32-byte row inside a 128-byte swizzle row, got row 0 at byte 112 of one [F12]{{$}}}}
  // expected-note-re @below {{{{^}}start rows at most 96 bytes into a swizzle row{{$}}}}
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>) : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x8xi32, #src, #gpu.address_space<workgroup>>
  return
}

// -----

// Everything that is wrong in a module, in source order: two copies, four rules.
#dst = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), offset = (1@lane, 2@col)>
#good = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// expected-note-re @below {{{{^}}the root of 'src' is memref.global @tile{{$}}}}
memref.global "private" @tile : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 8}
func.func @all(%a: i32) {
  %s = memref.get_global @tile : memref<128x4xi32, #gpu.address_space<workgroup>>
  // expected-note-re @below {{{{^}}the address that 'dst' is counted from is viewed here{{$}}}}
  %t = tcgen05.view %a : i32 to memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>
  %u = tcgen05.view %a : i32 to memref<128x4xi32, #good, #nvvm.memory_space<tensor>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' column origin must be a multiple of 4, got 2 [F4]{{$}}}}
  // expected-note-re @below {{{{^}}move it to column 0 or 4{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must stay inside lanes 0..127, got lane 128 for row 127, word 0 [F5]{{$}}}}
  // expected-note-re @below {{{{^}}128x128b reaches 128 lanes from the lane that it starts in{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 8 (memref.global @tile) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 16, sdo = 128>) : memref<128x4xi32, #dst, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'descriptor' must read row 8, word 0 at byte 128 of the root buffer, where 'src' has it, got byte 112 [F8]{{$}}}}
  // expected-note-re @below {{{{^}}the layout has sdo = 128{{$}}}}
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' root must be aligned to 16 bytes, got 8 (memref.global @tile) [F9]{{$}}}}
  // expected-note-re @below {{{{^}}align the buffer to 16 bytes; where it is known to be, say so by alignment(16) on its tcgen05.view{{$}}}}
  tcgen05.cp <shape_128x128b> %u, %s descriptor(<ldo = 16, sdo = 112>) : memref<128x4xi32, #good, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}
