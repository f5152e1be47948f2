// RUN: tcgen05-opt %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s

// Rules C1 to C4: what the verifier accepts, in the spelling that is printed.

#wide = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#four = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#half13 = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
#half23 = #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>
#sf = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>

// C1: the six forms.
// CHECK-LABEL: func.func @c1_forms
func.func @c1_forms(%wide: memref<128x8xi32, #wide, 6>, %wide_src: memref<128x8xi32, 3>,
                    %tile: memref<128x4xi32, #tile, 6>, %tile_src: memref<128x4xi32, 3>,
                    %four: memref<4x8xi32, #four, 6>, %four_src: memref<4x8xi32, 3>,
                    %half13: memref<64x4xi32, #half13, 6>, %half23: memref<64x4xi32, #half23, 6>,
                    %half_src: memref<64x4xi32, 3>,
                    %sf: memref<32x4xi32, #sf, 6>, %sf_src: memref<32x4xi32, 3>) {
  // CHECK: tcgen05.cp <shape_128x256b> %{{.*}}, %{{.*}} : memref<128x8xi32,
  tcgen05.cp <shape_128x256b> %wide, %wide_src : memref<128x8xi32, #wide, 6>, memref<128x8xi32, 3>
  // A clause that says the default is not printed.
  // CHECK: tcgen05.cp <shape_128x128b> %{{.*}}, %{{.*}} : memref<128x4xi32,
  tcgen05.cp <shape_128x128b> %tile, %tile_src multicast(<none>) cta_group(<cta_1>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  // CHECK: tcgen05.cp <shape_4x256b> %{{.*}}, %{{.*}} : memref<4x8xi32,
  tcgen05.cp <shape_4x256b> %four, %four_src : memref<4x8xi32, #four, 6>, memref<4x8xi32, 3>
  // CHECK: tcgen05.cp <shape_64x128b> %{{.*}}, %{{.*}} multicast(<warpx2_02_13>) : memref<64x4xi32,
  tcgen05.cp <shape_64x128b> %half13, %half_src multicast(<warpx2_02_13>) : memref<64x4xi32, #half13, 6>, memref<64x4xi32, 3>
  // CHECK: tcgen05.cp <shape_64x128b> %{{.*}}, %{{.*}} multicast(<warpx2_01_23>) : memref<64x4xi32,
  tcgen05.cp <shape_64x128b> %half23, %half_src multicast(<warpx2_01_23>) : memref<64x4xi32, #half23, 6>, memref<64x4xi32, 3>
  // CHECK: tcgen05.cp <shape_32x128b> %{{.*}}, %{{.*}} multicast(<warpx4>) : memref<32x4xi32,
  tcgen05.cp <shape_32x128b> %sf, %sf_src multicast(<warpx4>) : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  return
}

// Clauses come in any order and are printed in one.
// CHECK-LABEL: func.func @clauses
// CHECK-SAME: %[[P:[a-z0-9]+]]: i1
func.func @clauses(%p: i1, %dst: memref<32x4xi32, #sf, 6>, %src: memref<32x4xi32, 3>) {
  // CHECK: multicast(<warpx4>) cta_group(<cta_2>) src_format(<b4x16_p64>) descriptor(<sdo = 128>) predicate(%[[P]]) :
  tcgen05.cp <shape_32x128b> %dst, %src predicate(%p) descriptor(<sdo = 128>) src_format(<b4x16_p64>)
      cta_group(<cta_2>) multicast(<warpx4>) : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  // CHECK: multicast(<warpx4>) src_format(<b6x16_p32>) predicate(%[[P]]) :
  tcgen05.cp <shape_32x128b> %dst, %src src_format(<b6x16_p32>) predicate(%p) multicast(<warpx4>)
      : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  // Attributes of other dialects pass.
  // CHECK: multicast(<warpx4>) {mydialect.name = "sf"} :
  tcgen05.cp <shape_32x128b> %dst, %src multicast(<warpx4>) {mydialect.name = "sf"}
      : memref<32x4xi32, #sf, 6>, memref<32x4xi32, 3>
  return
}

// C2: every name of the two spaces, and the layouts of shared memory.
#swizzled = #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 4, swizzle = 3>
#map = affine_map<(d0, d1) -> (d0 * 8 + d1)>
// CHECK-LABEL: func.func @c2_spaces
func.func @c2_spaces(%t6: memref<128x4xi32, #tile, 6>, %t6_i32: memref<128x4xi32, #tile, 6 : i32>,
                     %tensor: memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
                     %s3: memref<128x4xi32, 3>, %workgroup: memref<128x4xi32, #gpu.address_space<workgroup>>,
                     %shared: memref<128x4xi32, #nvvm.memory_space<shared>>,
                     %swizzled: memref<128x4xi32, #swizzled, 3>, %strided: memref<128x4xi32, strided<[8, 1], offset: 4>, 3>,
                     %dynamic: memref<128x4xi32, strided<[?, 1], offset: ?>, 3>, %affine: memref<128x4xi32, #map, 3>) {
  // CHECK-COUNT-8: tcgen05.cp <shape_128x128b>
  tcgen05.cp <shape_128x128b> %t6, %s3 : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  tcgen05.cp <shape_128x128b> %t6_i32, %shared : memref<128x4xi32, #tile, 6 : i32>, memref<128x4xi32, #nvvm.memory_space<shared>>
  tcgen05.cp <shape_128x128b> %tensor, %workgroup : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  tcgen05.cp <shape_128x128b> %tensor, %shared : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>, memref<128x4xi32, #nvvm.memory_space<shared>>
  tcgen05.cp <shape_128x128b> %t6, %swizzled : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #swizzled, 3>
  tcgen05.cp <shape_128x128b> %t6, %strided : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[8, 1], offset: 4>, 3>
  tcgen05.cp <shape_128x128b> %t6, %dynamic : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[?, 1], offset: ?>, 3>
  tcgen05.cp <shape_128x128b> %t6, %affine : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #map, 3>
  return
}

// C3: any 32-bit integer or float.
// CHECK-LABEL: func.func @c3_elements
func.func @c3_elements(%f: memref<128x4xf32, #tile, 6>, %f_src: memref<128x4xf32, 3>,
                       %u: memref<128x4xui32, #tile, 6>, %u_src: memref<128x4xui32, 3>) {
  // CHECK: memref<128x4xf32, #{{.*}}, 6>, memref<128x4xf32, 3>
  tcgen05.cp <shape_128x128b> %f, %f_src : memref<128x4xf32, #tile, 6>, memref<128x4xf32, 3>
  // CHECK: memref<128x4xui32, #{{.*}}, 6>, memref<128x4xui32, 3>
  tcgen05.cp <shape_128x128b> %u, %u_src : memref<128x4xui32, #tile, 6>, memref<128x4xui32, 3>
  return
}

// C4: indices choose leading dimensions, dynamic extents among them; the rest repeats.
#ring = #tcgen05.tmem_layout<(2, 3, 5, 128, 4) : (60@col, 20@col, 4@col, 1@lane, 1@col)>
#stages = #tcgen05.smem_layout<(?, 3, 5, 128, 4) : (7680, 2560, 512, 4, 1)>
// CHECK-LABEL: func.func @c4_images
// CHECK-SAME: %[[DST:[a-z0-9]+]]: memref<2x3x5x128x4xi32, #{{[a-z0-9_]+}}, 6>, %[[SRC:[a-z0-9]+]]: memref<?x3x5x128x4xi32, #{{[a-z0-9_]+}}, 3>, %[[PLAIN:[a-z0-9]+]]: memref<?x?x5x128x4xi32, 3>
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index
func.func @c4_images(%dst: memref<2x3x5x128x4xi32, #ring, 6>, %src: memref<?x3x5x128x4xi32, #stages, 3>,
                     %plain: memref<?x?x5x128x4xi32, 3>, %i: index, %j: index) {
  // CHECK: tcgen05.cp <shape_128x128b> %[[DST]][%[[I]]], %[[SRC]][%[[J]]] :
  tcgen05.cp <shape_128x128b> %dst[%i], %src[%j] : memref<2x3x5x128x4xi32, #ring, 6>, memref<?x3x5x128x4xi32, #stages, 3>
  // CHECK: tcgen05.cp <shape_128x128b> %[[DST]][%[[I]], %[[J]], %[[I]]], %[[SRC]][%[[J]], %[[I]], %[[J]]] :
  tcgen05.cp <shape_128x128b> %dst[%i, %j, %i], %src[%j, %i, %j] : memref<2x3x5x128x4xi32, #ring, 6>, memref<?x3x5x128x4xi32, #stages, 3>
  // CHECK: tcgen05.cp <shape_128x128b> %[[DST]][%[[I]], %[[J]]], %[[PLAIN]][%[[J]], %[[I]]] :
  tcgen05.cp <shape_128x128b> %dst[%i, %j], %plain[%j, %i] : memref<2x3x5x128x4xi32, #ring, 6>, memref<?x?x5x128x4xi32, 3>
  return
}
