// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// Rules C1 to C4: every message of the verifier, whole. C5 is in cp-descriptor-invalid.mlir.

// C1: shape and multicast.

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @c1_128x256b(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'multicast' must be none with shape_128x256b, got warpx4 [C1]{{$}}}}
  // expected-note-re @below {{{{^}}legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4, each without 'src_format' or with b4x16_p64 or b6x16_p32{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src multicast(<warpx4>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c1_128x128b(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'multicast' must be none with shape_128x128b, got warpx2_02_13 [C1]{{$}}}}
  // expected-note-re @below {{{{^}}legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4, each without 'src_format' or with b4x16_p64 or b6x16_p32{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src multicast(<warpx2_02_13>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @c1_4x256b(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'multicast' must be none with shape_4x256b, got warpx2_01_23 [C1]{{$}}}}
  // expected-note-re @below {{{{^}}legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4, each without 'src_format' or with b4x16_p64 or b6x16_p32{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src multicast(<warpx2_01_23>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
func.func @c1_64x128b(%dst: memref<64x4xi32, #tile, 6>, %src: memref<64x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'multicast' must be warpx2_02_13 or warpx2_01_23 with shape_64x128b, got none [C1]{{$}}}}
  // expected-note-re @below {{{{^}}legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4, each without 'src_format' or with b4x16_p64 or b6x16_p32{{$}}}}
  tcgen05.cp <shape_64x128b> %dst, %src : memref<64x4xi32, #tile, 6>, memref<64x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
func.func @c1_32x128b(%dst: memref<32x4xi32, #tile, 6>, %src: memref<32x4xi32, 3>) {
  // The other clauses do not matter: cta_group and source format go with every form.
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'multicast' must be warpx4 with shape_32x128b, got none [C1]{{$}}}}
  // expected-note-re @below {{{{^}}legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, 32x128b.warpx4, each without 'src_format' or with b4x16_p64 or b6x16_p32{{$}}}}
  tcgen05.cp <shape_32x128b> %dst, %src cta_group(<cta_2>) src_format(<b6x16_p32>) : memref<32x4xi32, #tile, 6>, memref<32x4xi32, 3>
  return
}

// -----

// C2: where the operands live. B08: a copy into space 3, and from space 1.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @b08_dst_in_shared_memory(%dst: memref<128x4xi32, #tile, 3>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got 3 [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 3>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @b08_src_in_global_memory(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 1>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be in shared memory (#gpu.address_space<workgroup>, 3 or #nvvm.memory_space<shared>), got 1 [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 1>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_dst_in_default_space(%dst: memref<128x4xi32, #tile>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got the default memory space [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_dst_in_workgroup_memory(%dst: memref<128x4xi32, #tile, #gpu.address_space<workgroup>>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got #gpu.address_space<workgroup> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, #gpu.address_space<workgroup>>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_dst_in_nvvm_shared_memory(%dst: memref<128x4xi32, #tile, #nvvm.memory_space<shared>>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got #nvvm.memory_space<shared> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, #nvvm.memory_space<shared>>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_dst_in_a_named_space(%dst: memref<128x4xi32, #tile, "tensor">, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got "tensor" [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, "tensor">, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_dst_in_a_negative_space(%dst: memref<128x4xi32, #tile, -6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got -6 [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, -6>, memref<128x4xi32, 3>
  return
}

// -----

func.func @c2_dst_without_layout(%dst: memref<128x4xi32, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must have a #tcgen05.tmem_layout, got the identity layout [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, 6>, memref<128x4xi32, 3>
  return
}

// -----

func.func @c2_dst_with_strides(%dst: memref<128x4xi32, strided<[65536, 1]>, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must have a #tcgen05.tmem_layout, got strided<[65536, 1]> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, strided<[65536, 1]>, 6>, memref<128x4xi32, 3>
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0 * 65536 + d1)>
func.func @c2_dst_with_affine_map(%dst: memref<128x4xi32, #map, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must have a #tcgen05.tmem_layout, got affine_map<(d0, d1) -> (d0 * 65536 + d1)> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #map, 6>, memref<128x4xi32, 3>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @c2_dst_with_smem_layout(%dst: memref<128x4xi32, #smem, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must have a #tcgen05.tmem_layout, got #tcgen05.smem_layout<(128, 4) : (4, 1)> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #smem, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_src_in_default_space(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be in shared memory (#gpu.address_space<workgroup>, 3 or #nvvm.memory_space<shared>), got the default memory space [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_src_in_tensor_memory(%dst: memref<128x4xi32, #tile, 6>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be in shared memory (#gpu.address_space<workgroup>, 3 or #nvvm.memory_space<shared>), got 6 [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %dst : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #tile, 6>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_src_in_private_memory(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, #gpu.address_space<private>>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be in shared memory (#gpu.address_space<workgroup>, 3 or #nvvm.memory_space<shared>), got #gpu.address_space<private> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #gpu.address_space<private>>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_src_in_cluster_memory(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, #nvvm.memory_space<shared_cluster>>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must be in shared memory (#gpu.address_space<workgroup>, 3 or #nvvm.memory_space<shared>), got #nvvm.memory_space<shared_cluster> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #nvvm.memory_space<shared_cluster>>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c2_src_with_tmem_layout(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, #tile, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must have a layout of shared memory, got #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)> [C2]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #tile, 3>
  return
}

