// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm -o %t.once
// RUN: tcgen05-opt %t.once --convert-tcgen05-to-nvvm -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=path=inline-asm -o %t.once
// RUN: tcgen05-opt %t.once --convert-tcgen05-to-nvvm=path=inline-asm -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: tcgen05-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tcgen05-to-nvvm))' | FileCheck %s --check-prefix=NESTED
// RUN: tcgen05-opt %s --pass-pipeline='builtin.module(func.func(convert-tcgen05-to-nvvm),llvm.func(convert-tcgen05-to-nvvm),gpu.module(gpu.func(convert-tcgen05-to-nvvm)))' | FileCheck %s

// The pass lowers whatever operation it runs on, device code or not; a second run changes nothing.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#rows = #tcgen05.smem_layout<(128, 4) : (4, 1)>

// CHECK-LABEL: func.func @in_a_func(
// CHECK:         nvvm.tcgen05.cp
// CHECK-NOT:     tcgen05.view
// NESTED-LABEL: func.func @in_a_func(
// NESTED:         tcgen05.view
// NESTED-NEXT:    {{ }}tcgen05.cp
func.func @in_a_func(%taddr: i32, %s: memref<128x4xi32, #wg> {llvm.align = 16}) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
  return
}

// CHECK-LABEL: llvm.func @in_an_llvm_func(
// CHECK:         nvvm.tcgen05.cp
// CHECK-NOT:     tcgen05.view
llvm.func @in_an_llvm_func(%taddr: !llvm.ptr<6>, %b: !llvm.ptr<3>) {
  %t = tcgen05.view %taddr : !llvm.ptr<6> to memref<128x4xi32, #tile, 6>
  %s = tcgen05.view %b alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #rows, #wg>
  tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #rows, #wg>
  llvm.return
}

// CHECK-LABEL: gpu.module @one
// CHECK:         nvvm.tcgen05.cp
// CHECK-NOT:     tcgen05.view
// NESTED-LABEL: gpu.module @one
// NESTED:         nvvm.tcgen05.cp
// NESTED-NOT:     tcgen05.view
gpu.module @one {
  gpu.func @k(%taddr: i32) workgroup(%s: memref<128x4xi32, #wg> {llvm.align = 16}) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @two
// CHECK:         nvvm.tcgen05.cp
// CHECK-NOT:     tcgen05.view
// NESTED-LABEL: gpu.module @two
// NESTED:         nvvm.tcgen05.cp
// NESTED-NOT:     tcgen05.view
gpu.module @two {
  gpu.func @k(%taddr: i32) workgroup(%s: memref<128x4xi32, #wg> {llvm.align = 16}) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
        : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    gpu.return
  }
}
