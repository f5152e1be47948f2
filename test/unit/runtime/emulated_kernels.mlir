// Tensor memory without a copy: small enough for recordings of the CUDA driver.

gpu.module @emulated {
  llvm.mlir.global internal @taddr() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // Each block of one warp allocates 32 columns, writes the number of its thread to column
  // %column, and gives out what that one and the next hold: the next was never written. From
  // column 31 on that is outside of what was allocated.
  gpu.func @columns(%column: i32, %Out: memref<3x32x2xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %columns = arith.constant 32 : i32
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %value = arith.index_cast %thread : index to i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    gpu.barrier
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %at = arith.addi %base, %column : i32
    %first = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %place = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %place, %value {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.wait <store>
    %words = nvvm.tcgen05.ld %place {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>
    nvvm.tcgen05.wait <load>
    vector.store %words, %Out[%block, %thread, %c0] : memref<3x32x2xi32>, vector<2xi32>
    nvvm.tcgen05.relinquish_alloc_permit
    nvvm.tcgen05.dealloc %first, %columns : !llvm.ptr<6>, i32
    gpu.return
  }
}
