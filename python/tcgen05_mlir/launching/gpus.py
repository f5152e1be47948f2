"""The GPUs of this machine: the one place where a launch looks for them."""

from __future__ import annotations

from tcgen05_mlir import runtime


def devices() -> tuple[runtime.Device, ...]:
    """The GPUs that the CUDA driver names, in its order; none where there is no driver."""
    return runtime.devices()


def why_none() -> str:
    """Why `devices()` is empty: `cuda-bindings is not installed: ...`, say."""
    return runtime.why_no_device()


def described(gpu: runtime.Device) -> str:
    """`GPU 0, NVIDIA H200, sm_90`."""
    return f"GPU {gpu.ordinal}, {gpu.name}, {gpu.chip}"
