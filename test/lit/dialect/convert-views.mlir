// Upstream's conversion of a gpu.module leaves views and copies whole; what it cannot convert stays
// behind a cast, and nothing ends the process.

// RUN: tcgen05-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true}))" | FileCheck %s

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#smem = #tcgen05.smem_layout<(128, 4) : (32, 1), swizzle = 3>

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @views(
  // CHECK: tcgen05.view %{{.+}} : i32 to memref<128x4xi32, #tmem_layout, 6>
  // CHECK: tcgen05.view %{{.+}} : !llvm.ptr<3> to memref<128x4xi32, #smem_layout, 3>
  // CHECK: tcgen05.view %{{.+}} alignment(1024) : memref<2048xi8, #gpu.address_space<workgroup>> to memref<128x4xi32, #smem_layout, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.address %{{.+}}[%{{.+}}] : memref<128x4xi32, #tmem_layout, 6> -> i32
  // CHECK: llvm.store
  // CHECK-COUNT-2: tcgen05.cp <shape_128x128b>
  // CHECK: llvm.return
  gpu.func @views(%t: i32, %p: !llvm.ptr<3>, %out: memref<i32, 1>) workgroup(%buffer: memref<2048xi8, #gpu.address_space<workgroup>> {llvm.align = 1024 : i64}) kernel {
    %i = gpu.thread_id x
    %tensor = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
    %pointer = tcgen05.view %p : !llvm.ptr<3> to memref<128x4xi32, #smem, 3>
    %shared = tcgen05.view %buffer alignment(1024) : memref<2048xi8, #gpu.address_space<workgroup>>
        to memref<128x4xi32, #smem, #gpu.address_space<workgroup>>
    %a = tcgen05.address %tensor[%i] : memref<128x4xi32, #tile, 6> -> i32
    memref.store %a, %out[] : memref<i32, 1>
    tcgen05.cp <shape_128x128b> %tensor, %pointer : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #smem, 3>
    tcgen05.cp <shape_128x128b> %tensor, %shared
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #smem, #gpu.address_space<workgroup>>
    gpu.return
  }
}
