"""`run` on a GPU: what is compiled for it, what it is given, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from machines import Machine, a100, b200, h200
from tcgen05_mlir import run, runtime

EXAMPLES = Path(__file__).parents[3] / "examples"
READBACK = EXAMPLES / "copy_readback.mlir"
A = np.arange(512, dtype=np.int32).reshape(128, 4)
OUT = np.zeros_like(A)


@dataclass
class Loaded:
    """In place of a module on a GPU: keeps what it was given and returns the arguments."""

    artifact: runtime.Artifact
    device: int
    launches: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    closed: bool = False

    def __enter__(self) -> Loaded:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def kernel(self, name: str) -> Loaded:
        self.name = name
        return self

    def launch(self, *arguments: Any, **sizes: Any) -> tuple[Any, ...]:
        self.launches.append((self.name, arguments, sizes))
        return arguments


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Loaded]:
    """The modules that were loaded."""
    found: list[Loaded] = []

    def load(artifact: runtime.Artifact, device: int) -> Loaded:
        found.append(Loaded(artifact, device))
        return found[-1]

    monkeypatch.setattr(runtime, "load", load)
    return found


def test_a_gpu_with_tcgen05_gets_the_kernel_as_it_is(
    machine: Machine, loaded: list[Loaded]
) -> None:
    machine(h200(), b200(1))
    assert (run(READBACK, None, A, OUT)[0] == A).all()
    (one,) = loaded
    manifest = one.artifact.manifest
    assert (one.device, one.closed) == (1, True)
    assert (manifest.chip, manifest.emit, manifest.emulated) == ("sm_100a", "ptx", False)
    assert b"tcgen05.cp.cta_group::1.128x128b" in one.artifact.code


def test_another_gets_it_emulated(machine: Machine, loaded: list[Loaded]) -> None:
    machine(h200())
    run(READBACK, "kernels::copy", A, OUT, grid=3, block=(128, 1, 1), cluster=1, smem=0)
    (one,) = loaded
    manifest = one.artifact.manifest
    assert (manifest.chip, manifest.emit, manifest.emulated) == ("sm_90a", "ptx", True)
    assert b"tcgen05" not in one.artifact.code.replace(b"__tcgen05", b"")
    ((name, arguments, sizes),) = one.launches
    assert name == "copy"
    assert [id(argument) for argument in arguments] == [id(A), id(OUT)]
    assert sizes == {"grid": 3, "block": (128, 1, 1), "cluster": 1, "smem": 0}


def test_the_chip_is_the_gpus(machine: Machine, loaded: list[Loaded]) -> None:
    machine(h200(), a100(1), b200(2))
    run(READBACK, None, A, OUT, gpu=1)
    run(READBACK, None, A, OUT, device="emulate", gpu=2)
    found = [(one.artifact.manifest.chip, one.artifact.manifest.emulated) for one in loaded]
    assert found == [("sm_80", True), ("sm_100a", True)]


def test_what_goes_wrong_is_not_hidden(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other device is tried."""
    machine(b200())

    def load(artifact: runtime.Artifact, device: int) -> None:
        raise runtime.CudaError("loading: cuModuleLoadDataEx failed", "CUDA_ERROR_X", "cuX")

    monkeypatch.setattr(runtime, "load", load)
    with pytest.raises(runtime.CudaError, match=r"^loading: cuModuleLoadDataEx failed$"):
        run(READBACK, None, A, OUT)
