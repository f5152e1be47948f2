"""The GPUs of this machine."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_mlir.model.targets import TCGEN05_CHIPS

from .driver import Driver, current
from .errors import CudaError, DriverMissing

_NO_GPU = "the CUDA driver knows no GPU"


@dataclass(frozen=True)
class Device:
    """A GPU as the driver describes it.

    `ordinal`: its number. `chip`: `sm_90` for compute capability (9, 0). `has_tcgen05`: it has
    tensor memory. `driver_version`: the CUDA version of the driver, (13, 0). `memory`: bytes.
    `shared_per_block`, `shared_per_block_optin`: bytes of shared memory that a block has, and that
    it can ask for; `multiprocessors`, `clusters`: how many there are, and whether there are any.
    """

    ordinal: int
    name: str
    capability: tuple[int, int]
    driver_version: tuple[int, int]
    multiprocessors: int
    memory: int
    shared_per_block: int
    shared_per_block_optin: int
    clusters: bool

    @property
    def chip(self) -> str:
        return "sm_{}{}".format(*self.capability)

    @property
    def has_tcgen05(self) -> bool:
        return f"{self.chip}a" in TCGEN05_CHIPS

    def __str__(self) -> str:
        return f"device {self.ordinal} ({self.name}, {self.chip})"


def devices() -> tuple[Device, ...]:
    """The GPUs that the driver names, in its order; none where there is no driver."""
    try:
        return _devices()
    except (DriverMissing, CudaError):
        return ()


def why_no_device() -> str:
    """Why `devices()` is empty; empty itself where it is not."""
    try:
        return "" if _devices() else _NO_GPU
    except (DriverMissing, CudaError) as error:
        return str(error)


def device(ordinal: int) -> Device:
    """The GPU of this number.

    Raises DriverMissing where there is none at all, ValueError where not this one, TypeError where
    it is no number, CudaError in a process that was forked.
    """
    if isinstance(ordinal, bool) or not isinstance(ordinal, int):
        raise TypeError(f"'device' must be the number of a GPU, got {ordinal!r}")
    driver = current()
    try:
        driver.initialize()
    except CudaError as error:
        if driver.forked:
            raise
        raise DriverMissing(str(error)) from None
    count = driver.call("counting the GPUs", "cuDeviceGetCount")
    if not count:
        raise DriverMissing(_NO_GPU)
    if not 0 <= ordinal < count:
        raise ValueError(f"'device' must be in 0..{count - 1}, the GPUs there are, got {ordinal}")
    return _describe(driver, ordinal)


def _devices() -> tuple[Device, ...]:
    driver = current()
    driver.initialize()
    count = driver.call("counting the GPUs", "cuDeviceGetCount")
    return tuple(_describe(driver, ordinal) for ordinal in range(count))


def _describe(driver: Driver, ordinal: int) -> Device:
    doing = f"describing device {ordinal}"
    version = driver.call(doing, "cuDriverGetVersion")
    handle = driver.call(doing, "cuDeviceGet", ordinal)

    def attribute(name: str) -> int:
        return driver.call(doing, "cuDeviceGetAttribute", name, handle)

    return Device(
        ordinal=ordinal,
        name=driver.call(doing, "cuDeviceGetName", handle),
        capability=(attribute("COMPUTE_CAPABILITY_MAJOR"), attribute("COMPUTE_CAPABILITY_MINOR")),
        driver_version=(version // 1000, version % 1000 // 10),
        multiprocessors=attribute("MULTIPROCESSOR_COUNT"),
        memory=driver.call(doing, "cuDeviceTotalMem", handle),
        shared_per_block=attribute("MAX_SHARED_MEMORY_PER_BLOCK"),
        shared_per_block_optin=attribute("MAX_SHARED_MEMORY_PER_BLOCK_OPTIN"),
        clusters=bool(attribute("CLUSTER_LAUNCH")),
    )
