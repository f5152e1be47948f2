// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// The constant part of descriptors: everything but the start address, in one number.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#wide = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
memref.global "private" @tile : memref<128x4xi32, #wg> {alignment = 16}
memref.global "private" @swizzled : memref<32768xi8, #wg> {alignment = 1024}

// A03: a swizzled copy does not read ldo, so that four copies have the same bits. 0x4000404000010000.
// That an unswizzled 256-bit copy reads it is the verifier's error: test/lit/dialect.
#rows = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
// CHECK-LABEL: func.func @a03(
// CHECK-COUNT-4: arith.constant 4611756662049538048 : i64
// CHECK:         return
func.func @a03(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x8xi32, #wide, 6>
  %g = memref.get_global @swizzled : memref<32768xi8, #wg>
  %s = tcgen05.view %g : memref<32768xi8, #wg> to memref<128x8xi32, #rows, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<ldo = 0, sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #rows, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<ldo = 16, sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #rows, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<ldo = 4096, sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #rows, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #rows, #wg>
  return
}

// A 128-bit copy does not read ldo, a copy of four rows no sdo: the values that are left out, or
// that nothing reads, are those of dense tiles. 0x0000400800010000 and 0x0000400800080000.
#four = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#four_src = #tcgen05.smem_layout<(4, (2, 4)) : (4, (32, 1))>
// CHECK-LABEL: func.func @fields_that_nothing_reads(
// CHECK-COUNT-3: arith.constant 70403103981568 : i64
// CHECK-COUNT-2: arith.constant 70403104440320 : i64
// CHECK:         return
func.func @fields_that_nothing_reads(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  %s = memref.get_global @tile : memref<128x4xi32, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 0, sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<ldo = 128, sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  %u = tcgen05.view %taddr : i32 to memref<4x8xi32, #four, 6>
  %v = tcgen05.view %s : memref<128x4xi32, #wg> to memref<4x8xi32, #four_src, #wg>
  tcgen05.cp <shape_4x256b> %u, %v descriptor(<ldo = 128, sdo = 262128>)
      : memref<4x8xi32, #four, 6>, memref<4x8xi32, #four_src, #wg>
  tcgen05.cp <shape_4x256b> %u, %v descriptor(<ldo = 128>)
      : memref<4x8xi32, #four, 6>, memref<4x8xi32, #four_src, #wg>
  return
}

// Each swizzle has its field in bits 61 to 63: 0 and ldo 128, sdo 256; 6 and sdo 256; 4 and 512.
// 0x0000401000080000, 0xC000401000010000 (negative as an i64), 0x8000402000010000.
#s0 = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
#s1 = #tcgen05.smem_layout<(128, 8) : (8, 1), swizzle = 1>
#s2 = #tcgen05.smem_layout<(128, 8) : (16, 1), swizzle = 2>
// CHECK-LABEL: func.func @swizzles(
// CHECK:         arith.constant 70437464178688 : i64
// CHECK:         arith.constant -4611615580963667968 : i64
// CHECK:         arith.constant -9223301530671579136 : i64
func.func @swizzles(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x8xi32, #wide, 6>
  %g = memref.get_global @swizzled : memref<32768xi8, #wg>
  %a = tcgen05.view %g : memref<32768xi8, #wg> to memref<128x8xi32, #s0, #wg>
  tcgen05.cp <shape_128x256b> %t, %a descriptor(<ldo = 128, sdo = 256>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #s0, #wg>
  %b = tcgen05.view %g : memref<32768xi8, #wg> to memref<128x8xi32, #s1, #wg>
  tcgen05.cp <shape_128x256b> %t, %b descriptor(<sdo = 256, swizzle = 1>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #s1, #wg>
  %c = tcgen05.view %g : memref<32768xi8, #wg> to memref<128x8xi32, #s2, #wg>
  tcgen05.cp <shape_128x256b> %t, %c descriptor(<sdo = 512, swizzle = 2>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #s2, #wg>
  return
}

// Absent: inferred from the layout, the same number.
// CHECK-LABEL: func.func @inferred(
// CHECK:         arith.constant 4611756662049538048 : i64
func.func @inferred(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x8xi32, #wide, 6>
  %g = memref.get_global @swizzled : memref<32768xi8, #wg>
  %s = tcgen05.view %g : memref<32768xi8, #wg> to memref<128x8xi32, #rows, #wg>
  tcgen05.cp <shape_128x256b> %t, %s
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, #rows, #wg>
  return
}
