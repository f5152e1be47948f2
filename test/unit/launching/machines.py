"""GPUs that this machine does not have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tcgen05_mlir.launching import gpus

NO_DRIVER = "no CUDA driver: libcuda.so.1 was not found"


@dataclass(frozen=True)
class Gpu:
    """What a launch looks at of a runtime.Device."""

    ordinal: int
    name: str
    capability: tuple[int, int]
    has_tcgen05: bool = False

    @property
    def chip(self) -> str:
        return "sm_{}{}".format(*self.capability)


def t4(ordinal: int = 0) -> Gpu:
    return Gpu(ordinal, "Tesla T4", (7, 5))


def a100(ordinal: int = 0) -> Gpu:
    return Gpu(ordinal, "NVIDIA A100", (8, 0))


def h200(ordinal: int = 0) -> Gpu:
    return Gpu(ordinal, "NVIDIA H200", (9, 0))


def b200(ordinal: int = 0) -> Gpu:
    return Gpu(ordinal, "NVIDIA B200", (10, 0), has_tcgen05=True)


Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A function that puts GPUs into this machine, none at first."""

    def has(*found: Gpu) -> None:
        monkeypatch.setattr(gpus, "devices", lambda: found)

    monkeypatch.setattr(gpus, "why_none", lambda: NO_DRIVER)
    has()
    return has
