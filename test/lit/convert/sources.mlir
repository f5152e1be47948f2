// RUN: tcgen05-opt %s --convert-tcgen05-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: tcgen05 compile %s --emit ptx -o - | FileCheck %s --check-prefix=PTX

// The ways to hold a source in shared memory, down to PTX.

#wg = #gpu.address_space<workgroup>
#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>
#two = #tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>
#two_rows = #tcgen05.smem_layout<(2, 128, 4) : (512, 4, 1)>
#later = #tcgen05.smem_layout<(128, 4) : (4, 1), offset = 32>
#stages = #tcgen05.smem_layout<(?, 128, 4) : (512, 4, 1)>

gpu.module @sources {
  memref.global "private" @one : memref<128x4xi32, #wg> {alignment = 16}
  memref.global "private" @ring : memref<3x256x8xi32, #wg> {alignment = 16}
  memref.global "private" @bytes : memref<8192xi8, #wg> {alignment = 16}

  // A memref.global.
  // NVVM-LABEL: gpu.func @global(
  // NVVM:         %[[S:.*]] = memref.get_global @one
  // NVVM-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM-NEXT:    arith.index_cast %[[BUFFER]] : index to i64
  // PTX-LABEL: .visible .entry global(
  // PTX:       mov.b64 [[A:%rd[0-9]+]], one;
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  // PTX-NEXT:  or.b64 [[D:%rd[0-9]+]], [[U]], 70403103981568;
  // PTX-NEXT:  tcgen05.cp.cta_group::1.128x128b {{\[%r[0-9]+\]}}, [[D]];
  gpu.func @global(%taddr: i32) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %s = memref.get_global @one : memref<128x4xi32, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    gpu.return
  }

  // A workgroup attribution of the gpu.func.
  // NVVM-LABEL: gpu.func @attribution(
  // NVVM-SAME:    workgroup(%[[S:.*]] : memref<128x4xi32
  // NVVM:         memref.extract_aligned_pointer_as_index %[[S]]
  // PTX-LABEL: .visible .entry attribution(
  // PTX:       mov.b64 [[A:%rd[0-9]+]], __wg_attribution_0;
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  // PTX-NEXT:  or.b64 [[D:%rd[0-9]+]], [[U]], 70403103981568;
  // PTX-NEXT:  tcgen05.cp.cta_group::1.128x128b {{\[%r[0-9]+\]}}, [[D]];
  gpu.func @attribution(%taddr: i32) workgroup(%s: memref<128x4xi32, #wg> {llvm.align = 16}) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #wg>
    gpu.return
  }

  // memref.view of dynamic shared memory: the aligned pointer has the byte shift in it.
  // NVVM-LABEL: gpu.func @dynamic_memory_view(
  // NVVM:         %[[S:.*]] = memref.view
  // NVVM-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM:         arith.constant 2048 : index
  // NVVM:         arith.addi %[[BUFFER]], %
  // NVVM:         arith.ori
  // PTX-LABEL: .visible .entry dynamic_memory_view(
  // PTX:       shl.b64 [[I:%rd[0-9]+]], %rd{{[0-9]+}}, 11;
  // PTX-NEXT:  mov.b64 [[M:%rd[0-9]+]], __dynamic_shmem__0;
  // PTX-NEXT:  add.s64 [[B:%rd[0-9]+]], [[M]], [[I]];
  // PTX-NEXT:  add.s64 [[A:%rd[0-9]+]], [[B]], 4096;
  // PTX-NEXT:  shr.u64 [[U:%rd[0-9]+]], [[A]], 4;
  gpu.func @dynamic_memory_view(%taddr: i32, %i: index) kernel {
    %c4096 = arith.constant 4096 : index
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %d = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %s = memref.view %d[%c4096][] : memref<?xi8, #wg> to memref<3x128x4xi32, #wg>
    tcgen05.cp <shape_128x128b> %t, %s[%i] descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<3x128x4xi32, #wg>
    gpu.return
  }

  // tcgen05.view of dynamic shared memory, with a dynamic number of stages.
  // NVVM-LABEL: gpu.func @dynamic_memory(
  // NVVM:         %[[S:.*]] = gpu.dynamic_shared_memory
  // NVVM-NEXT:    memref.extract_aligned_pointer_as_index %[[S]]
  // PTX-LABEL: .visible .entry dynamic_memory(
  // PTX:       shl.b64 [[I:%rd[0-9]+]], %rd{{[0-9]+}}, 11;
  // PTX-NEXT:  mov.b64 [[M:%rd[0-9]+]], __dynamic_shmem__0;
  // PTX-NEXT:  add.s64 [[A:%rd[0-9]+]], [[I]], [[M]];
  // PTX-NEXT:  shr.u64 [[U:%rd[0-9]+]], [[A]], 4;
  gpu.func @dynamic_memory(%taddr: i32, %i: index) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %d = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %s = tcgen05.view %d alignment(128) : memref<?xi8, #wg> to memref<?x128x4xi32, #stages, #wg>
    tcgen05.cp <shape_128x128b> %t, %s[%i] descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<?x128x4xi32, #stages, #wg>
    gpu.return
  }

  // A layout with an offset over memref.view: 32 words are 8 units.
  // NVVM-LABEL: gpu.func @view_of_a_view(
  // NVVM:         %[[S:.*]] = memref.view
  // NVVM-NEXT:    memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
  // NVVM-NEXT:    %[[M:.*]] = arith.constant 8 : i64
  // NVVM-NEXT:    arith.addi %[[FIRST]], %[[M]] : i64
  // PTX-LABEL: .visible .entry view_of_a_view(
  // PTX:       mov.b64 [[M:%rd[0-9]+]], bytes;
  // PTX-NEXT:  add.s64 [[A:%rd[0-9]+]], [[M]], 2048;
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  // PTX-NEXT:  or.b64 [[D:%rd[0-9]+]], [[U]], 70403103981568;
  // PTX-NEXT:  mov.b64 [[F:%rd[0-9]+]], [[D]];
  // PTX-NEXT:  add.s64 [[E:%rd[0-9]+]], [[F]], 8;
  // PTX-NEXT:  tcgen05.cp.cta_group::1.128x128b {{\[%r[0-9]+\]}}, [[E]];
  gpu.func @view_of_a_view(%taddr: i32) kernel {
    %c2048 = arith.constant 2048 : index
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %b = memref.get_global @bytes : memref<8192xi8, #wg>
    %v = memref.view %b[%c2048][] : memref<8192xi8, #wg> to memref<1024xi32, #wg>
    %s = tcgen05.view %v : memref<1024xi32, #wg> to memref<128x4xi32, #later, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #later, #wg>
    gpu.return
  }

  // A subview that moves nothing, over expand_shape.
  // NVVM-LABEL: gpu.func @static_subview(
  // NVVM:         %[[S:.*]] = memref.subview
  // NVVM-NEXT:    memref.extract_aligned_pointer_as_index %[[S]]
  // PTX-LABEL: .visible .entry static_subview(
  // PTX:       mov.b64 [[A:%rd[0-9]+]], one;
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  gpu.func @static_subview(%taddr: i32) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %g = memref.get_global @one : memref<128x4xi32, #wg>
    %e = memref.expand_shape %g [[0, 1], [2]] output_shape [1, 128, 4]
      : memref<128x4xi32, #wg> into memref<1x128x4xi32, #wg>
    %v = memref.subview %e[0, 0, 0] [1, 128, 4] [1, 1, 1]
      : memref<1x128x4xi32, #wg> to memref<128x4xi32, strided<[4, 1]>, #wg>
    tcgen05.cp <shape_128x128b> %t, %v descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[4, 1]>, #wg>
    gpu.return
  }

  // Subviews over collapse_shape and expand_shape: 2 * 512 words are 256 units; a dynamic offset comes
  // from the metadata, in elements.
  // NVVM-LABEL: gpu.func @offset_subview(
  // NVVM:         %[[S:.*]] = memref.subview
  // NVVM-NEXT:    memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
  // NVVM-NEXT:    %[[M:.*]] = arith.constant 256 : i64
  // NVVM-NEXT:    arith.addi %[[FIRST]], %[[M]] : i64
  // NVVM:         %[[S:.*]] = memref.subview
  // NVVM-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM-NEXT:    %{{.*}}, %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[S]]
  // NVVM-NEXT:    %[[C4:.*]] = arith.constant 4 : index
  // NVVM-NEXT:    %[[BYTES:.*]] = arith.muli %[[OFFSET]], %[[C4]] : index
  // NVVM-NEXT:    arith.addi %[[BUFFER]], %[[BYTES]] : index
  // PTX-LABEL: .visible .entry offset_subview(
  // PTX:       mov.b64 [[A:%rd[0-9]+]], ring;
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  // PTX-NEXT:  or.b64 [[D:%rd[0-9]+]], [[U]], 70403103981568;
  // PTX-NEXT:  mov.b64 [[F:%rd[0-9]+]], [[D]];
  // PTX-NEXT:  add.s64 [[E:%rd[0-9]+]], [[F]], 256;
  // PTX-NEXT:  tcgen05.cp.cta_group::1.128x128b {{\[%r[0-9]+\]}}, [[E]];
  // PTX-NEXT:  shl.b64 [[I:%rd[0-9]+]], %rd{{[0-9]+}}, 11;
  // PTX-NEXT:  add.s64 [[B:%rd[0-9]+]], [[I]], [[A]];
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[B]], 4, 14;
  gpu.func @offset_subview(%taddr: i32, %i: index) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %g = memref.get_global @ring : memref<3x256x8xi32, #wg>
    %c = memref.collapse_shape %g [[0, 1, 2]] : memref<3x256x8xi32, #wg> into memref<6144xi32, #wg>
    %r = memref.expand_shape %c [[0, 1, 2]] output_shape [12, 128, 4]
      : memref<6144xi32, #wg> into memref<12x128x4xi32, #wg>
    %v = memref.subview %r[2, 0, 0] [1, 128, 4] [1, 1, 1]
      : memref<12x128x4xi32, #wg> to memref<128x4xi32, strided<[4, 1], offset: 1024>, #wg>
    tcgen05.cp <shape_128x128b> %t, %v descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[4, 1], offset: 1024>, #wg>
    %w = memref.subview %r[%i, 0, 0] [1, 128, 4] [1, 1, 1]
      : memref<12x128x4xi32, #wg> to memref<128x4xi32, strided<[4, 1], offset: ?>, #wg>
    tcgen05.cp <shape_128x128b> %t, %w descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, strided<[4, 1], offset: ?>, #wg>
    gpu.return
  }

  // Offset and stage stride dynamic, in units of 16 bytes.
  // NVVM-LABEL: gpu.func @reinterpret(
  // NVVM:         %[[S:.*]] = memref.reinterpret_cast
  // NVVM-NEXT:    %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM-NEXT:    %{{.*}}, %[[OFFSET:.*]], %{{.*}}:3, %{{.*}}:3 = memref.extract_strided_metadata %[[S]]
  // NVVM-NEXT:    %[[C4:.*]] = arith.constant 4 : index
  // NVVM-NEXT:    %[[BYTES:.*]] = arith.muli %[[OFFSET]], %[[C4]] : index
  // NVVM-NEXT:    %[[MOVED:.*]] = arith.addi %[[BUFFER]], %[[BYTES]] : index
  // NVVM-NEXT:    %{{.*}}, %{{.*}}, %{{.*}}:3, %[[STRIDES:.*]]:3 = memref.extract_strided_metadata %[[S]]
  // NVVM-NEXT:    %[[C4:.*]] = arith.constant 4 : index
  // NVVM-NEXT:    %[[STEP:.*]] = arith.muli %[[STRIDES]]#0, %[[C4]] : index
  // NVVM-NEXT:    %[[STAGE:.*]] = arith.muli %{{.*}}, %[[STEP]] : index
  // NVVM-NEXT:    arith.addi %[[MOVED]], %[[STAGE]] : index
  // PTX-LABEL: .visible .entry reinterpret(
  // PTX:       mov.b64 [[M:%rd[0-9]+]], ring;
  // PTX-NEXT:  shr.u64 [[U:%rd[0-9]+]], [[M]], 4;
  // PTX-NEXT:  add.s64 [[A:%rd[0-9]+]], [[U]], %rd{{[0-9]+}};
  // PTX-NEXT:  and.b64 [[S:%rd[0-9]+]], [[A]], 16383;
  gpu.func @reinterpret(%taddr: i32, %i: index, %o: index, %n: index) kernel {
    %c4 = arith.constant 4 : index
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %g = memref.get_global @ring : memref<3x256x8xi32, #wg>
    %offset = arith.muli %o, %c4 : index
    %stride = arith.muli %n, %c4 : index
    %r = memref.reinterpret_cast %g to offset: [%offset], sizes: [3, 128, 4], strides: [%stride, 4, 1]
      : memref<3x256x8xi32, #wg> to memref<3x128x4xi32, strided<[?, 4, 1], offset: ?>, #wg>
    tcgen05.cp <shape_128x128b> %t, %r[%i] descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<3x128x4xi32, strided<[?, 4, 1], offset: ?>, #wg>
    gpu.return
  }

  // A pointer bounds nothing: the offset of 8 units is masked with the address.
  // NVVM-LABEL: gpu.func @pointer(
  // NVVM-SAME:    %[[P:arg[0-9]+]]: !llvm.ptr<3>)
  // NVVM:         %[[I64:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i64
  // NVVM:         %[[UNITS:.*]] = arith.shrui
  // NVVM-NEXT:    %[[M:.*]] = arith.constant 8 : i64
  // NVVM-NEXT:    %[[MOVED:.*]] = arith.addi %[[UNITS]], %[[M]] : i64
  // NVVM-NEXT:    %[[MASK:.*]] = arith.constant 16383 : i64
  // NVVM-NEXT:    arith.andi %[[MOVED]], %[[MASK]] : i64
  // PTX-LABEL: .visible .entry pointer(
  // PTX:       shr.u64 [[U:%rd[0-9]+]], %rd{{[0-9]+}}, 4;
  // PTX-NEXT:  add.s64 [[M:%rd[0-9]+]], [[U]], 8;
  // PTX-NEXT:  and.b64 [[S:%rd[0-9]+]], [[M]], 16383;
  // PTX-NEXT:  or.b64 [[D:%rd[0-9]+]], [[S]], 70403103981568;
  // PTX-NEXT:  tcgen05.cp.cta_group::1.128x128b {{\[%r[0-9]+\]}}, [[D]];
  gpu.func @pointer(%taddr: i32, %p: !llvm.ptr<3>) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %s = tcgen05.view %p alignment(16) : !llvm.ptr<3> to memref<128x4xi32, #later, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<128x4xi32, #later, #wg>
    gpu.return
  }

  // A tcgen05.view with an ordinary strided layout: 512 words are 128 units.
  // NVVM-LABEL: gpu.func @plain_view(
  // NVVM:         %[[S:.*]] = memref.get_global @bytes
  // NVVM-NEXT:    memref.extract_aligned_pointer_as_index %[[S]]
  // NVVM:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"
  // NVVM-NEXT:    %[[M:.*]] = arith.constant 128 : i64
  // NVVM-NEXT:    arith.addi %[[FIRST]], %[[M]] : i64
  // PTX-LABEL: .visible .entry plain_view(
  // PTX:       mov.b64 [[M:%rd[0-9]+]], bytes;
  // PTX-NEXT:  add.s64 [[A:%rd[0-9]+]], {{.*}}[[M]];
  // PTX-NEXT:  bfe.u64 [[U:%rd[0-9]+]], [[A]], 4, 14;
  gpu.func @plain_view(%taddr: i32, %p: !llvm.ptr<3>, %i: index) kernel {
    %t = tcgen05.view %taddr : i32 to memref<128x4xi32, #tile, 6>
    %b = memref.get_global @bytes : memref<8192xi8, #wg>
    %s = tcgen05.view %b : memref<8192xi8, #wg> to memref<3x128x4xi32, strided<[512, 4, 1], offset: 512>, #wg>
    tcgen05.cp <shape_128x128b> %t, %s[%i] descriptor(<sdo = 128>)
      : memref<128x4xi32, #tile, 6>, memref<3x128x4xi32, strided<[512, 4, 1], offset: 512>, #wg>
    gpu.return
  }

  // A view of a buffer that moves by itself: where it starts is not known, but both copies stay inside
  // its 4096 bytes, so the second adds to the descriptor of the first.
  // NVVM-LABEL: gpu.func @view_of_a_moving_subview(
  // NVVM:         %[[DESC:.*]] = arith.ori
  // NVVM:         nvvm.tcgen05.cp %{{.*}}, %[[DESC]] {
  // NVVM:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.nvvm.move.i64"(%[[DESC]])
  // NVVM-NEXT:    %[[M:.*]] = arith.constant 128 : i64
  // NVVM-NEXT:    %[[D:.*]] = arith.addi %[[FIRST]], %[[M]] : i64
  // NVVM:         nvvm.tcgen05.cp %{{.*}}, %[[D]] {
  // PTX-LABEL: .visible .entry view_of_a_moving_subview(
  // PTX:       shl.b64 [[I:%rd[0-9]+]], %rd{{[0-9]+}}, 12;
  // PTX:       or.b64 [[D:%rd[0-9]+]], %rd{{[0-9]+}}, 70403103981568;
  // PTX:       mov.b64 [[F:%rd[0-9]+]], [[D]];
  // PTX-NEXT:  add.s64 [[E:%rd[0-9]+]], [[F]], 128;
  gpu.func @view_of_a_moving_subview(%taddr: i32, %i: index) kernel {
    %c4096 = arith.constant 4096 : index
    %t = tcgen05.view %taddr : i32 to memref<2x128x4xi32, #two, 6>
    %b = memref.get_global @bytes : memref<8192xi8, #wg>
    %o = arith.muli %i, %c4096 : index
    %v = memref.subview %b[%o] [4096] [1]
      : memref<8192xi8, #wg> to memref<4096xi8, strided<[1], offset: ?>, #wg>
    %s = tcgen05.view %v
      : memref<4096xi8, strided<[1], offset: ?>, #wg> to memref<2x128x4xi32, #two_rows, #wg>
    tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
      : memref<2x128x4xi32, #two, 6>, memref<2x128x4xi32, #two_rows, #wg>
    gpu.return
  }
}
