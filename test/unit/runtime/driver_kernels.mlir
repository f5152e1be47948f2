// Kernels without tcgen05, for the recordings of the CUDA driver: each GPU of sm_90 or later runs them.

gpu.module @kernels {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // Out equals A, for 128 words in each block.
  gpu.func @copy(%A: memref<256xi32>, %Out: memref<256xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %c128 = arith.constant 128 : index
    %base = arith.muli %block, %c128 : index
    %i = arith.addi %base, %thread : index
    %v = memref.load %A[%i] : memref<256xi32>
    memref.store %v, %Out[%i] : memref<256xi32>
    gpu.return
  }

  // The sizes of the cluster, and the block's rank in it, for each block.
  gpu.func @cluster(%Out: memref<8x4xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 32, 1, 1>} {
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %x = nvvm.read.ptx.sreg.cluster.nctaid.x : i32
    %y = nvvm.read.ptx.sreg.cluster.nctaid.y : i32
    %z = nvvm.read.ptx.sreg.cluster.nctaid.z : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    memref.store %x, %Out[%block, %c0] : memref<8x4xi32>
    memref.store %y, %Out[%block, %c1] : memref<8x4xi32>
    memref.store %z, %Out[%block, %c2] : memref<8x4xi32>
    memref.store %rank, %Out[%block, %c3] : memref<8x4xi32>
    gpu.return
  }

  // Word 0 of Out: bytes of dynamic shared memory that the block has; the others: what was
  // written to the last 128 words of it, which `bytes` names, and read back.
  gpu.func @shared(%bytes: i32, %Out: memref<129xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %thread = gpu.thread_id x
    %t = arith.index_cast %thread : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : i32
    %room = arith.constant 512 : i32
    %size = llvm.inline_asm "mov.u32 $0, %dynamic_smem_size;", "=r" : () -> i32
    %memory = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %first = arith.subi %bytes, %room : i32
    %mine = arith.muli %t, %c4 : i32
    %at = arith.addi %first, %mine : i32
    %word = llvm.getelementptr %memory[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.store volatile %t, %word : i32, !llvm.ptr<3>
    %v = llvm.load volatile %word : !llvm.ptr<3> -> i32
    %place = arith.addi %thread, %c1 : index
    memref.store %v, %Out[%place] : memref<129xi32>
    memref.store %size, %Out[%c0] : memref<129xi32>
    gpu.return
  }

  // Every kind of number, each widened to 64 bits in a word of its own.
  gpu.func @numbers(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: index, %g: f16, %h: bf16,
                    %i: f32, %j: f64, %Whole: memref<6xi64>, %Real: memref<4xf64>) kernel
      attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %a64 = arith.extui %a : i1 to i64
    %b64 = arith.extsi %b : i8 to i64
    %c64 = arith.extsi %c : i16 to i64
    %d64 = arith.extsi %d : i32 to i64
    %f64 = arith.index_cast %f : index to i64
    memref.store %a64, %Whole[%c0] : memref<6xi64>
    memref.store %b64, %Whole[%c1] : memref<6xi64>
    memref.store %c64, %Whole[%c2] : memref<6xi64>
    memref.store %d64, %Whole[%c3] : memref<6xi64>
    memref.store %e, %Whole[%c4] : memref<6xi64>
    memref.store %f64, %Whole[%c5] : memref<6xi64>
    %gr = arith.extf %g : f16 to f64
    %hs = arith.extf %h : bf16 to f32
    %hr = arith.extf %hs : f32 to f64
    %ir = arith.extf %i : f32 to f64
    memref.store %gr, %Real[%c0] : memref<4xf64>
    memref.store %hr, %Real[%c1] : memref<4xf64>
    memref.store %ir, %Real[%c2] : memref<4xf64>
    memref.store %j, %Real[%c3] : memref<4xf64>
    gpu.return
  }

  // Stops the whole grid with an error.
  gpu.func @stop() kernel attributes {nvvm.reqntid = array<i32: 32, 1, 1>} {
    llvm.intr.trap
    gpu.return
  }

  // Writes where there is no memory.
  gpu.func @astray() kernel attributes {nvvm.reqntid = array<i32: 32, 1, 1>} {
    %nowhere = llvm.mlir.constant(64 : i64) : i64
    %address = llvm.inttoptr %nowhere : i64 to !llvm.ptr<1>
    %v = llvm.mlir.constant(1 : i32) : i32
    llvm.store volatile %v, %address : i32, !llvm.ptr<1>
    gpu.return
  }

  // A block of at most 64 threads, of which each writes its number.
  gpu.func @small(%Out: memref<64xi32>) kernel attributes {nvvm.maxntid = array<i32: 64, 1, 1>} {
    %thread = gpu.thread_id x
    %t = arith.index_cast %thread : index to i32
    memref.store %t, %Out[%thread] : memref<64xi32>
    gpu.return
  }

  // An argument of no elements, and one of a single element that is a 16-bit float.
  gpu.func @empty(%A: memref<0x4xi32>, %B: memref<f16>, %Out: memref<2xi32>) kernel
      attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %seven = arith.constant 7 : i32
    %half = memref.load %B[] : memref<f16>
    %whole = arith.fptosi %half : f16 to i32
    memref.store %seven, %Out[%c0] : memref<2xi32>
    memref.store %whole, %Out[%c1] : memref<2xi32>
    gpu.return
  }
}
