// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=path=inline-asm | FileCheck %s --check-prefixes=CHECK,ASM
// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm=descriptor-add=split | FileCheck %s --check-prefixes=SPLIT

// One copy, operation by operation. The descriptor's constant part is 0x400800010000: ldo 16, sdo
// 128 and the fixed bits. Nothing of the dialect stays.

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    %[[TADDR:.*]]: i32, %[[SRC:.*]]: memref<128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-NEXT:    %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[TADDR]]) : (i32) -> i32
// CHECK-NEXT:    %[[INDEX:.*]] = memref.extract_aligned_pointer_as_index %[[SRC]] : memref<128x4xi32, #gpu.address_space<workgroup>> -> index
// CHECK-NEXT:    %[[ADDRESS:.*]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK-NEXT:    %[[C4:.*]] = arith.constant 4 : i64
// CHECK-NEXT:    %[[UNITS:.*]] = arith.shrui %[[ADDRESS]], %[[C4]] : i64
// CHECK-NEXT:    %[[MASK:.*]] = arith.constant 16383 : i64
// CHECK-NEXT:    %[[START:.*]] = arith.andi %[[UNITS]], %[[MASK]] : i64
// CHECK-NEXT:    %[[FIXED:.*]] = arith.constant 70403103981568 : i64
// CHECK-NEXT:    %[[DESC:.*]] = arith.ori %[[START]], %[[FIXED]] : i64
// NVVM-NEXT:     %[[POINTER:.*]] = llvm.inttoptr %[[BASE]] : i32 to !llvm.ptr<6>
// NVVM-NEXT:     nvvm.tcgen05.cp %[[POINTER]], %[[DESC]] {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// ASM-NEXT:      llvm.inline_asm has_side_effects asm_dialect = att "tcgen05.cp.cta_group::1.128x128b [$0], $1;", "r,l,~{memory}" %[[BASE]], %[[DESC]] : (i32, i64) -> ()
// CHECK-NEXT:    return

// The low word is 0x10000, the high one 0x4008.
// SPLIT-LABEL: func.func @copy(
// SPLIT:         %[[UNITS:.*]] = arith.shrui
// SPLIT-NEXT:    %[[LOW:.*]] = arith.trunci %[[UNITS]] : i64 to i32
// SPLIT-NEXT:    %[[MASK:.*]] = arith.constant 16383 : i32
// SPLIT-NEXT:    %[[START:.*]] = arith.andi %[[LOW]], %[[MASK]] : i32
// SPLIT-NEXT:    %[[FIXED:.*]] = arith.constant 65536 : i32
// SPLIT-NEXT:    %[[WORD:.*]] = arith.ori %[[START]], %[[FIXED]] : i32
// SPLIT-NEXT:    %[[DESC:.*]] = llvm.inline_asm asm_dialect = att "mov.b64 $0, {$1, 16392};", "=l,r" %[[WORD]] : (i32) -> i64
// SPLIT-NEXT:    %[[POINTER:.*]] = llvm.inttoptr
// SPLIT-NEXT:    nvvm.tcgen05.cp %[[POINTER]], %[[DESC]]
func.func @copy(%taddr: i32, %src: memref<128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16}) {
  %tmem = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
  tcgen05.cp <shape_128x128b> %tmem, %src descriptor(<ldo = 16, sdo = 128>)
      : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
        memref<128x4xi32, #gpu.address_space<workgroup>>
  return
}

// Further instructions add to the first descriptor, in a register of its own, and to the address.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[BASE:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"
// CHECK:         %[[DESC:.*]] = arith.ori
// NVVM:          nvvm.tcgen05.cp %{{.*}}, %[[DESC]] {
// ASM:           llvm.inline_asm {{.*}} %[[BASE]], %[[DESC]] :
// CHECK:         %[[COLUMNS:.*]] = arith.constant 4 : i32
// CHECK-NEXT:    %[[SECOND:.*]] = arith.addi %[[BASE]], %[[COLUMNS]] : i32
// CHECK-NEXT:    %[[REGISTER:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]]) : (i64) -> i64
// CHECK-NEXT:    %[[DISTANCE:.*]] = arith.constant 128 : i64
// CHECK-NEXT:    %[[DESC2:.*]] = arith.addi %[[REGISTER]], %[[DISTANCE]] : i64
// NVVM-NEXT:     %[[POINTER:.*]] = llvm.inttoptr %[[SECOND]] : i32 to !llvm.ptr<6>
// NVVM-NEXT:     nvvm.tcgen05.cp %[[POINTER]], %[[DESC2]] {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>}
// ASM-NEXT:      llvm.inline_asm {{.*}} %[[SECOND]], %[[DESC2]] :
// CHECK-NEXT:    return

// SPLIT-LABEL: func.func @two(
// SPLIT:         %[[WORD:.*]] = arith.ori {{.*}} : i32
// SPLIT-NEXT:    llvm.inline_asm asm_dialect = att "mov.b64 $0, {$1, 16392};", "=l,r" %[[WORD]] : (i32) -> i64
// SPLIT:         %[[REGISTER:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i32"(%[[WORD]]) : (i32) -> i32
// SPLIT-NEXT:    %[[DISTANCE:.*]] = arith.constant 128 : i32
// SPLIT-NEXT:    %[[WORD2:.*]] = arith.addi %[[REGISTER]], %[[DISTANCE]] : i32
// SPLIT-NEXT:    %[[DESC2:.*]] = llvm.inline_asm asm_dialect = att "mov.b64 $0, {$1, 16392};", "=l,r" %[[WORD2]] : (i32) -> i64
// SPLIT-NEXT:    %[[POINTER:.*]] = llvm.inttoptr
// SPLIT-NEXT:    nvvm.tcgen05.cp %[[POINTER]], %[[DESC2]]
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
func.func @two(%taddr: i32, %src: memref<2x128x4xi32, #gpu.address_space<workgroup>> {llvm.align = 16}) {
  %tmem = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, #nvvm.memory_space<tensor>>
  tcgen05.cp <shape_128x128b> %tmem, %src descriptor(<ldo = 16, sdo = 128>)
      : memref<2x128x4xi32, #two, #nvvm.memory_space<tensor>>,
        memref<2x128x4xi32, #gpu.address_space<workgroup>>
  return
}
// CHECK-NOT: tcgen05.view
