"""`run` with a device: the simulator's side of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from machines import Machine, a100, h200
from tcgen05_mlir import run, simulator
from tcgen05_mlir.compiler import load
from tcgen05_mlir.launching import Choice, choose, choose_for
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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": 5}, "'device' must be a str or a Choice, got int 5"),
        ({"device": None}, "'device' must be a str or a Choice, got NoneType None"),
        ({"gpu": "0"}, "'gpu' must be an int, got str '0'"),
        ({"gpu": True}, "'gpu' must be an int, got bool True"),
        ({"seed": "x"}, "'seed' must be an int, got str 'x'"),
        ({"seed": 1.5}, "'seed' must be an int, got float 1.5"),
        ({"allow": "P5"}, "'allow' must be a list of rule ids, such as ['P5'], got str 'P5'"),
        ({"allow": ""}, "'allow' must be a list of rule ids, such as ['P5'], got str ''"),
        ({"allow": 5}, "'allow' must be a list of rule ids, such as ['P5'], got int 5"),
        ({"allow": [5]}, "'allow' must hold texts, got int 5"),
        ({"progress": "yes"}, "'progress' must be callable, got str 'yes'"),
    ],
)
def test_options_of_another_kind(machine: Machine, options: dict, message: str) -> None:
    machine()
    with pytest.raises(TypeError) as caught:
        run(READBACK, None, A, OUT, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(("kernel", "kind"), [(5, "int"), (A, "ndarray"), (b"copy", "bytes")])
def test_the_kernel_is_a_name(machine: Machine, kernel: Any, kind: str) -> None:
    machine()
    message = f"'kernel' must be a str or None, got {kind}: the kernel comes before its arguments"
    for call in (run, simulator.run):
        with pytest.raises(TypeError) as caught:
            call(READBACK, kernel, A, OUT)
        assert str(caught.value) == message


def test_options_of_the_simulator_by_itself() -> None:
    with pytest.raises(TypeError) as caught:
        simulator.run(READBACK, None, A, OUT, allow="P5")
    assert str(caught.value) == ("'allow' must be a list of rule ids, such as ['P5'], got str 'P5'")
    assert (simulator.run(READBACK, None, A, OUT, allow=iter(["P5"]), seed=3)[1] == A).all()


def test_a_choice_is_taken_as_it_is(machine: Machine) -> None:
    machine(h200())
    choice = Choice("simulator", "as asked")
    assert (run(READBACK, None, A, OUT, device=choice, seed=1)[1] == A).all()
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        run(READBACK, None, A, OUT, device=choice, gpu=0)
    assert str(caught.value) == (
        "'gpu' chooses a device, and 'device' is a Choice already: simulator (as asked)"
    )
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        run(READBACK, None, A, OUT, device=choose("emulate"), seed=1)
    assert str(caught.value) == "only the simulator has 'seed', got device 'emulate'"
