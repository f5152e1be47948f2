"""GPUs that this machine does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tcgen05_mlir.launching import gpus
from tcgen05_mlir.runtime import Device

NO_DRIVER = "no CUDA driver: libcuda.so.1 was not found"


def gpu(ordinal: int, name: str, capability: tuple[int, int]) -> Device:
    """What the driver says of a GPU; of the sizes a launch wants nothing."""
    clusters = capability >= (9, 0)
    return Device(ordinal, name, capability, (13, 0), 132, 1 << 37, 49152, 232448, clusters)


def t4(ordinal: int = 0) -> Device:
    return gpu(ordinal, "Tesla T4", (7, 5))


def a100(ordinal: int = 0) -> Device:
    return gpu(ordinal, "NVIDIA A100", (8, 0))


def h200(ordinal: int = 0) -> Device:
    return gpu(ordinal, "NVIDIA H200", (9, 0))


def b200(ordinal: int = 0) -> Device:
    return gpu(ordinal, "NVIDIA B200", (10, 0))


Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A function that puts GPUs into this machine, none at first."""

    def has(*found: Device) -> None:
        monkeypatch.setattr(gpus, "devices", lambda: found)

    monkeypatch.setattr(gpus, "why_none", lambda: NO_DRIVER)
    has()
    return has
