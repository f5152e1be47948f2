// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s

// Schedules of public kernels: the start fields, in units of 16 bytes, and the tensor memory
// addresses of all copies, as distances from the first.

#wg = #gpu.address_space<workgroup>

// A07, and schedule 1: scale factors, 512 bytes each: start +32, column +4 per copy. All else is
// equal: one constant is or'ed in. (A repeat of 0 is the verifier's error: test/lit/dialect.)
#sf = #tcgen05.tmem_layout<(3, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
memref.global "private" @factors : memref<3x32x4xi32, #wg> {alignment = 16}
// CHECK-LABEL: func.func @a07_scale_factors(
// CHECK-SAME:    %[[TADDR:.*]]: i32)
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]])
// CHECK:         %[[DESC:.*]] = arith.ori
// CHECK-NOT:     arith.ori
// CHECK:         %[[A0:.*]] = llvm.inttoptr %[[BASE]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A0]], %[[DESC]] {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : i32
// CHECK-NEXT:    %[[T1:.*]] = arith.addi %[[BASE]], %[[C4]]
// CHECK-NEXT:    %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
// CHECK-NEXT:    %[[C32:.*]] = arith.constant 32 : i64
// CHECK-NEXT:    %[[D1:.*]] = arith.addi %[[FIRST]], %[[C32]]
// CHECK-NEXT:    %[[A1:.*]] = llvm.inttoptr %[[T1]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A1]], %[[D1]] {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : i32
// CHECK-NEXT:    %[[T2:.*]] = arith.addi %[[BASE]], %[[C8]]
// CHECK-NEXT:    %[[C64:.*]] = arith.constant 64 : i64
// CHECK-NEXT:    %[[D2:.*]] = arith.addi %[[FIRST]], %[[C64]]
// CHECK-NEXT:    %[[A2:.*]] = llvm.inttoptr %[[T2]]
// CHECK-NEXT:    nvvm.tcgen05.cp %[[A2]], %[[D2]] {multicast = #nvvm.tcgen05_cp_multicast<warpx4>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
// CHECK-NEXT:    return
func.func @a07_scale_factors(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<3x32x4xi32, #sf, 6>
  %s = memref.get_global @factors : memref<3x32x4xi32, #wg>
  tcgen05.cp <shape_32x128b> %t, %s multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>)
      : memref<3x32x4xi32, #sf, 6>, memref<3x32x4xi32, #wg>
  return
}

// Schedule 4: a tile with 128-byte swizzle, 128x256b: four copies per tile, start +2 (32 bytes along
// the row), columns +8.
#swizzled = #tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>
#quarters = #tcgen05.tmem_layout<(4, 128, 8) : (8@col, 1@lane, 1@col)>
memref.global "private" @tile : memref<128x32xi32, #wg> {alignment = 1024}
// CHECK-LABEL: func.func @swizzled_tile(
// CHECK:         arith.constant 4611756662049538048 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 8 : i32
// CHECK:         arith.constant 2 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 16 : i32
// CHECK:         arith.constant 4 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 24 : i32
// CHECK:         arith.constant 6 : i64
// CHECK:         nvvm.tcgen05.cp {{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}
// CHECK-NEXT:    return
func.func @swizzled_tile(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<4x128x8xi32, #quarters, 6>
  %g = memref.get_global @tile : memref<128x32xi32, #wg>
  %s = tcgen05.view %g : memref<128x32xi32, #wg> to memref<4x128x8xi32, #swizzled, #wg>
  tcgen05.cp <shape_128x256b> %t, %s descriptor(<sdo = 1024, swizzle = 3>)
      : memref<4x128x8xi32, #quarters, 6>, memref<4x128x8xi32, #swizzled, #wg>
  return
}

// Schedule 5: 4x256b over a tile of 64 rows with 32-byte swizzle: 16 copies, +128 bytes (8 units) and
// lane +1 (65536) per copy, so that shared row 4i + q lands in lane 32q + i.
#rows = #tcgen05.smem_layout<(16, 4, 8) : (32, 8, 1), swizzle = 1>
#scatter = #tcgen05.tmem_layout<(16, 4, 8) : (1@lane, 32@lane, 1@col)>
memref.global "private" @rows : memref<64x8xi32, #wg> {alignment = 256}
// CHECK-LABEL: func.func @scatter(
// CHECK:         arith.constant 65536 : i32
// CHECK:         arith.constant 8 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 131072 : i32
// CHECK:         arith.constant 16 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 196608 : i32
// CHECK:         arith.constant 24 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 262144 : i32
// CHECK:         arith.constant 32 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 327680 : i32
// CHECK:         arith.constant 40 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 393216 : i32
// CHECK:         arith.constant 48 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 458752 : i32
// CHECK:         arith.constant 56 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 524288 : i32
// CHECK:         arith.constant 64 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 589824 : i32
// CHECK:         arith.constant 72 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 655360 : i32
// CHECK:         arith.constant 80 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 720896 : i32
// CHECK:         arith.constant 88 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 786432 : i32
// CHECK:         arith.constant 96 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 851968 : i32
// CHECK:         arith.constant 104 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 917504 : i32
// CHECK:         arith.constant 112 : i64
// CHECK:         nvvm.tcgen05.cp
// CHECK:         arith.constant 983040 : i32
// CHECK:         arith.constant 120 : i64
// CHECK:         nvvm.tcgen05.cp {{.*}} {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
// CHECK-NEXT:    return
func.func @scatter(%taddr: i32) {
  %t = tcgen05.view %taddr : i32 to memref<16x4x8xi32, #scatter, 6>
  %g = memref.get_global @rows : memref<64x8xi32, #wg>
  %s = tcgen05.view %g : memref<64x8xi32, #wg> to memref<16x4x8xi32, #rows, #wg>
  tcgen05.cp <shape_4x256b> %t, %s descriptor(<swizzle = 1>)
      : memref<16x4x8xi32, #scatter, 6>, memref<16x4x8xi32, #rows, #wg>
  return
}
