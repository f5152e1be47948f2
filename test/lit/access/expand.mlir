// RUN: tcgen05-opt %s --tcgen05-expand-access --canonicalize --cse | FileCheck %s

// What loads and stores through views become. Refused ones are in expand-invalid.mlir.

#wg = #gpu.address_space<workgroup>
#swz = #tcgen05.smem_layout<(?, 128, 8) : (1024, 8, 1), offset = 4, swizzle = 1>
#cores = #tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>
#flat = #tcgen05.smem_layout<(16, 8) : (8, 1)>
#one = #tcgen05.smem_layout<(16) : (1), swizzle = 3>

// The XOR is the last step, on the address itself.
// CHECK-LABEL: func.func @swizzled(
// CHECK-SAME: [[B:%.+]]: memref<4096xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, [[I:%.+]]: index)
// CHECK-DAG: [[C2080:%.+]] = arith.constant 2080 : index
// CHECK-DAG: [[C4096:%.+]] = arith.constant 4096 : index
// CHECK-DAG: [[C16:%.+]] = arith.constant 16 : index
// CHECK-DAG: [[C3:%.+]] = arith.constant 3 : index
// CHECK: [[BASE:%.+]] = memref.extract_aligned_pointer_as_index [[B]] : memref<4096xi32, #gpu.address_space<workgroup>> -> index
// CHECK-NEXT: [[STAGE:%.+]] = arith.muli [[I]], [[C4096]] : index
// CHECK-NEXT: [[AT:%.+]] = arith.addi [[BASE]], [[STAGE]] : index
// CHECK-NEXT: [[LINEAR:%.+]] = arith.addi [[AT]], [[C2080]] : index
// CHECK-NEXT: [[SHIFTED:%.+]] = arith.shrui [[LINEAR]], [[C3]] : index
// CHECK-NEXT: [[BITS:%.+]] = arith.andi [[SHIFTED]], [[C16]] : index
// CHECK-NEXT: [[SWIZZLED:%.+]] = arith.xori [[LINEAR]], [[BITS]] : index
// CHECK-NEXT: [[ADDRESS:%.+]] = arith.index_cast [[SWIZZLED]] : index to i64
// CHECK-NEXT: [[POINTER:%.+]] = llvm.inttoptr [[ADDRESS]] : i64 to !llvm.ptr<3>
// CHECK-NEXT: [[WORD:%.+]] = llvm.load [[POINTER]] {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-NEXT: return [[WORD]] : f32
func.func @swizzled(%b: memref<4096xi32, #wg> {llvm.align = 16}, %i: index) -> f32 {
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %v = tcgen05.view %b : memref<4096xi32, #wg> to memref<?x128x8xf32, #swz, #wg>
  %x = memref.load %v[%i, %c64, %c4] : memref<?x128x8xf32, #swz, #wg>
  return %x : f32
}

// Nested modes: 256 bytes to the next eight rows, 128 to the next core matrix of a row. What one
// access loads another stores.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME: [[Q:%.+]]: !llvm.ptr<3>, [[R:%.+]]: index, [[W:%.+]]: index)
// CHECK-DAG: [[C4:%.+]] = arith.constant 4 : index
// CHECK-DAG: [[C8:%.+]] = arith.constant 8 : index
// CHECK-DAG: [[C16:%.+]] = arith.constant 16 : index
// CHECK-DAG: [[C128:%.+]] = arith.constant 128 : index
// CHECK-DAG: [[C256:%.+]] = arith.constant 256 : index
// CHECK: [[INT:%.+]] = llvm.ptrtoint [[Q]] : !llvm.ptr<3> to i64
// CHECK-NEXT: [[BASE:%.+]] = arith.index_cast [[INT]] : i64 to index
// CHECK-NEXT: [[ROW:%.+]] = arith.remui [[R]], [[C8]] : index
// CHECK-NEXT: [[GROUP:%.+]] = arith.divui [[R]], [[C8]] : index
// CHECK-NEXT: [[GROUPS:%.+]] = arith.muli [[GROUP]], [[C256]] : index
// CHECK-NEXT: [[ROWS:%.+]] = arith.muli [[ROW]], [[C16]] : index
// CHECK-NEXT: [[DOWN:%.+]] = arith.addi [[GROUPS]], [[ROWS]] : index
// CHECK-NEXT: [[WORD:%.+]] = arith.remui [[W]], [[C4]] : index
// CHECK-NEXT: [[CORE:%.+]] = arith.divui [[W]], [[C4]] : index
// CHECK-NEXT: [[CORES:%.+]] = arith.muli [[CORE]], [[C128]] : index
// CHECK-NEXT: [[WORDS:%.+]] = arith.muli [[WORD]], [[C4]] : index
// CHECK-NEXT: [[ALONG:%.+]] = arith.addi [[CORES]], [[WORDS]] : index
// CHECK-NEXT: [[DISTANCE:%.+]] = arith.addi [[DOWN]], [[ALONG]] : index
// CHECK-NEXT: [[LINEAR:%.+]] = arith.addi [[BASE]], [[DISTANCE]] : index
// CHECK-NEXT: [[ADDRESS:%.+]] = arith.index_cast [[LINEAR]] : index to i64
// CHECK-NEXT: [[POINTER:%.+]] = llvm.inttoptr [[ADDRESS]] : i64 to !llvm.ptr<3>
// CHECK-NEXT: [[LOADED:%.+]] = llvm.load [[POINTER]] {alignment = 4 : i64, nontemporal} : !llvm.ptr<3> -> i32
// CHECK-NEXT: [[FIRST:%.+]] = llvm.inttoptr [[INT]] : i64 to !llvm.ptr<3>
// CHECK-NEXT: llvm.store [[LOADED]], [[FIRST]] {alignment = 4 : i64} : i32, !llvm.ptr<3>
// CHECK-NEXT: return
func.func @nested(%q: !llvm.ptr<3>, %r: index, %w: index) {
  %c0 = arith.constant 0 : index
  %v = tcgen05.view %q alignment(4) : !llvm.ptr<3> to memref<128x8xi32, #cores, #wg>
  %x = memref.load %v[%r, %w] {nontemporal = true} : memref<128x8xi32, #cores, #wg>
  memref.store %x, %v[%c0, %c0] : memref<128x8xi32, #cores, #wg>
  return
}

