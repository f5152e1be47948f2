// tcgen05-state-alignments: what a view of shared memory states comes in front of it.

// RUN: tcgen05-opt %s --tcgen05-state-alignments | FileCheck %s

#rows = #tcgen05.smem_layout<((16, 8), 4) : ((256, 32), 1), swizzle = 3>

gpu.module @m {
  // CHECK-LABEL: gpu.func @pointer(
  // CHECK-SAME:    %[[P:.*]]: !llvm.ptr<3>)
  gpu.func @pointer(%p: !llvm.ptr<3>) {
    // CHECK-DAG:  %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
    // CHECK-DAG:  %[[N:.*]] = llvm.mlir.constant(1024 : i64) : i64
    // CHECK:      llvm.intr.assume %[[TRUE]] ["align"(%[[P]], %[[N]] : !llvm.ptr<3>, i64)] : i1
    // CHECK-NEXT: tcgen05.view %[[P]] alignment(1024)
    %v = tcgen05.view %p alignment(1024)
        : !llvm.ptr<3> to memref<128x4xi32, #rows, #gpu.address_space<workgroup>>
    gpu.return
  }

  // The address of a memref's first element, its offset in bytes included.
  // CHECK-LABEL: gpu.func @buffer(
  // CHECK-SAME:    %[[M:.*]]: memref<128x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>)
  gpu.func @buffer(
      %m: memref<128x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>) {
    // CHECK:      %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
    // CHECK:      %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[M]]
    // CHECK:      %[[C4:.*]] = arith.constant 4 : index
    // CHECK:      %[[BYTES:.*]] = arith.muli %[[OFFSET]], %[[C4]] : index
    // CHECK:      %[[SUM:.*]] = arith.addi %[[BASE]], %[[BYTES]] : index
    // CHECK:      %[[I64:.*]] = arith.index_cast %[[SUM]] : index to i64
    // CHECK:      %[[P:.*]] = llvm.inttoptr %[[I64]] : i64 to !llvm.ptr<3>
    // CHECK:      %[[N:.*]] = llvm.mlir.constant(16 : i64) : i64
    // CHECK:      llvm.intr.assume %{{.*}} ["align"(%[[P]], %[[N]] : !llvm.ptr<3>, i64)] : i1
    // CHECK-NEXT: tcgen05.view %[[M]] alignment(16)
    %v = tcgen05.view %m alignment(16)
        : memref<128x4xi32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
        to memref<128x4xi32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Without an alignment nothing is stated.
  // CHECK-LABEL: gpu.func @plain(
  // CHECK-NOT:   llvm.intr.assume
  gpu.func @plain(%p: !llvm.ptr<3>) {
    %v = tcgen05.view %p
        : !llvm.ptr<3> to memref<128x4xi32, #rows, #gpu.address_space<workgroup>>
    gpu.return
  }
}
