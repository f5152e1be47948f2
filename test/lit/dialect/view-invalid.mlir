// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --split-input-file --verify-diagnostics

// Rules V1 to V4: every message of the verifiers of view and address, whole.

// V1: the address and the result agree on the memory.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v1_tensor_from_i64(%a: i64) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be an i32 or !llvm.ptr<6> for a result in tensor memory, got 'i64' [V1]{{$}}}}
  %0 = tcgen05.view %a : i64 to memref<128x4xi32, #tile, 6>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v1_tensor_from_unsigned(%a: ui32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be an i32 or !llvm.ptr<6> for a result in tensor memory, got 'ui32' [V1]{{$}}}}
  %0 = tcgen05.view %a : ui32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v1_tensor_from_shared_pointer(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be an i32 or !llvm.ptr<6> for a result in tensor memory, got '!llvm.ptr<3>' [V1]{{$}}}}
  %0 = tcgen05.view %a : !llvm.ptr<3> to memref<128x4xi32, #tile, 6>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v1_tensor_from_view(%a: memref<128x4xi32, #tile, 6>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be an i32 or !llvm.ptr<6> for a result in tensor memory, got 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>' [V1]{{$}}}}
  %0 = tcgen05.view %a : memref<128x4xi32, #tile, 6> to memref<128x4xi32, #tile, 6>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_shared_from_tensor_pointer(%a: !llvm.ptr<6>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a memref in shared memory or !llvm.ptr<3> for a result in shared memory, got '!llvm.ptr<6>' [V1]{{$}}}}
  %0 = tcgen05.view %a : !llvm.ptr<6> to memref<128x4xi32, #smem, 3>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_shared_from_integer(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a memref in shared memory or !llvm.ptr<3> for a result in shared memory, got 'i32' [V1]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi32, #smem, #gpu.address_space<workgroup>>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_shared_from_global(%a: memref<512xi32, 1>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a memref in shared memory or !llvm.ptr<3> for a result in shared memory, got 'memref<512xi32, 1>' [V1]{{$}}}}
  %0 = tcgen05.view %a : memref<512xi32, 1> to memref<128x4xi32, #smem, 3>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_shared_from_unranked(%a: memref<*xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a memref in shared memory or !llvm.ptr<3> for a result in shared memory, got 'memref<*xi32, 3>' [V1]{{$}}}}
  %0 = tcgen05.view %a : memref<*xi32, 3> to memref<128x4xi32, #smem, 3>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_view_of_a_view(%a: memref<128x4xi32, #smem, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a plain or strided buffer, got one with layout #tcgen05.smem_layout<(128, 4) : (4, 1)>; view the buffer itself [V1]{{$}}}}
  %0 = tcgen05.view %a : memref<128x4xi32, #smem, 3> to memref<128x4xi32, #smem, 3>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v1_view_of_a_tensor_layout(%a: memref<128x4xi32, #tile, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'address' must be a plain or strided buffer, got one with layout #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>; view the buffer itself [V1]{{$}}}}
  %0 = tcgen05.view %a : memref<128x4xi32, #tile, 3> to memref<128x4xi32, #smem, 3>
  return
}

// -----

func.func @v1_result_in_default_space(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must be in tensor memory or in shared memory, got the default memory space [V1]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi32>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v1_result_in_global_memory(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must be in tensor memory or in shared memory, got #gpu.address_space<global> [V1]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi32, #tile, #gpu.address_space<global>>
  return
}

// -----

// V2: 32-bit elements, and the layout of the memory.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v2_bytes(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must have a 32-bit element type, got 'i8' [V2]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi8, #tile, 6>
  return
}

// -----

func.func @v2_half(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must have a 32-bit element type, got 'f16' [V2]{{$}}}}
  %0 = tcgen05.view %a : !llvm.ptr<3> to memref<128x4xf16, 3>
  return
}

// -----

func.func @v2_tensor_without_layout(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must have a #tcgen05.tmem_layout, got the identity layout [V2]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi32, 6>
  return
}

// -----

#smem = #tcgen05.smem_layout<(128, 4) : (4, 1)>
func.func @v2_tensor_with_smem_layout(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must have a #tcgen05.tmem_layout, got #tcgen05.smem_layout<(128, 4) : (4, 1)> [V2]{{$}}}}
  %0 = tcgen05.view %a : i32 to memref<128x4xi32, #smem, 6>
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v2_shared_with_tmem_layout(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'view' must have a layout of shared memory, got #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)> [V2]{{$}}}}
  %0 = tcgen05.view %a : !llvm.ptr<3> to memref<128x4xi32, #tile, 3>
  return
}

// -----

// V3: alignment.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v3_in_tensor_memory(%a: i32) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' applies to shared memory, got a result in tensor memory [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(16) : i32 to memref<128x4xi32, #tile, 6>
  return
}

// -----

func.func @v3_zero(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got 0 [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(0) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return
}

// -----

func.func @v3_no_power_of_two(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got 48 [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(48) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return
}

// -----

func.func @v3_too_large(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got 262144 [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(262144) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return
}

// -----

func.func @v3_negative(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got -16 [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(-16) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return
}

// -----

func.func @v3_smallest(%a: !llvm.ptr<3>) {
  // expected-error-re @below {{{{^}}'tcgen05.view' op 'alignment' must be a power of two in 1..131072 bytes, got -9223372036854775808 [V3]{{$}}}}
  %0 = tcgen05.view %a alignment(-9223372036854775808) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return
}

// -----

// V4: address.

func.func @v4_shared(%a: memref<128x4xi32, 3>) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'view' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got 3 [V4]{{$}}}}
  %0 = tcgen05.address %a : memref<128x4xi32, 3> -> i32
  return
}

// -----

func.func @v4_default_space(%a: memref<128x4xi32>) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'view' must be in tensor memory (#nvvm.memory_space<tensor> or 6), got the default memory space [V4]{{$}}}}
  %0 = tcgen05.address %a : memref<128x4xi32> -> i32
  return
}

// -----

func.func @v4_without_layout(%a: memref<128x4xi32, 6>) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'view' must have a #tcgen05.tmem_layout, got the identity layout [V4]{{$}}}}
  %0 = tcgen05.address %a : memref<128x4xi32, 6> -> i32
  return
}

// -----

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
func.func @v4_too_many_indices(%a: memref<128x4xi32, #tile, 6>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'indices' must be at most 2, got 3 [V4]{{$}}}}
  %0 = tcgen05.address %a[%i, %i, %i] : memref<128x4xi32, #tile, 6> -> i32
  return
}

// -----

#scalar = #tcgen05.tmem_layout<() : ()>
func.func @v4_index_into_a_scalar(%a: memref<i32, #scalar, 6>, %i: index) {
  // expected-error-re @below {{{{^}}'tcgen05.address' op 'indices' must be at most 0, got 1 [V4]{{$}}}}
  %0 = tcgen05.address %a[%i] : memref<i32, #scalar, 6> -> i32
  return
}
