"""What stands in for the module `cuda.bindings.driver`: it notes what it is called with."""

from __future__ import annotations

import ctypes
from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Any


class CUresult(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_PTX = 218
    CUDA_ERROR_LAUNCH_FAILED = 719


class CUdevice_attribute(Enum):
    CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH = 120


class CUfunction_attribute(Enum):
    CU_FUNC_ATTRIBUTE_NUM_REGS = 4
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class CUjit_option(Enum):
    CU_JIT_INFO_LOG_BUFFER = 3
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4
    CU_JIT_ERROR_LOG_BUFFER = 5
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6


class CUlaunchAttributeID(Enum):
    CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4


def CUlaunchAttributeValue() -> Any:
    return SimpleNamespace(clusterDim=SimpleNamespace(x=0, y=0, z=0))


def CUlaunchAttribute() -> Any:
    return SimpleNamespace()


class CUlaunchConfig(SimpleNamespace):
    """Its list of attributes is a copy, as that of cuda-bindings is."""

    def __init__(self) -> None:
        super().__init__(numAttrs=0, _attrs=[])

    @property
    def attrs(self) -> list[Any]:
        return list(self._attrs)

    @attrs.setter
    def attrs(self, attributes: list[Any]) -> None:
        self._attrs = list(attributes)


CU_MEMHOSTALLOC_PORTABLE = 1
CU_MEMHOSTALLOC_DEVICEMAP = 2


class Handle:
    """A handle or an address: a number only by `int`."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __int__(self) -> int:
        return self.number


class FakeApi:
    """The functions. `error`: what the next ones return; `logs`: of the compiler; `calls`."""

    def __init__(self, error: CUresult = CUresult.CUDA_SUCCESS, logs: Any = (b"", b"")) -> None:
        self.error = error
        self.logs = logs
        self.calls: list[tuple[Any, ...]] = []
        for name, value in globals().items():
            if name.startswith("CU"):
                setattr(self, name, value)

    def cuDriverGetVersion(self) -> Any:
        return CUresult.CUDA_SUCCESS, 13000

    def cuGetErrorString(self, error: CUresult) -> Any:
        return CUresult.CUDA_SUCCESS, b"meaning of %d" % error.value

    def cuDeviceGetName(self, length: int, device: int) -> Any:
        return self.error, b"NVIDIA H200".ljust(length, b"\0")

    def cuDeviceGetAttribute(self, attribute: CUdevice_attribute, device: int) -> Any:
        return self.error, attribute.value

    def cuFuncGetAttribute(self, attribute: CUfunction_attribute, function: int) -> Any:
        return self.error, attribute.value

    def cuFuncSetAttribute(self, function: int, attribute: CUfunction_attribute, value: int) -> Any:
        self.calls.append((function, attribute, value))
        return (self.error,)

    def cuModuleLoadDataEx(self, image: bytes, count: int, options: Any, values: Any) -> Any:
        assert count == len(options) == len(values)
        given = dict(zip((option.name for option in options), values, strict=True))
        for kind, log in zip(("ERROR", "INFO"), self.logs, strict=True):
            buffer = given[f"CU_JIT_{kind}_LOG_BUFFER"]
            assert given[f"CU_JIT_{kind}_LOG_BUFFER_SIZE_BYTES"] == len(buffer)
            # As the driver does: what does not fit is left out, and the end is marked.
            text = log[: len(buffer) - 1] + b"\0"
            buffer[: len(text)] = text
        self.calls.append((image,))
        failed = self.error != CUresult.CUDA_SUCCESS
        return self.error, None if failed else Handle(0x5000)

    def cuModuleGetFunction(self, module: int, name: bytes) -> Any:
        return self.error, Handle(module + len(name))

    def cuModuleGetGlobal(self, module: int, name: bytes) -> Any:
        return self.error, Handle(module + len(name)), 32

    def cuMemAlloc(self, size: int) -> Any:
        return self.error, Handle(0x7000 + size)

    def cuMemcpyHtoD(self, address: int, source: int, size: int) -> Any:
        self.calls.append((address, ctypes.string_at(source, size)))
        return (self.error,)

    def cuMemcpyDtoH(self, target: int, address: int, size: int) -> Any:
        ctypes.memset(target, 7, size)
        return (self.error,)

    def cuMemHostAlloc(self, size: int, flags: int) -> Any:
        self.calls.append((size, flags))
        return self.error, 0x9000

    def cuMemGetInfo(self) -> Any:
        return self.error, 5, 10

    def cuEventElapsedTime(self, start: int, end: int) -> Any:
        return self.error, 0.5

    def cuOccupancyMaxActiveClusters(self, function: int, config: Any) -> Any:
        self.calls.append((function, config))
        return self.error, 66

    def cuLaunchKernelEx(self, config: Any, function: int, parameters: int, extra: int) -> Any:
        pointers = (ctypes.c_void_p * 2).from_address(parameters)
        values = ctypes.string_at(pointers[0], 8), ctypes.string_at(pointers[1], 1)
        self.calls.append((config, function, values, extra))
        return (self.error,)

    def cuInit(self, flags: int) -> Any:
        raise KeyError(999)