// -----

// C3: element types.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_float_into_integer(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xf32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'i32' and 'f32' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<128x4xf32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_16_bits(%dst: memref<128x4xf16, #tile, 6>, %src: memref<128x4xf16, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'f16' and 'f16' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xf16, #tile, 6>, memref<128x4xf16, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_64_bits(%dst: memref<128x4xi64, #tile, 6>, %src: memref<128x4xi64, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'i64' and 'i64' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi64, #tile, 6>, memref<128x4xi64, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_signs_differ(%dst: memref<128x4xui32, #tile, 6>, %src: memref<128x4xsi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'ui32' and 'si32' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xui32, #tile, 6>, memref<128x4xsi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_index(%dst: memref<128x4xindex, #tile, 6>, %src: memref<128x4xindex, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'index' and 'index' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xindex, #tile, 6>, memref<128x4xindex, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_vector(%dst: memref<128x4xvector<4xi8>, #tile, 6>, %src: memref<128x4xvector<4xi8>, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'vector<4xi8>' and 'vector<4xi8>' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xvector<4xi8>, #tile, 6>, memref<128x4xvector<4xi8>, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c3_complex(%dst: memref<128x4xcomplex<f16>, #tile, 6>, %src: memref<128x4xcomplex<f16>, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must have the same 32-bit element type, got 'complex<f16>' and 'complex<f16>' [C3]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xcomplex<f16>, #tile, 6>, memref<128x4xcomplex<f16>, 3>
  return
}

// -----

// C4: dimensions.

#tile = #tcgen05.tmem_layout<(128) : (1@lane)>
func.func @c4_one_dimension(%dst: memref<128xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must keep two dimensions (row, word) behind its indices, got 1 dimensions and 0 indices [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_no_dimension(%dst: memref<128x4xi32, #tile, 6>, %src: memref<i32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must keep two dimensions (row, word) behind its indices, got 0 dimensions and 0 indices [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<i32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_too_many_dst_indices(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must keep two dimensions (row, word) behind its indices, got 2 dimensions and 1 indices [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst[%i], %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_too_many_src_indices(%dst: memref<128x4xi32, #tile, 6>, %src: memref<3x128x4xi32, 3>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must keep two dimensions (row, word) behind its indices, got 3 dimensions and 2 indices [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src[%i, %i] : memref<128x4xi32, #tile, 6>, memref<3x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(1, 128, 4) : (0@col, 1@lane, 1@col)>
func.func @c4_no_repeat(%dst: memref<1x128x4xi32, #tile, 6>, %src: memref<0x128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must be static and positive, got 0 [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<1x128x4xi32, #tile, 6>, memref<0x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_no_stage(%dst: memref<128x4xi32, #tile, 6>, %src: memref<0x128x4xi32, 3>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must be positive, got 0 [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src[%i] : memref<128x4xi32, #tile, 6>, memref<0x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_no_row(%dst: memref<128x4xi32, #tile, 6>, %src: memref<0x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must be static and positive, got 0 [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x4xi32, #tile, 6>, memref<0x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @c4_dynamic_repeat(%dst: memref<2x128x4xi32, #tile, 6>, %src: memref<?x128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 0 must be static and positive, got ? [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<2x128x4xi32, #tile, 6>, memref<?x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @c4_dynamic_words(%dst: memref<128x4xi32, #tile, 6>, %src: memref<?x128x?xi32, 3>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' dimension 2 must be static and positive, got ? [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src[%i] : memref<128x4xi32, #tile, 6>, memref<?x128x?xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @c4_dst_atom(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' must end in 128x4 (rows x 32-bit words of 128x128b), got 128x8 [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<128x8xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
func.func @c4_src_atom(%dst: memref<64x4xi32, #tile, 6>, %src: memref<2x32x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'src' must end in 64x4 (rows x 32-bit words of 64x128b.warpx2::02_13), got 32x4 [C4]{{$}}}}
  tcgen05.cp <shape_64x128b> %dst, %src multicast(<warpx2_02_13>) : memref<64x4xi32, #tile, 6>, memref<2x32x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @c4_repeats_differ(%dst: memref<4x128x4xi32, #tile, 6>, %src: memref<3x128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must repeat alike, got (4) and (3) [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<4x128x4xi32, #tile, 6>, memref<3x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @c4_repeats_are_grouped_differently(%dst: memref<4x128x4xi32, #tile, 6>, %src: memref<2x2x128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must repeat alike, got (4) and (2, 2) [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src : memref<4x128x4xi32, #tile, 6>, memref<2x2x128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @c4_one_side_repeats(%dst: memref<4x128x4xi32, #tile, 6>, %src: memref<4x128x4xi32, 3>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'dst' and 'src' must repeat alike, got (4) and () [C4]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src[%i] : memref<4x128x4xi32, #tile, 6>, memref<4x128x4xi32, 3>
  return
}
