// RUN: tcgen05-opt %s --pass-pipeline='builtin.module(tcgen05-infer-descriptors,tcgen05-verify-footprint)' | FileCheck %s

// Descriptors from layouts, which the proof then accepts: canonical where a field is not read.

#dst4 = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#dst8 = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
#scatter = #tcgen05.tmem_layout<(4, 8) : (32@lane, 1@col)>
#matrices = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
#slab = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((32, 4), (512, 1))>
#swizzle1 = #tcgen05.smem_layout<(128, 8) : (8, 1), swizzle = 1>
#swizzle2 = #tcgen05.smem_layout<(128, 8) : (16, 1), offset = 8, swizzle = 2>
#swizzle3 = #tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>
#four = #tcgen05.smem_layout<(4, 8) : (8, 1), swizzle = 1>

memref.global "private" @tile : memref<128x32xi32, #gpu.address_space<workgroup>> {alignment = 1024}
memref.global "private" @dense : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}

// CHECK-LABEL: func.func @descriptors
func.func @descriptors(%a: i32) {
  %d4 = tcgen05.view %a : i32 to memref<128x4xi32, #dst4, #nvvm.memory_space<tensor>>
  %d8 = tcgen05.view %a : i32 to memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>
  %ds = tcgen05.view %a : i32 to memref<4x8xi32, #scatter, #nvvm.memory_space<tensor>>
  %dense = memref.get_global @dense : memref<128x4xi32, #gpu.address_space<workgroup>>
  %b = memref.get_global @tile : memref<128x32xi32, #gpu.address_space<workgroup>>
  %m = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #matrices, #gpu.address_space<workgroup>>
  %l = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #slab, #gpu.address_space<workgroup>>
  %s1 = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #swizzle1, #gpu.address_space<workgroup>>
  %s2 = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #swizzle2, #gpu.address_space<workgroup>>
  %s3 = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<128x8xi32, #swizzle3, #gpu.address_space<workgroup>>
  %f = tcgen05.view %b : memref<128x32xi32, #gpu.address_space<workgroup>> to memref<4x8xi32, #four, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x128b> {{.*}} descriptor(<ldo = 16, sdo = 128>) :
  tcgen05.cp <shape_128x128b> %d4, %dense : memref<128x4xi32, #dst4, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x256b> {{.*}} descriptor(<ldo = 128, sdo = 256>) :
  tcgen05.cp <shape_128x256b> %d8, %m : memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>, memref<128x8xi32, #matrices, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x256b> {{.*}} descriptor(<ldo = 2048, sdo = 128>) :
  tcgen05.cp <shape_128x256b> %d8, %l : memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>, memref<128x8xi32, #slab, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x256b> {{.*}} descriptor(<ldo = 16, sdo = 256, swizzle = 1>) :
  tcgen05.cp <shape_128x256b> %d8, %s1 : memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>, memref<128x8xi32, #swizzle1, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x256b> {{.*}} descriptor(<ldo = 16, sdo = 512, swizzle = 2>) :
  tcgen05.cp <shape_128x256b> %d8, %s2 : memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>, memref<128x8xi32, #swizzle2, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_128x256b> {{.*}} descriptor(<ldo = 16, sdo = 1024, swizzle = 3>) :
  tcgen05.cp <shape_128x256b> %d8, %s3 : memref<128x8xi32, #dst8, #nvvm.memory_space<tensor>>, memref<128x8xi32, #swizzle3, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.cp <shape_4x256b> {{.*}} descriptor(<ldo = 16, sdo = 256, swizzle = 1>) :
  tcgen05.cp <shape_4x256b> %ds, %f : memref<4x8xi32, #scatter, #nvvm.memory_space<tensor>>, memref<4x8xi32, #four, #gpu.address_space<workgroup>>
  // What is given stays, whatever it is of fields that the hardware does not read.
  // CHECK: tcgen05.cp <shape_128x128b> {{.*}} descriptor(<ldo = 4096, sdo = 128>) :
  tcgen05.cp <shape_128x128b> %d4, %dense descriptor(<ldo = 4096, sdo = 128>) : memref<128x4xi32, #dst4, #nvvm.memory_space<tensor>>, memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}
