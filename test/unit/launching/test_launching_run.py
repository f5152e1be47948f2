"""`run` with a device: the simulator's side of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from machines import Machine, a100, h200
from tcgen05_mlir import run
from tcgen05_mlir.compiler import load
from tcgen05_mlir.launching import choose_for
from tcgen05_mlir.simulator import SimulationError

EXAMPLES = Path(__file__).parents[3] / "examples"
READBACK = EXAMPLES / "copy_readback.mlir"
A = np.arange(512, dtype=np.int32).reshape(128, 4)
OUT = np.zeros_like(A)


@pytest.mark.parametrize("device", ["auto", "simulator"])
def test_without_a_gpu_it_is_the_simulator(machine: Machine, device: str) -> None:
    machine()
    assert (run(READBACK, "copy", A, OUT, device=device)[1] == A).all()
    assert (OUT == 0).all()


def test_options_of_the_simulator(machine: Machine) -> None:
    machine(h200())
    seen = []
    assert (run(READBACK, None, A, OUT, seed=0)[1] == A).all()
    assert (run(READBACK, None, A, OUT, allow={"P3"})[1] == A).all()
    assert (run(READBACK, None, A, OUT, progress=lambda *now: seen.append(now))[1] == A).all()
    assert seen == [(1, 1)]
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the message is what is tested)
        run(READBACK, None, A, OUT, allow={"P3"}, device="emulate")
    assert str(caught.value) == "only the simulator has 'allow', got device 'emulate'"


def test_the_simulator_judges(machine: Machine) -> None:
    machine()
    unfenced = "".join(
        line for line in READBACK.read_text().splitlines(True) if "nvvm.fence.proxy" not in line
    )
    with pytest.raises(SimulationError, match=r"\[P3\]"):
        run(unfenced, None, A, OUT)


@pytest.mark.parametrize(
    ("example", "cluster", "device"),
    [
        ("copy_readback.mlir", None, "emulate"),
        ("copy_readback.mlir", 1, "emulate"),
        ("copy_readback.mlir", (1, 2), "simulator"),
        ("cta_pair.mlir", None, "simulator"),
    ],
)
def test_what_needs_clusters(
    machine: Machine, example: str, cluster: int | tuple[int, ...] | None, device: str
) -> None:
    machine(a100())
    module = load(EXAMPLES / example)
    assert choose_for(module, cluster=cluster).device == device


RANK = """
gpu.module @m {
  gpu.func @k(%out: memref<1xi32>) kernel attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %c0 = arith.constant 0 : index
    memref.store %rank, %out[%c0] : memref<1xi32>
    gpu.return
  }
}
"""


def test_who_asks_for_the_rank_needs_clusters(machine: Machine) -> None:
    machine(a100())
    assert choose_for(load(RANK)).device == "simulator"
    machine(h200())
    assert choose_for(load(RANK)).device == "emulate"
