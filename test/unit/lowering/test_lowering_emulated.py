"""Random copies as whole kernels, emulated and run, against the model's reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from numpy.typing import NDArray
from random_copies import BUFFER_BYTES, RandomCopy, random_copies
from sources import WORKGROUP
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.model import execute_cp
from tcgen05_mlir.passes import tcgen05_to_ptx
from tcgen05_mlir.runtime.tensor_memory import POISON
from tcgen05_mlir.simulator import run

BASE = 1024
"""Where the simulator's shared memory begins, and in it the buffer."""

IMAGE: NDArray[np.uint32] = np.random.default_rng(3).integers(
    0, 2**32, BUFFER_BYTES // 4, dtype=np.uint32
)
MEMORY = np.concatenate([np.zeros(BASE, np.uint8), IMAGE.view(np.uint8)])

_KERNEL = """
gpu.module @m {{
  {buffer}
  llvm.mlir.global internal @taddr() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
  llvm.mlir.global internal @copied() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
  gpu.func @k(%image: memref<16384xi32>, %out: memref<128x512xi32>{parameters}) kernel
      attributes {{nvvm.reqntid = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %c16384 = arith.constant 16384 : index
    %columns = arith.constant 512 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 1000 : i32
    %step = arith.constant 65536 : i32
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %mbar = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %tiles = memref.get_global @tiles : {type}
    %at = memref.extract_aligned_pointer_as_index %tiles : {type} -> index
    {dynamic}
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %first = arith.cmpi eq, %warp, %c0 : index
    scf.if %first {{
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
      %init = nvvm.elect.sync -> i1
      scf.if %init {{
        nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32
      }}
    }}
    scf.for %w = %tid to %c16384 step %c128 {{
      %word = memref.load %image[%w] : memref<16384xi32>
      %four = arith.constant 4 : index
      %byte = arith.muli %w, %four : index
      {stores}
    }}
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
    gpu.barrier
    %taddr = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %first {{
      %issuer = nvvm.elect.sync -> i1
      scf.if %issuer {{
        {copy}
        nvvm.tcgen05.commit %mbar : !llvm.ptr<3>
      }}
    }}
    nvvm.mbarrier.try_wait.parity %mbar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.tcgen05.fence <after>
    %row = arith.muli %warp, %c32 : index
    %row_i32 = arith.index_cast %row : index to i32
    %lanes = arith.muli %row_i32, %step : i32
    %mine = arith.addi %taddr, %lanes : i32
    scf.for %c = %c0 to %c512 step %c128 {{
      %c_i32 = arith.index_cast %c : index to i32
      %a = arith.addi %mine, %c_i32 : i32
      %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
      %words = nvvm.tcgen05.ld %p {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}}
        : vector<128xi32>
      nvvm.tcgen05.wait <load>
      vector.store %words, %out[%tid, %c] : memref<128x512xi32>, vector<128xi32>
    }}
    gpu.return
  }}
}}
"""

_DYNAMIC = f"""%dynamic = gpu.dynamic_shared_memory : memref<?xi8, {WORKGROUP}>
    %at2 = memref.extract_aligned_pointer_as_index %dynamic : memref<?xi8, {WORKGROUP}> -> index"""

_STORE = """%sum{n} = arith.addi %{at}, %byte : index
      %i64{n} = arith.index_cast %sum{n} : index to i64
      %to{n} = llvm.inttoptr %i64{n} : i64 to !llvm.ptr<3>
      llvm.store %word, %to{n} : i32, !llvm.ptr<3>"""


def kernel(copy: RandomCopy) -> str:
    """Fills the buffer, and the dynamic one where the copy reads that; copies; reads all back."""
    buffer, head, *body = copy.text(BASE).splitlines()
    assert head.startswith("func.func @f(%taddr: i32")
    assert body[-2:] == ["return", "}"]
    dynamic = copy.kind == "dynamic"
    places = ["at", "at2"] if dynamic else ["at"]
    return _KERNEL.format(
        buffer=buffer,
        type=buffer.split(" : ")[1].split(" {")[0],
        parameters="".join(f", {name}: {kind}" for name, kind, _ in copy.arguments),
        dynamic=_DYNAMIC if dynamic else "",
        stores="\n      ".join(_STORE.format(n=n, at=at) for n, at in enumerate(places)),
        copy="\n        ".join(body[:-2]),
    )


def reference(copy: RandomCopy) -> NDArray[np.uint32]:
    """Tensor memory after the copy, by the model: from plain addresses, without a layout."""
    tmem = np.full((128, 512), POISON, np.uint32)
    for start, address in zip(copy.starts(BASE), copy.addresses(0), strict=True):
        descriptor = replace(copy.descriptor, start=start)
        execute_cp(tmem, MEMORY, address, descriptor, copy.instruction)
    return tmem


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=random_copies())
def test_random_copies_emulated(drawn: RandomCopy) -> None:
    copy = replace(drawn, instruction=replace(drawn.instruction, cta_group=1))
    options = tcgen05_to_ptx.ToPtxOptions(chip="sm_90a", emulate=True)
    stages = f"{tcgen05_to_ptx.front(options)},{tcgen05_to_ptx.lower(emulate=True)}"
    lowered = run_pipeline(load(kernel(copy)), stages)
    out = np.zeros((128, 512), np.uint32)
    values = [value for _, _, value in copy.arguments]
    smem = BUFFER_BYTES if copy.kind == "dynamic" else 0
    found = run(lowered, "k", IMAGE, out, *values, smem=smem)[1]
    assert (found == reference(copy)).all(), copy
