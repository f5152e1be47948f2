"""Runs compiled kernels on GPUs through the CUDA driver: numpy arrays in, numpy arrays out.

    with runtime.load(Artifact.read("copy.cubin")) as module:
        source, result = module.kernel("copy").launch(a, numpy.zeros_like(a))

Needs numpy, and cuda-bindings (the extra `[cuda]`) once a GPU is wanted; no MLIR. Nothing here has
run on Blackwell hardware.
"""

from __future__ import annotations

from .artifact import Artifact
from .devices import Device, devices, why_no_device
from .errors import CudaError, DriverMissing, EmulationError
from .kernel import Kernel
from .launch import Launch
from .manifest import ArgumentInfo, KernelInfo, Manifest
from .module import Module, load

__all__ = [
    "ArgumentInfo",
    "Artifact",
    "CudaError",
    "Device",
    "DriverMissing",
    "EmulationError",
    "Kernel",
    "KernelInfo",
    "Launch",
    "Manifest",
    "Module",
    "devices",
    "load",
    "why_no_device",
]
