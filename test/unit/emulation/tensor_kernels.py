"""A warp or more around the operations of a test: emulated, and run in the simulator."""

from __future__ import annotations

import numpy as np
from mlir import ir
from numpy.typing import NDArray
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.passes.tcgen05_to_ptx import lower
from tcgen05_mlir.simulator import run

_TEXT = """
gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx80", verifyTarget = false>] {{
  llvm.mlir.global internal @smem() {{addr_space = 3 : i32, alignment = 1024 : i64}}
      : !llvm.array<16384 x i8>
  llvm.mlir.global internal @slot() {{addr_space = 3 : i32, alignment = 8 : i64}}
      : !llvm.array<4 x i32>
  llvm.mlir.global internal @bar() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  gpu.func @kernel(%in: memref<4096xi32>, %out: memref<{outputs}xi32>) kernel
      attributes {{nvvm.reqntid = array<i32: {threads}, 1, 1>}} {{
    %smem = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %t = arith.index_cast %thread : index to i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c512 = arith.constant 512 : i32
    %true = arith.constant true
    {body}
    gpu.return
  }}
}}
"""

_FILL = """
    %first = arith.constant 0 : index
    %stride = gpu.block_dim x
    %words = arith.constant 4096 : index
    scf.for %w = %thread to %words step %stride {{
      %v = memref.load %in[%w] : memref<4096xi32>
      %number = arith.index_cast %w : index to i32
      %p = llvm.getelementptr %smem[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
      llvm.store %v, %p : i32, !llvm.ptr<3>
    }}
    gpu.barrier
    %address = llvm.ptrtoint %smem : !llvm.ptr<3> to i64
    %c4_64 = arith.constant 4 : i64
    %start = arith.shrui %address, %c4_64 : i64
    %fields = arith.constant {fields} : i64
    %desc = arith.addi %start, %fields : i64
"""
"""All threads fill shared memory; %desc is a descriptor of it with the fields given."""

ALLOC = """
    nvvm.tcgen05.alloc %slot, %c64 : !llvm.ptr<3>, i32
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
"""
"""64 columns, their address in %base."""

DENSE = 0x0000400800010000
"""ldo 16, sdo 128, no swizzle."""


def fill(fields: int = DENSE) -> str:
    """The statements that fill the 16384 bytes of shared memory and make the descriptor."""
    return _FILL.format(fields=fields)


def emulated(body: str, *, threads: int = 32, outputs: int = 4096) -> ir.Module:
    """The module with `body` in its kernel, behind `tcgen05-emulate` and the lowering."""
    text = _TEXT.format(body=body, threads=threads, outputs=outputs)
    with ir.Context():
        return run_pipeline(ir.Module.parse(text), f"tcgen05-emulate,{lower()}")


INPUT = np.random.default_rng(7).integers(0, 1 << 32, 4096, dtype=np.uint32).view(np.int32)


def result(
    body: str, *, threads: int = 32, outputs: int = 4096, cluster: int = 1
) -> NDArray[np.int32]:
    """What `body` leaves in %out, zero before; INPUT is in %in."""
    out = np.zeros(outputs, np.int32)
    module = emulated(body, threads=threads, outputs=outputs)
    sizes = {"grid": cluster, "block": threads, "cluster": cluster}
    left: NDArray[np.int32] = run(module, "kernel", INPUT, out, **sizes)[1]
    return left
