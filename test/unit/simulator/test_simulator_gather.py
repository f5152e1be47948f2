"""Vectors of addresses: masked gathers and scatters."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import llvm_kernel
from tcgen05_mlir.simulator import SimulationError, run

KERNEL = llvm_kernel(
    "%in: !llvm.ptr, %at: !llvm.ptr, %mask: !llvm.ptr, %out: !llvm.ptr",
    """%tid = nvvm.read.ptx.sreg.tid.x : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %i = llvm.mul %tid, %four : i32
    %pa = llvm.getelementptr %at[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %pm = llvm.getelementptr %mask[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %where = llvm.load %pa : !llvm.ptr -> vector<4xi32>
    %chosen = llvm.load %pm : !llvm.ptr -> vector<4xi32>
    %none = llvm.mlir.constant(dense<0> : vector<4xi32>) : vector<4xi32>
    %old = llvm.mlir.constant(dense<[-1, -2, -3, -4]> : vector<4xi32>) : vector<4xi32>
    %m = llvm.icmp "ne" %chosen, %none : vector<4xi32>
    %from = llvm.getelementptr %in[%where] : (!llvm.ptr, vector<4xi32>) -> vector<4x!llvm.ptr>, i32
    %v = llvm.intr.masked.gather %from, %m, %old {alignment = 4 : i32}
      : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
    %first = llvm.getelementptr %out[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %v, %first : vector<4xi32>, !llvm.ptr
    %n = llvm.mlir.constant(128 : i32) : i32
    %second = llvm.getelementptr %out[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %to = llvm.getelementptr %second[%where] : (!llvm.ptr, vector<4xi32>)
      -> vector<4x!llvm.ptr>, i32
    llvm.intr.masked.scatter %v, %to, %m {alignment = 4 : i32}
      : vector<4xi32>, vector<4xi1> into vector<4x!llvm.ptr>
    llvm.return""",
)


def test_gather_and_scatter() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2**31, 128).astype(np.int32)
    at = rng.permutation(128).astype(np.int32)
    mask = rng.integers(0, 2, 128).astype(np.int32)
    # What is masked out is not read: its address may be anywhere.
    reach = np.where(mask == 1, at, 10**6).astype(np.int32)
    out = run(KERNEL, "k", values, reach, mask, np.full(256, 7, np.int32))[3]
    old = np.tile([-1, -2, -3, -4], 32)
    assert (out[:128] == np.where(mask == 1, values[at], old)).all()
    wanted = np.full(128, 7)
    wanted[at[mask == 1]] = values[at[mask == 1]]
    assert (out[128:] == wanted).all()


def test_a_gather_outside_its_buffer() -> None:
    at, mask = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    at[77], mask[77] = 128, 1
    with pytest.raises(SimulationError) as caught:
        run(KERNEL, "k", np.zeros(128, np.int32), at, mask, np.zeros(256, np.int32))
    assert caught.value.rule == "S2"
    assert "'llvm.intr.masked.gather' op reads" in str(caught.value)
    assert "thread (19, 0, 0)" in str(caught.value)
