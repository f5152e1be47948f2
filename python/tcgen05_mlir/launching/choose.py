"""Which device runs a kernel, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tcgen05_mlir.launching import gpus
from tcgen05_mlir.model.capability import chip_of, number_of
from tcgen05_mlir.model.targets import FIRST_EMULATED, FIRST_WITH_CLUSTERS
from tcgen05_mlir.runtime import Device, DriverMissing

DEVICES = ("auto", "native", "emulate", "simulator")
"""What can be asked for. `auto` is the best there is: in the order of the others."""


@dataclass(frozen=True)
class Choice:
    """`device` is native, emulate or simulator; `gpu` is the GPU of the first two.

    As text: `emulate (GPU 0, NVIDIA H200, sm_90, has no tcgen05)`. Raises TypeError for a field of
    another kind; ValueError for another device, for a GPU's without one and for the simulator with.
    """

    device: str
    reason: str
    gpu: Device | None = None

    def __post_init__(self) -> None:
        for name in ("device", "reason"):
            _check_type(name, getattr(self, name), str, "a str")
        _check_type("gpu", self.gpu, Device | None, "a Device of tcgen05_mlir.runtime or None")
        if self.device not in DEVICES[1:]:
            raise ValueError(f"'device' must be one of {_listed(DEVICES[1:])}, got '{self.device}'")
        if (self.gpu is None) != (self.device == "simulator"):
            wanted = "no GPU" if self.device == "simulator" else "a Device as 'gpu'"
            raise ValueError(f"device '{self.device}' wants {wanted}, got {self.gpu}")

    @property
    def chip(self) -> str:
        """What a kernel is compiled for; there is none for the simulator."""
        assert self.gpu is not None, "the simulator needs no chip"
        return chip_of(self.gpu.capability)

    def __str__(self) -> str:
        return f"{self.device} ({self.reason})"


def choose(
    device: str = "auto",
    *,
    gpu: int | None = None,
    clusters: bool = False,
    simulator_options: Iterable[str] = (),
) -> Choice:
    """The device for a kernel. `gpu`: only this one is thought of, by its number.

    `auto` is a GPU with tcgen05, else one of sm_80 or later by emulation (sm_90 where the kernel
    needs `clusters`), else the simulator; the simulator too where `simulator_options`, the names
    of options that only it has, were used.

    Raises TypeError for an argument of another kind; ValueError for another device, for options of
    the simulator on a GPU, and for a GPU that is not there or cannot run it;
    tcgen05_mlir.runtime.DriverMissing where a GPU was asked for and the machine has none.
    """
    _check_type("device", device, str, "a str")
    if device not in DEVICES:
        raise ValueError(f"'device' must be one of {_listed(DEVICES)}, got '{device}'")
    _check_number(gpu)
    options = " and ".join(f"'{name}'" for name in simulator_options)
    if device == "simulator" or (device == "auto" and options and gpu is None):
        return _simulator(device, gpu, options)
    if options:
        wanted = f"'gpu' {gpu}" if device == "auto" else f"device '{device}'"
        raise ValueError(f"only the simulator has {options}, got {wanted}")
    found = _devices(device, gpu)
    if device == "auto":
        return _best(found, clusters)
    return _wanted(device, found, clusters)


def _check_type(name: str, value: object, kind: Any, wanted: str) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"'{name}' must be {wanted}, got {type(value).__name__} {value!r}")


def _check_number(gpu: object) -> None:
    if gpu is not None and (isinstance(gpu, bool) or not isinstance(gpu, int)):
        raise TypeError(f"'gpu' must be an int, got {type(gpu).__name__} {gpu!r}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _simulator(device: str, gpu: int | None, options: str) -> Choice:
    if gpu is not None:
        raise ValueError(f"the simulator has no GPUs, got 'gpu' {gpu}")
    return Choice("simulator", "as asked" if device == "simulator" else f"only it has {options}")


def _devices(device: str, gpu: int | None) -> tuple[Device, ...]:
    """Those that may be used; none only where none was asked for."""
    found = gpus.devices()
    if gpu is not None and found:
        chosen = tuple(one for one in found if one.ordinal == gpu)
        if not chosen:
            there = "; ".join(map(gpus.described, found))
            raise ValueError(f"'gpu' {gpu} is not there; there is {there}")
        return chosen
    if not found and (gpu is not None or device != "auto"):
        raise DriverMissing(gpus.why_none())
    return found


def _best(found: tuple[Device, ...], clusters: bool) -> Choice:
    if not found:
        return Choice("simulator", gpus.why_none())
    for gpu in found:
        if gpu.has_tcgen05:
            return _native(gpu)
    for gpu in found:
        if not _obstacle(gpu, clusters):
            return _emulated(gpu)
    return Choice("simulator", _obstacle(found[0], clusters))


def _wanted(device: str, found: tuple[Device, ...], clusters: bool) -> Choice:
    """The first GPU that can; ValueError with what the first lacks."""
    for gpu in found:
        if device == "native" and gpu.has_tcgen05:
            return _native(gpu)
        if device == "emulate" and not _obstacle(gpu, clusters):
            return _emulated(gpu)
    if device == "emulate":
        raise ValueError(f"device 'emulate' cannot be had: {_obstacle(found[0], clusters)}")
    raise ValueError(
        f"device 'native' needs a GPU with tcgen05; {gpus.described(found[0])}, has none: "
        "'emulate' runs kernels there"
    )


def _native(gpu: Device) -> Choice:
    return Choice("native", f"{gpus.described(gpu)}, has tcgen05", gpu)


def _emulated(gpu: Device) -> Choice:
    lacks = "" if gpu.has_tcgen05 else ", has no tcgen05"
    return Choice("emulate", f"{gpus.described(gpu)}{lacks}", gpu)


def _obstacle(gpu: Device, clusters: bool) -> str:
    """Why a GPU cannot emulate the kernel; empty where it can."""
    number = number_of(gpu.capability)
    if number < FIRST_EMULATED:
        needs = f"emulation needs sm_{FIRST_EMULATED}"
    elif clusters and number < FIRST_WITH_CLUSTERS:
        needs = f"the kernel's clusters need sm_{FIRST_WITH_CLUSTERS}"
    else:
        return ""
    return f"{needs} or later; {gpus.described(gpu)}"
