"""Small kernels as text, and running them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from tcgen05_mlir.simulator import run

THREADS = 32


def llvm_kernel(
    parameters: str,
    body: str,
    *,
    threads: int = THREADS,
    attributes: str = "",
    outside: str = "",
) -> str:
    """A module with one kernel `k` in the llvm dialect; `outside` stands beside it."""
    return f"""
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx86">] {{
  {outside}
  llvm.func @k({parameters}) attributes {{gpu.kernel, nvvm.kernel,
      nvvm.reqntid = array<i32: {threads}, 1, 1>{attributes}}} {{
    {body}
  }}
}}
"""


def per_thread(body: str, result: str, type_: str, inputs: int = 1, **options: Any) -> str:
    """A kernel in which each thread makes one number.

    `body` computes %{result} of `type_`; it finds `%tid` (i32), `%t` (i64) and the thread's element
    of each i32 input as `%x0`, `%x1`, ...; thread t stores its result to element t of the output.
    """
    parameters = ", ".join([*(f"%in{i}: !llvm.ptr" for i in range(inputs)), "%out: !llvm.ptr"])
    loads = "\n".join(
        f"""    %p{i} = llvm.getelementptr %in{i}[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x{i} = llvm.load %p{i} : !llvm.ptr -> i32"""
        for i in range(inputs)
    )
    code = f"""%tid = nvvm.read.ptx.sreg.tid.x : i32
    %t = llvm.zext %tid : i32 to i64
{loads}
    {body}
    %q = llvm.getelementptr %out[%t] : (!llvm.ptr, i64) -> !llvm.ptr, {type_}
    llvm.store %{result}, %q : {type_}, !llvm.ptr
    llvm.return"""
    return llvm_kernel(parameters, code, **options)


def element(pointer: str, row: int, type_: str) -> str:
    """The address of element (row, thread) of an array (rows, THREADS); `%t` is the thread."""
    array = f"!llvm.array<{THREADS} x {type_}>"
    return f"llvm.getelementptr %{pointer}[{row}, %t] : (!llvm.ptr, i64) -> !llvm.ptr, {array}"


def lanes(kernel: str, *inputs: NDArray, dtype: Any = np.int32, threads: int = THREADS) -> NDArray:
    """What the threads of a `per_thread` kernel leave."""
    return run(kernel, "k", *inputs, np.zeros(threads, dtype))[-1]
