"""The GPUs of this machine: the one place where a launch looks for them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tcgen05_mlir.runtime import Device


def devices() -> tuple[Device, ...]:
    """The GPUs that the CUDA driver names, in its order; none where there is no driver."""
    if find_spec("tcgen05_mlir.runtime.__init__") is None:
        return ()
    from tcgen05_mlir import runtime

    return runtime.devices()


def why_none() -> str:
    """Why `devices()` is empty: `no CUDA driver: libcuda.so.1 was not found`."""
    if find_spec("tcgen05_mlir.runtime.__init__") is None:
        return "this package has no runtime"
    from tcgen05_mlir import runtime

    return runtime.why_no_device()


def described(gpu: Device) -> str:
    """`GPU 0, NVIDIA H200, sm_90`."""
    return f"GPU {gpu.ordinal}, {gpu.name}, {gpu.chip}"