// A vector is aligned as its start is known to be: here a factor of 4 words, then 8 bytes.
// CHECK-LABEL: func.func @vectors(
// CHECK: [[FOUR:%.+]] = llvm.load %{{.+}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// CHECK: llvm.store [[FOUR]], %{{.+}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: [[TWO:%.+]] = llvm.load %{{.+}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK: llvm.store [[TWO]], %{{.+}} {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<3>
// CHECK: [[THREE:%.+]] = llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<3xi32>
// CHECK: llvm.store [[THREE]], %{{.+}} {alignment = 16 : i64} : vector<3xi32>, !llvm.ptr<3>
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<1xi32>
func.func @vectors(%b: memref<4096xi8, #wg> {llvm.align = 16}, %i: index, %p: i32) -> vector<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %four = arith.muli %i, %c4 : index
  %even = arith.muli %i, %c2 : index
  %v = tcgen05.view %b : memref<4096xi8, #wg> to memref<128x8xi32, #cores, #wg>
  %w = tcgen05.view %b : memref<4096xi8, #wg> to memref<16x8xi32, #wg>
  %a = vector.transfer_read %v[%i, %four], %p {in_bounds = [true]} : memref<128x8xi32, #cores, #wg>, vector<4xi32>
  vector.store %a, %w[%i, %four] : memref<16x8xi32, #wg>, vector<4xi32>
  %c = vector.load %w[%i, %even] : memref<16x8xi32, #wg>, vector<2xi32>
  vector.transfer_write %c, %v[%i, %even] {in_bounds = [true]} : vector<2xi32>, memref<128x8xi32, #cores, #wg>
  %d = vector.transfer_read %v[%i, %c1], %p {in_bounds = [true]} : memref<128x8xi32, #cores, #wg>, vector<3xi32>
  vector.transfer_write %d, %v[%i, %c0] {in_bounds = [true]} : vector<3xi32>, memref<128x8xi32, #cores, #wg>
  %e = vector.load %v[%i, %i] : memref<128x8xi32, #cores, #wg>, vector<1xi32>
  return %e : vector<1xi32>
}

// A buffer with an offset that only the run time knows, and one that the type tells: 64 bytes.
// CHECK-LABEL: func.func @roots(
// CHECK-SAME: [[B:%.+]]: memref<4096xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, [[I:%.+]]: index)
// CHECK-DAG: [[C4:%.+]] = arith.constant 4 : index
// CHECK-DAG: [[C76:%.+]] = arith.constant 76 : index
// CHECK: [[D:%.+]] = memref.subview [[B]]{{\[}}[[I]]] [16] [1]
// CHECK: [[BASE:%.+]] = memref.extract_aligned_pointer_as_index [[D]]
// CHECK-NEXT: %{{.+}}, [[START:%.+]], %{{.+}}, %{{.+}} = memref.extract_strided_metadata [[D]]
// CHECK-NEXT: [[OFFSET:%.+]] = arith.muli [[START]], [[C4]] : index
// CHECK-NEXT: [[FIRST:%.+]] = arith.addi [[BASE]], [[OFFSET]] : index
// CHECK-NEXT: %{{.+}} = arith.shrui [[FIRST]]
// CHECK: llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
// CHECK: [[AT:%.+]] = arith.addi %{{.+}}, [[C76]] : index
// CHECK-NEXT: [[ADDRESS:%.+]] = arith.index_cast [[AT]] : index to i64
// CHECK-NEXT: [[POINTER:%.+]] = llvm.inttoptr [[ADDRESS]] : i64 to !llvm.ptr<3>
// CHECK-NEXT: llvm.store %{{.+}}, [[POINTER]] {alignment = 4 : i64} : i32, !llvm.ptr<3>
func.func @roots(%b: memref<4096xi32, #wg> {llvm.align = 16}, %i: index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %d = memref.subview %b[%i] [16] [1] : memref<4096xi32, #wg> to memref<16xi32, strided<[1], offset: ?>, #wg>
  %s = memref.subview %b[16] [128] [1] : memref<4096xi32, #wg> to memref<128xi32, strided<[1], offset: 16>, #wg>
  %v = tcgen05.view %d : memref<16xi32, strided<[1], offset: ?>, #wg> to memref<16xi32, #one, #wg>
  %w = tcgen05.view %s : memref<128xi32, strided<[1], offset: 16>, #wg> to memref<16x8xi32, #flat, #wg>
  %x = memref.load %v[%c0] : memref<16xi32, #one, #wg>
  memref.store %x, %w[%c0, %c3] : memref<16x8xi32, #flat, #wg>
  return
}

// Other memory, and tensor memory, are none of this pass's business.
// CHECK-LABEL: func.func @others(
// CHECK: memref.load %{{.+}} : memref<4xi32, #gpu.address_space<workgroup>>
// CHECK: memref.load %{{.+}} : memref<128x4xi32, #tmem_layout, 6>
func.func @others(%taddr: i32, %b: memref<4xi32, #wg>, %i: index) -> (i32, i32) {
  %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>
  %x = memref.load %b[%i] : memref<4xi32, #wg>
  %y = memref.load %t[%i, %i] : memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, 6>
  return %x, %y : i32, i32
}
