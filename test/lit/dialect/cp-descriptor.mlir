// RUN: tcgen05-opt %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s

// Rule C5: what the verifier accepts, and the one spelling that is printed.

#wide = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#four = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#sf = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>

// A03: a swizzled copy reads no ldo: 0, 16, 4096 and none are all accepted, as are those of a
// 128-bit shape.
// CHECK-LABEL: func.func @a03
func.func @a03(%wide: memref<128x8xi32, #wide, 6>, %tile: memref<128x4xi32, #tile, 6>,
               %wide_src: memref<128x8xi32, 3>, %tile_src: memref<128x4xi32, 3>) {
  // CHECK: descriptor(<ldo = 0, sdo = 1024, swizzle = 3>)
  tcgen05.cp <shape_128x256b> %wide, %wide_src descriptor(<ldo = 0, sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // CHECK: descriptor(<ldo = 16, sdo = 1024, swizzle = 3>)
  tcgen05.cp <shape_128x256b> %wide, %wide_src descriptor(<ldo = 16, sdo = 1024, swizzle = 3>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // CHECK: descriptor(<ldo = 4096, sdo = 512, swizzle = 2>)
  tcgen05.cp <shape_128x256b> %wide, %wide_src descriptor(<ldo = 4096, sdo = 512, swizzle = 2>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // CHECK: descriptor(<sdo = 256, swizzle = 1>)
  tcgen05.cp <shape_128x256b> %wide, %wide_src descriptor(<sdo = 256, swizzle = 1>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // CHECK: descriptor(<ldo = 128, sdo = 256>)
  tcgen05.cp <shape_128x256b> %wide, %wide_src descriptor(<ldo = 128, sdo = 256>)
      : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // CHECK: descriptor(<sdo = 128>)
  tcgen05.cp <shape_128x128b> %tile, %tile_src descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// A06: a 4-row copy never reads sdo, which may be left out and may be the largest there is.
// CHECK-LABEL: func.func @a06
func.func @a06(%dst: memref<4x8xi32, #four, 6>, %src: memref<4x8xi32, 3>) {
  // CHECK: descriptor(<ldo = 16, sdo = 262128>)
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 16, sdo = 262128>)
      : memref<4x8xi32, #four, 6>, memref<4x8xi32, 3>
  // CHECK: descriptor(<ldo = 262128>)
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 262128>)
      : memref<4x8xi32, #four, 6>, memref<4x8xi32, 3>
  // CHECK: descriptor(<swizzle = 1>)
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<swizzle = 1>)
      : memref<4x8xi32, #four, 6>, memref<4x8xi32, 3>
  return
}

// CHECK-LABEL: func.func @spellings
func.func @spellings(%dst: memref<32x4xi32, #sf, 6>, %src: memref<32x4xi32, 3>) {
  // No swizzle is the default, fields come in any order, zero is a value.
  // CHECK: multicast(<warpx4>) descriptor(<ldo = 0, sdo = 0>) :
  tcgen05.cp <shape_32x128b> %dst, %src multicast(<warpx4>) descriptor(<swizzle = 0, sdo = 0, ldo = 0>)
      : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  // An alias or the whole attribute will do.
  // CHECK: multicast(<warpx4>) descriptor(<sdo = 128>) :
  tcgen05.cp <shape_32x128b> %dst, %src multicast(<warpx4>) descriptor(#tcgen05.smem_desc<sdo = 128>)
      : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  // Without a descriptor a pass infers it.
  // CHECK: tcgen05.cp <shape_32x128b> %{{.*}}, %{{.*}} multicast(<warpx4>) : memref
  tcgen05.cp <shape_32x128b> %dst, %src multicast(<warpx4>)
      : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  return
}

// CHECK-LABEL: func.func @anywhere
func.func @anywhere() {
  // Outside a copy an empty or absurd descriptor is just data: the copy judges it.
  // CHECK: #tcgen05.smem_desc<>
  // CHECK-SAME: #tcgen05.smem_desc<ldo = -16, sdo = 262144, swizzle = 7>
  %0 = arith.constant {a = #tcgen05.smem_desc<>, b = #tcgen05.smem_desc<ldo = -16, sdo = 262144, swizzle = 7>} 0 : i32
  return
}
