// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics

// Upstream's ops refuse what would lose a layout: the layouts report no strides, so nothing can be
// cut out of a view, cast to strides or reshaped. Subviews come first, the view last.

func.func @subview_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}base type 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>' is not strided{{$}}}}
  %0 = memref.subview %m[0, 0] [64, 4] [1, 1] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> to memref<64x4xi32, strided<[4, 1]>, 6>
  return
}

// -----

func.func @subview_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}base type 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>' is not strided{{$}}}}
  %0 = memref.subview %m[0, 0] [64, 4] [1, 1] : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> to memref<64x4xi32, strided<[4, 1]>, 3>
  return
}

// -----

func.func @cast_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.cast' op operand type 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>' and result type 'memref<?x4xi32, 6>' are cast incompatible{{$}}}}
  %0 = memref.cast %m : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> to memref<?x4xi32, 6>
  return
}

// -----

func.func @cast_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.cast' op operand type 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>' and result type 'memref<?x4xi32, 3>' are cast incompatible{{$}}}}
  %0 = memref.cast %m : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> to memref<?x4xi32, 3>
  return
}

// -----

func.func @cast_to_strides_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.cast' op operand type 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>' and result type 'memref<128x4xi32, strided<[?, ?], offset: ?>, 6>' are cast incompatible{{$}}}}
  %0 = memref.cast %m : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> to memref<128x4xi32, strided<[?, ?], offset: ?>, 6>
  return
}

// -----

func.func @cast_to_strides_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.cast' op operand type 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>' and result type 'memref<128x4xi32, strided<[?, ?], offset: ?>, 3>' are cast incompatible{{$}}}}
  %0 = memref.cast %m : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> to memref<128x4xi32, strided<[?, ?], offset: ?>, 3>
  return
}

// -----

func.func @expand_shape_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.expand_shape' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>'{{$}}}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 64, 4] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> into memref<2x64x4xi32, 6>
  return
}

// -----

func.func @expand_shape_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.expand_shape' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>'{{$}}}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 64, 4] : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> into memref<2x64x4xi32, 3>
  return
}

// -----

func.func @collapse_shape_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.collapse_shape' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>'{{$}}}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> into memref<512xi32, 6>
  return
}

// -----

func.func @collapse_shape_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.collapse_shape' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>'{{$}}}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> into memref<512xi32, 3>
  return
}

// -----

func.func @transpose_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>'{{$}}}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> to memref<4x128xi32, affine_map<(d0, d1) -> (d1 * 4 + d0)>, 6>
  return
}

// -----

func.func @transpose_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.transpose' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>'{{$}}}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> to memref<4x128xi32, affine_map<(d0, d1) -> (d1 * 4 + d0)>, 3>
  return
}

// -----

func.func @metadata_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>'{{$}}}}
  %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %m : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6> -> memref<i32, 6>, index, index, index, index, index
  return
}

// -----

func.func @metadata_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>'{{$}}}}
  %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %m : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3> -> memref<i32, 3>, index, index, index, index, index
  return
}

// -----

func.func @reshape_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.reshape' op source memref type should have identity affine map{{$}}}}
  %0 = memref.reshape %m(%shape) : (memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, memref<1xindex>) -> memref<512xi32, 6>
  return
}

// -----

func.func @reshape_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'memref.reshape' op source memref type should have identity affine map{{$}}}}
  %0 = memref.reshape %m(%shape) : (memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, memref<1xindex>) -> memref<512xi32, 3>
  return
}

// -----

func.func @vector_load_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'vector.load' op most minor memref dim must have unit stride{{$}}}}
  %0 = vector.load %m[%i, %i] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, vector<4xi32>
  return
}

// -----

func.func @vector_load_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'vector.load' op most minor memref dim must have unit stride{{$}}}}
  %0 = vector.load %m[%i, %i] : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, vector<4xi32>
  return
}

// -----

func.func @vector_store_of_tensor(%m: memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'vector.store' op most minor memref dim must have unit stride{{$}}}}
  vector.store %v, %m[%i, %i] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (2) : (16@col)>, 6>, vector<4xi32>
  return
}

// -----

func.func @vector_store_of_shared(%m: memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, %i: index, %v: vector<4xi32>, %shape: memref<1xindex>) {
  // expected-error-re @below {{{{^}}'vector.store' op most minor memref dim must have unit stride{{$}}}}
  vector.store %v, %m[%i, %i] : memref<128x4xi32, #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 8, swizzle = 3>, 3>, vector<4xi32>
  return
}
