// Custom, generic and bytecode form of one module are one module, in tcgen05-opt and in the stock
// mlir-opt with the plugin, and each reads what the other wrote.

// RUN: tcgen05-opt %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tcgen05-opt %t.mlir | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --mlir-print-op-generic -o %t.generic.mlir
// RUN: FileCheck %s --check-prefix=GENERIC --input-file=%t.generic.mlir
// RUN: tcgen05-opt %t.generic.mlir | diff %t.mlir -
// RUN: tcgen05-opt %t.mlir --emit-bytecode -o %t.mlirbc
// RUN: tcgen05-opt %t.mlirbc | diff %t.mlir -
// RUN: tcgen05-opt %t.mlirbc --mlir-print-op-generic | diff %t.generic.mlir -

// RUN: mlir-opt --load-dialect-plugin=%plugin %s | diff %t.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %t.mlirbc | diff %t.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %t.mlir --mlir-print-op-generic | diff %t.generic.mlir -
// RUN: mlir-opt --load-dialect-plugin=%plugin %t.generic.mlir --emit-bytecode | tcgen05-opt | diff %t.mlir -

// Locations come through too.
// RUN: tcgen05-opt %s --mlir-print-debuginfo --mlir-print-local-scope -o %t.loc.mlir
// RUN: tcgen05-opt %t.loc.mlir --emit-bytecode | tcgen05-opt --mlir-print-debuginfo --mlir-print-local-scope | diff %t.loc.mlir -

// An alias per layout, whatever the file called it; equal replica sets are one layout; inner modes
// lose their nesting; zero strides, offsets and defaults have one spelling.
// CHECK-DAG: #[[SMEM:smem_layout[0-9]*]] = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1)), offset = -4, swizzle = 3>
// CHECK-DAG: #[[STAGES:smem_layout[0-9]*]] = #tcgen05.smem_layout<((?, 2), 128, 4) : ((1024, 512), 4, 1)>
// CHECK-DAG: #[[TILE:tmem_layout[0-9]*]] = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
// CHECK-DAG: #[[SF:tmem_layout[0-9]*]] = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>
// CHECK-DAG: #[[NEST:tmem_layout[0-9]*]] = #tcgen05.tmem_layout<((2, 2, 16), 4) : ((64@lane, -16@lane, 1@lane), 0@col), replicas = (2, 2) : (32@lane, 64@col), offset = (0@lane, -16@col)>
// CHECK-DAG: #[[SCALAR:tmem_layout[0-9]*]] = #tcgen05.tmem_layout<() : (), offset = (5@lane, 0@col)>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col), replicas = (1) : (0@lane), offset = (0@col)>
#sf = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (2, 2) : (64@lane, 32@lane)>
#sf2 = #tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = ((2, 1), 2) : ((32@lane, 7@col), 64@lane)>
#nest = #tcgen05.tmem_layout<((2, (2, ((16)))), (4)) : ((64@lane, (-16@lane, 1@lane)), 0@lane), offset = (-16@col), replicas = (2, 2) : (64@col, 32@lane)>
#scalar = #tcgen05.tmem_layout<() : (), offset = (5@lane)>
#smem = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1)), swizzle = 3, offset = -4>
#stages = #tcgen05.smem_layout<((?, 2), 128, 4) : ((1024, 512), 4, 1), offset = 0, swizzle = 0>

