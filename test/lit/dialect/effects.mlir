// What optimisers may do with copies and views, and what they must not.

// RUN: tcgen05-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tcgen05-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: tcgen05-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: tcgen05-opt %s --pass-pipeline="builtin.module(func.func(affine-scalrep))" | FileCheck %s --check-prefix=SCALREP
// RUN: tcgen05-opt %s --inline --symbol-dce --sccp --remove-dead-values | FileCheck %s --check-prefix=INLINE

#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>

// Views and addresses are values: equal ones are one, unused ones go.
// CSE-LABEL: func.func @values(
// CSE-NEXT: %[[V:.+]] = tcgen05.view %{{.+}} : i32 to memref<128x4xi32, #tmem_layout, 6>
// CSE-NEXT: %[[A:.+]] = tcgen05.address %[[V]] : memref<128x4xi32, #tmem_layout, 6> -> i32
// CSE-NEXT: return %[[A]], %[[A]]
// CANON-LABEL: func.func @values(
// CANON-COUNT-2: tcgen05.view
// CANON-NOT: tcgen05.view
// CANON: return
func.func @values(%t: i32) -> (i32, i32) {
  %dead = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %1 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %dead_address = tcgen05.address %dead : memref<128x4xi32, #tile, 6> -> i32
  %a = tcgen05.address %0 : memref<128x4xi32, #tile, 6> -> i32
  %b = tcgen05.address %1 : memref<128x4xi32, #tile, 6> -> i32
  return %a, %b : i32, i32
}

// The user's word on an alignment is part of a view.
// CSE-LABEL: func.func @alignments(
// CSE-COUNT-2: tcgen05.view
func.func @alignments(%p: !llvm.ptr<3>) -> (memref<128x4xi32, 3>, memref<128x4xi32, 3>) {
  %0 = tcgen05.view %p : !llvm.ptr<3> to memref<128x4xi32, 3>
  %1 = tcgen05.view %p alignment(1024) : !llvm.ptr<3> to memref<128x4xi32, 3>
  return %0, %1 : memref<128x4xi32, 3>, memref<128x4xi32, 3>
}

// A copy is an action: two equal ones are two, and one whose destination nobody reads stays.
// CSE-LABEL: func.func @copies(
// CSE-NEXT: %[[V:.+]] = tcgen05.view
// CSE-NEXT: tcgen05.cp <shape_128x128b> %[[V]],
// CSE-NEXT: tcgen05.cp <shape_128x128b> %[[V]],
// CSE-NEXT: return
// CANON-LABEL: func.func @copies(
// CANON-COUNT-2: tcgen05.cp
func.func @copies(%t: i32, %src: memref<128x4xi32, 3>) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %1 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  tcgen05.cp <shape_128x128b> %0, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  tcgen05.cp <shape_128x128b> %1, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}

// A copy writes its destination, through whatever view, and only reads its source.
// CSE-LABEL: func.func @loads(
// CSE: %[[OLD:.+]] = memref.load %{{.+}} : memref<128x4xi32, #tmem_layout, 6>
// CSE: %[[SRC:.+]] = memref.load %{{.+}} : memref<128x4xi32, 3>
// CSE: tcgen05.cp
// CSE: %[[NEW:.+]] = memref.load %{{.+}} : memref<128x4xi32, #tmem_layout, 6>
// CSE: return %[[OLD]], %[[SRC]], %[[NEW]]
func.func @loads(%t: i32, %u: i32, %src: memref<128x4xi32, 3>, %i: index) -> (i32, i32, i32) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %1 = tcgen05.view %u : i32 to memref<128x4xi32, #tile, 6>
  %old = memref.load %0[%i, %i] : memref<128x4xi32, #tile, 6>
  %before = memref.load %src[%i, %i] : memref<128x4xi32, 3>
  tcgen05.cp <shape_128x128b> %1, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  %new = memref.load %0[%i, %i] : memref<128x4xi32, #tile, 6>
  return %old, %before, %new : i32, i32, i32
}

// A view leaves the loop, a copy does not: each turn of it copies what was stored.
// LICM-LABEL: func.func @loop(
// LICM: tcgen05.view
// LICM: tcgen05.view
// LICM: scf.for
// LICM-NEXT: memref.store
// LICM-NEXT: tcgen05.cp
// LICM-NEXT: }
func.func @loop(%t: i32, %n: index, %v: i32, %buffer: memref<2048xi8, 3>, %plain: memref<128x4xi32, 3>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
    %src = tcgen05.view %buffer : memref<2048xi8, 3> to memref<128x4xi32, 3>
    memref.store %v, %plain[%c0, %c0] : memref<128x4xi32, 3>
    tcgen05.cp <shape_128x128b> %0, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  }
  return
}

// A store whose only reader is a copy stays, though another one to the same place follows; the
// copy may see the buffer through a view.
// SCALREP-LABEL: func.func @stores(
// SCALREP: affine.store %[[FIRST:.+]], %{{.+}}[0, 0]
// SCALREP-NEXT: tcgen05.cp
// SCALREP-NEXT: affine.store
// SCALREP-NEXT: tcgen05.cp
// SCALREP-NEXT: affine.store
// SCALREP-NEXT: return
func.func @stores(%t: i32, %a: i32, %b: i32, %c: i32, %src: memref<128x4xi32, 3>) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  %view = tcgen05.view %src : memref<128x4xi32, 3> to memref<128x4xi32, strided<[4, 1]>, 3>
  affine.store %a, %src[0, 0] : memref<128x4xi32, 3>
  tcgen05.cp <shape_128x128b> %0, %src : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  affine.store %b, %src[0, 0] : memref<128x4xi32, 3>
  tcgen05.cp <shape_128x128b> %0, %view : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[4, 1]>, 3>
  affine.store %c, %src[0, 0] : memref<128x4xi32, 3>
  return
}

// Copies come along where a function is inlined.
// INLINE-NOT: @callee
// INLINE-LABEL: func.func @caller(
// INLINE: tcgen05.cp <shape_128x128b> %{{.+}}, %{{.+}} descriptor(<sdo = 128>) :
// INLINE-NEXT: tcgen05.cp <shape_128x128b> %{{.+}}, %{{.+}} descriptor(<sdo = 128>) :
// INLINE-NOT: call
// INLINE: return
func.func private @callee(%t: memref<128x4xi32, #tile, 6>, %src: memref<128x4xi32, 3>) {
  tcgen05.cp <shape_128x128b> %t, %src descriptor(<sdo = 128>) : memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>
  return
}
func.func @caller(%t: i32, %src: memref<128x4xi32, 3>) {
  %0 = tcgen05.view %t : i32 to memref<128x4xi32, #tile, 6>
  func.call @callee(%0, %src) : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  func.call @callee(%0, %src) : (memref<128x4xi32, #tile, 6>, memref<128x4xi32, 3>) -> ()
  return
}
