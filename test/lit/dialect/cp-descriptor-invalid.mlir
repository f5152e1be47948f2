// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// Rule C5: every message of the verifier, whole. The accepted siblings are in cp-descriptor.mlir.

// A06: an offset that the field cannot hold, read or not.

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @a06_sdo_24(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be a multiple of 16 in 0..262128 bytes, got 24 [C5]{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 16, sdo = 24>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @a06_ldo_8(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be a multiple of 16 in 0..262128 bytes, got 8 [C5]{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 8, sdo = 16>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @a06_sdo_262144(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be a multiple of 16 in 0..262128 bytes, got 262144 [C5]{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 16, sdo = 262144>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @a06_sdo_minus_16(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be a multiple of 16 in 0..262128 bytes, got -16 [C5]{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<ldo = 16, sdo = -16>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @ldo_262144(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be a multiple of 16 in 0..262128 bytes, got 262144 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<ldo = 262144, sdo = 256>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @ldo_minus_16(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be a multiple of 16 in 0..262128 bytes, got -16 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<ldo = -16, sdo = 256>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @ldo_that_is_not_read(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be a multiple of 16 in 0..262128 bytes, got 4 [C5]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(<ldo = 4, sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @sdo_smallest(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be a multiple of 16 in 0..262128 bytes, got -9223372036854775808 [C5]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(<sdo = -9223372036854775808>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @sdo_largest(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be a multiple of 16 in 0..262128 bytes, got 9223372036854775807 [C5]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(<sdo = 9223372036854775807>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

// The swizzle is none of the hardware field's numbers.

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @swizzle_4(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 4 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<sdo = 1024, swizzle = 4>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @swizzle_minus_1(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got -1 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<sdo = 1024, swizzle = -1>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @swizzle_comes_first(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 7 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<ldo = 1, sdo = 1, swizzle = 7>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @swizzle_smallest(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got -9223372036854775808 [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<swizzle = -9223372036854775808>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

// A03: what the hardware reads must be there.

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @a03_ldo_missing(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be given: 128x256b reads it when unswizzled [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<sdo = 256>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
func.func @ldo_missing_4x256b(%dst: memref<4x8xi32, #tile, 6>, %src: memref<4x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'ldo' must be given: 4x256b reads it when unswizzled [C5]{{$}}}}
  tcgen05.cp <shape_4x256b> %dst, %src descriptor(<>) : memref<4x8xi32, #tile, 6>, memref<4x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @sdo_missing_128x256b(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 128x256b reads it [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<ldo = 128>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
func.func @sdo_missing_swizzled(%dst: memref<128x8xi32, #tile, 6>, %src: memref<128x8xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 128x256b reads it [C5]{{$}}}}
  tcgen05.cp <shape_128x256b> %dst, %src descriptor(<swizzle = 3>) : memref<128x8xi32, #tile, 6>, memref<128x8xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @sdo_missing_128x128b(%dst: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 128x128b reads it [C5]{{$}}}}
  tcgen05.cp <shape_128x128b> %dst, %src descriptor(<ldo = 16>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)>
func.func @sdo_missing_02_13(%dst: memref<64x4xi32, #tile, 6>, %src: memref<64x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 64x128b.warpx2::02_13 reads it [C5]{{$}}}}
  tcgen05.cp <shape_64x128b> %dst, %src multicast(<warpx2_02_13>) descriptor(<>) : memref<64x4xi32, #tile, 6>, memref<64x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>
func.func @sdo_missing_01_23(%dst: memref<64x4xi32, #tile, 6>, %src: memref<64x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 64x128b.warpx2::01_23 reads it [C5]{{$}}}}
  tcgen05.cp <shape_64x128b> %dst, %src multicast(<warpx2_01_23>) descriptor(<swizzle = 1>) : memref<64x4xi32, #tile, 6>, memref<64x4xi32, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)>
func.func @sdo_missing_32x128b(%dst: memref<32x4xi32, #tile, 6>, %src: memref<32x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.cp' op 'sdo' must be given: 32x128b.warpx4 reads it [C5]{{$}}}}
  tcgen05.cp <shape_32x128b> %dst, %src multicast(<warpx4>) descriptor(<ldo = 0>) : memref<32x4xi32, #tile, 6>, memref<32x4xi32, 3>
  return
}
