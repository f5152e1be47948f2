// RUN: tcgen05-opt %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s

// Rules V1 to V4: what the verifiers of view and address accept.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#smem = #tcgen05.smem_layout<(128, 4) : (32, 1), offset = 4, swizzle = 3>
#stages = #tcgen05.smem_layout<(?, 128, 4) : (512, 4, 1)>
#map = affine_map<(d0, d1) -> (d0 * 8 + d1)>

// CHECK-LABEL: func.func @v1_tensor
func.func @v1_tensor(%i: i32, %p: !llvm.ptr<6>) {
  // CHECK: tcgen05.view %{{.*}} : i32 to memref<128x4xi32, #{{.*}}, #nvvm.memory_space<tensor>>
  %0 = tcgen05.view %i : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  // CHECK: tcgen05.view %{{.*}} : i32 to memref<128x4xf32, #{{.*}}, 6>
  %1 = tcgen05.view %i : i32 to memref<128x4xf32, #tile, 6>
  // CHECK: tcgen05.view %{{.*}} : !llvm.ptr<6> to memref<128x4xi32, #{{.*}}, 6>
  %2 = tcgen05.view %p : !llvm.ptr<6> to memref<128x4xi32, #tile, 6>
  return
}

// Bytes are bytes: the buffer's shape and element type are its own.
// CHECK-LABEL: func.func @v1_shared
func.func @v1_shared(%p: !llvm.ptr<3>, %bytes: memref<65536xi8, #gpu.address_space<workgroup>>, %half: memref<?x64xf16, 3>,
                     %nvvm: memref<128x4xi32, #nvvm.memory_space<shared>>, %strided: memref<128x4xi32, strided<[?, 1], offset: ?>, 3>,
                     %affine: memref<128x4xi32, #map, 3>) {
  // CHECK: tcgen05.view %{{.*}} : !llvm.ptr<3> to memref<128x4xi32, #{{.*}}, 3>
  %0 = tcgen05.view %p : !llvm.ptr<3> to memref<128x4xi32, #smem, 3>
  // CHECK: tcgen05.view %{{.*}} : memref<65536xi8, #gpu.address_space<workgroup>> to memref<?x128x4xf32, #{{.*}}, #gpu.address_space<workgroup>>
  %1 = tcgen05.view %bytes : memref<65536xi8, #gpu.address_space<workgroup>> to memref<?x128x4xf32, #stages, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.view %{{.*}} : memref<?x64xf16, 3> to memref<128x4xi32, #{{.*}}, #nvvm.memory_space<shared>>
  %2 = tcgen05.view %half : memref<?x64xf16, 3> to memref<128x4xi32, #smem, #nvvm.memory_space<shared>>
  // CHECK: tcgen05.view %{{.*}} : memref<128x4xi32, #nvvm.memory_space<shared>> to memref<128x4xi32, 3>
  %3 = tcgen05.view %nvvm : memref<128x4xi32, #nvvm.memory_space<shared>> to memref<128x4xi32, 3>
  // CHECK: tcgen05.view %{{.*}} : memref<128x4xi32, strided<[?, 1], offset: ?>, 3> to memref<128x4xi32, #{{.*}}, 3>
  %4 = tcgen05.view %strided : memref<128x4xi32, strided<[?, 1], offset: ?>, 3> to memref<128x4xi32, #smem, 3>
  // CHECK: tcgen05.view %{{.*}} : memref<128x4xi32, #{{.*}}, 3> to memref<128x4xi32, strided<[8, 1]>, 3>
  %5 = tcgen05.view %affine : memref<128x4xi32, #map, 3> to memref<128x4xi32, strided<[8, 1]>, 3>
  return
}

// CHECK-LABEL: func.func @v3_alignment
func.func @v3_alignment(%p: !llvm.ptr<3>) {
  // CHECK: alignment(1) :
  %0 = tcgen05.view %p alignment(1) : !llvm.ptr<3> to memref<128x4xi32, #smem, 3>
  // CHECK: alignment(1024) {mydialect.a} :
  %1 = tcgen05.view %p alignment(1024) {mydialect.a} : !llvm.ptr<3> to memref<128x4xi32, #smem, 3>
  // CHECK: alignment(131072) :
  %2 = tcgen05.view %p alignment(131072) : !llvm.ptr<3> to memref<128x4xi32, #smem, 3>
  return
}

// CHECK-LABEL: func.func @v4_address
func.func @v4_address(%t: memref<128x4xi32, #tile, 6>, %i: index, %j: index) -> i32 {
  // CHECK: tcgen05.address %[[T:.*]] : memref<128x4xi32, #[[L:[a-z0-9_]+]], 6> -> i32
  %0 = tcgen05.address %t : memref<128x4xi32, #tile, 6> -> i32
  // CHECK: tcgen05.address %[[T]][%[[I:.*]]] : memref<128x4xi32, #[[L]], 6> -> i32
  %1 = tcgen05.address %t[%i] : memref<128x4xi32, #tile, 6> -> i32
  // CHECK: tcgen05.address %[[T]][%[[I]], %{{.*}}] {mydialect.a = 1 : i64} : memref<128x4xi32, #[[L]], 6> -> i32
  %2 = tcgen05.address %t[%i, %j] {mydialect.a = 1} : memref<128x4xi32, #tile, 6> -> i32
  return %2 : i32
}
