"""tcgen05.st and ld in every shape and count, as whole kernels, against PTX's layouts."""

from __future__ import annotations

import numpy as np
import pytest
from tcgen05_mlir.simulator import run

COUNTS = {
    "32x32b": (1, 2, 4, 8, 16, 32, 64, 128),
    "16x64b": (1, 2, 4, 8, 16, 32, 64, 128),
    "16x128b": (2, 4, 8, 16, 32, 64, 128),
    "16x256b": (4, 8, 16, 32, 64, 128),
    "16x32bx2": (1, 2, 4, 8, 16, 32, 64, 128),
}
OFFSET = 256
"""Columns to the second access of 16x32bx2."""


def place(shape: str, lane: int, register: int) -> tuple[int, int]:
    """(lane, column) of a thread's register, from PTX's figures (`tcgen05-matrix-fragments`)."""
    quad, pair = lane // 4, lane % 4
    if shape == "32x32b":
        return lane, register
    if shape == "16x64b":
        return quad + 8 * (lane % 2), 2 * register + lane // 2 % 2
    if shape == "16x128b":
        step, half = divmod(register, 2)
        return quad + 8 * half, 4 * step + pair
    if shape == "16x256b":
        step, part = divmod(register, 4)
        return quad + 8 * (part // 2), 8 * step + 2 * pair + part % 2
    return lane % 16, register + (OFFSET if lane >= 16 else 0)


def kernel(shape: str, count: int, pack: str = "") -> str:
    """Stores `count` registers per thread, reads all columns, then loads the registers back."""
    vector = f"vector<{count}xi32>" if count > 1 else "i32"
    distance = ", %offset" if shape == "16x32bx2" else ""
    unpack = "unpack" if pack else ""
    return f"""
gpu.module @m [#nvvm.target<chip = "sm_100a", features = "+ptx86">] {{
  llvm.mlir.global internal @taddr() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
  llvm.func @k(%in: !llvm.ptr, %zeros: !llvm.ptr, %out: !llvm.ptr)
      attributes {{gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}} {{
    %slot = llvm.mlir.addressof @taddr : !llvm.ptr<3>
    %columns = llvm.mlir.constant(512 : i32) : i32
    %offset = llvm.mlir.constant({OFFSET} : i64) : i64
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %z = llvm.load %zeros {{alignment = 4 : i64}} : !llvm.ptr -> vector<128xi32>
    {
        " ".join(
            f'''%c{i} = llvm.mlir.constant({128 * i} : i32) : i32
    %a{i} = llvm.add %base, %c{i} : i32
    %p{i} = llvm.inttoptr %a{i} : i32 to !llvm.ptr<6>
    nvvm.tcgen05.st %p{i}, %z {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
    '''
            for i in range(4)
        )
    }
    nvvm.tcgen05.wait <store>
    %q = llvm.getelementptr %in[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<{count} x i32>
    %v = llvm.load %q {{alignment = 4 : i64}} : !llvm.ptr -> {vector}
    nvvm.tcgen05.st %p, %v{distance} {unpack}
      {{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}} : {vector}
    nvvm.tcgen05.wait <store>
    %r = llvm.getelementptr %out[%tid] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<512 x i32>
    {
        "".join(
            f'''%w{i} = nvvm.tcgen05.ld %p{i}
      {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
    nvvm.tcgen05.wait <load>
    %r{i} = llvm.getelementptr %r[{128 * i}] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %w{i}, %r{i} {{alignment = 4 : i64}} : vector<128xi32>, !llvm.ptr
    '''
            for i in range(4)
        )
    }
    %back = nvvm.tcgen05.ld %p{distance} {pack}
      {{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}} : {vector}
    nvvm.tcgen05.wait <load>
    llvm.store %back, %q {{alignment = 4 : i64}} : {vector}, !llvm.ptr
    nvvm.tcgen05.relinquish_alloc_permit
    nvvm.tcgen05.dealloc %p, %columns : !llvm.ptr<6>, i32
    llvm.return
  }}
}}
"""


CASES = [(shape, count) for shape, counts in COUNTS.items() for count in counts]


@pytest.mark.parametrize(("shape", "count"), CASES)
def test_store_places_each_register_and_load_finds_it(shape: str, count: int) -> None:
    values = np.arange(1, 32 * count + 1, dtype=np.uint32).reshape(32, count)
    text = kernel(shape, count)
    back, _, got = run(text, "k", values, np.zeros(128, np.uint32), np.zeros((32, 512), np.uint32))
    wanted = np.zeros((32, 512), np.uint32)
    for lane in range(32):
        for register in range(count):
            wanted[place(shape, lane, register)] = values[lane, register]
    assert (got == wanted).all()
    assert (back == values).all()


@pytest.mark.parametrize(("shape", "count"), [("32x32b", 8), ("16x64b", 4), ("16x32bx2", 2)])
def test_unpack_spreads_halves_over_two_columns_and_pack_joins_them(shape: str, count: int) -> None:
    values = np.arange(32 * count, dtype=np.uint32).reshape(32, count) * np.uint32(0x10003)
    text = kernel(shape, count, pack="pack")
    back, _, got = run(text, "k", values, np.zeros(128, np.uint32), np.zeros((32, 512), np.uint32))
    assert (back == values).all()
    assert (got <= 0xFFFF).all()
    if shape == "32x32b":
        halves = values.view(np.uint16).reshape(32, 2 * count)
        assert (got[:, : 2 * count] == halves).all()