// CHECK: func.func @f(%[[TADDR:.+]]: i32, %[[P:.+]]: i1, %[[I:.+]]: index, %[[PTR:.+]]: !llvm.ptr<3>, %[[SRC:.+]]: memref<3x4x32x4xi32, #gpu.address_space<workgroup>>) -> i32 {
func.func @f(%taddr: i32, %p: i1, %i: index, %ptr: !llvm.ptr<3>,
             %src: memref<3x4x32x4xi32, #gpu.address_space<workgroup>>) -> i32 {
  // CHECK: %[[T:.+]] = tcgen05.view %[[TADDR]] : i32 to memref<128x4xi32, #[[TILE]], #nvvm.memory_space<tensor>>
  // GENERIC: %[[T:.+]] = "tcgen05.view"(%{{.+}}) : (i32) -> memref<128x4xi32, #{{.+}}, #nvvm.memory_space<tensor>>
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  // CHECK: tcgen05.view %[[TADDR]] : i32 to memref<4x32x4xi32, #[[SF]], 6>
  %sf = tcgen05.view %taddr : i32 to memref<4x32x4xi32, #sf, 6>
  // CHECK: tcgen05.view %[[TADDR]] : i32 to memref<4x32x4xi32, #[[SF]], 6>
  %sf2 = tcgen05.view %taddr : i32 to memref<4x32x4xi32, #sf2, 6>
  // CHECK: tcgen05.view %[[TADDR]] : i32 to memref<64x4xi32, #[[NEST]], 6>
  %nest = tcgen05.view %taddr : i32 to memref<64x4xi32, #nest, 6>
  // CHECK: tcgen05.view %[[TADDR]] : i32 to memref<i32, #[[SCALAR]], 6>
  %scalar = tcgen05.view %taddr : i32 to memref<i32, #scalar, 6>
  // CHECK: %[[S:.+]] = tcgen05.view %[[PTR]] alignment(1024) : !llvm.ptr<3> to memref<128x8xi32, #[[SMEM]], 3>
  // GENERIC: "tcgen05.view"(%{{.+}}) <{alignment = 1024 : i64}> : (!llvm.ptr<3>) -> memref<128x8xi32, #{{.+}}, 3>
  %s = tcgen05.view %ptr alignment(1024) : !llvm.ptr<3> to memref<128x8xi32, #smem, 3>
  // CHECK: %[[STAGE:.+]] = tcgen05.view %[[PTR]] : !llvm.ptr<3> to memref<?x128x4xi32, #[[STAGES]], 3>
  %stages = tcgen05.view %ptr : !llvm.ptr<3> to memref<?x128x4xi32, #stages, 3>
  // CHECK: tcgen05.cp <shape_128x128b> %[[T]], %[[STAGE]][%[[I]]] : memref<128x4xi32, #[[TILE]], #nvvm.memory_space<tensor>>, memref<?x128x4xi32, #[[STAGES]], 3>
  // GENERIC: "tcgen05.cp"(%[[T]], %{{.+}}, %{{.+}}) <{cta_group = #nvvm.cta_group<cta_1>, multicast = #nvvm.tcgen05_cp_multicast<none>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>, shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}> : (
  tcgen05.cp <shape_128x128b> %t, %stages[%i]
      : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>, memref<?x128x4xi32, #stages, 3>
  // CHECK: tcgen05.cp <shape_32x128b> %{{.+}}, %[[SRC]][%[[I]]] multicast(<warpx4>) cta_group(<cta_2>) src_format(<b4x16_p64>) descriptor(<ldo = 16, sdo = 128>) predicate(%[[P]]) {mydialect.note = "sf"} : memref<4x32x4xi32, #[[SF]], 6>, memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
  // GENERIC: "tcgen05.cp"(%{{.+}}) <{cta_group = #nvvm.cta_group<cta_2>, descriptor = #tcgen05.smem_desc<ldo = 16, sdo = 128>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>, shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, src_format = #nvvm.tcgen05_cp_src_fmt<b4x16_p64>}> {mydialect.note = "sf"} : (
  tcgen05.cp <shape_32x128b> %sf, %src[%i] multicast(<warpx4>) cta_group(<cta_2>) src_format(<b4x16_p64>)
      descriptor(<ldo = 16, sdo = 128, swizzle = 0>) predicate(%p) {mydialect.note = "sf"}
      : memref<4x32x4xi32, #sf, 6>, memref<3x4x32x4xi32, #gpu.address_space<workgroup>>
  // CHECK: tcgen05.address %[[T]][%[[I]]] : memref<128x4xi32, #[[TILE]], #nvvm.memory_space<tensor>> -> i32
  // GENERIC: "tcgen05.address"(%[[T]], %{{.+}}) : (memref<128x4xi32, #{{.+}}, #nvvm.memory_space<tensor>>, index) -> i32
  %a = tcgen05.address %t[%i] : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>> -> i32
  return %a : i32
}
