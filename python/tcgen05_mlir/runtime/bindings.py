"""`Bindings`: the calls of the CUDA driver, made through the package cuda-bindings."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .driver import SUCCESS, Answer
from .errors import DriverMissing

_LOG_ROOM = 256
"""Bytes: a log that comes so near to its buffer's end may have been cut, wherever lines end."""


class Bindings:
    """A backend that calls libcuda. Needs cuda-bindings 12.9 or later; see `Backend`.

    Raises DriverMissing where cuda-bindings is not installed or finds no driver.
    """

    def __init__(self) -> None:
        self._api = _import()
        try:
            self._api.cuDriverGetVersion()
        except RuntimeError as error:
            raise DriverMissing(f"no CUDA driver: {_first_line(error)}") from None

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        own = getattr(self, f"_{name}", None)
        function = own if own is not None else getattr(self._api, name)
        logs: tuple[bytearray, ...] = ()
        try:
            error, *values = function(*arguments)
        except KeyError as unknown:  # A driver that is newer than the package.
            return Answer(f"CUDA error {unknown.args[0]}", None, "unknown to cuda-bindings")
        if name == "cuModuleLoadDataEx":
            *values, logs = values
        log, cut = "\n".join(filter(None, map(_log_text, logs))), any(map(_is_cut, logs))
        if error.name != SUCCESS:
            return Answer(error.name, None, self._meaning(error), log, cut)
        return Answer(SUCCESS, _plain(values), "", log, cut)

    def close(self) -> None:
        """Nothing to give back."""

    def _meaning(self, error: Any) -> str:
        _, text = self._api.cuGetErrorString(error)
        return text.decode(errors="replace") if text else ""

    # Each takes what `invoke` got and returns what cuda-bindings would: a CUresult, then values.

    def _cuDeviceGetName(self, device: int) -> tuple[Any, ...]:
        error, name = self._api.cuDeviceGetName(256, device)
        return error, name.split(b"\0")[0].decode(errors="replace") if name else ""

    def _cuDeviceGetAttribute(self, attribute: str, device: int) -> tuple[Any, ...]:
        # Not by subscript: the enumerations of newer versions of the package have none.
        wanted = getattr(self._api.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{attribute}")
        return self._api.cuDeviceGetAttribute(wanted, device)

    def _cuFuncGetAttribute(self, attribute: str, function: int) -> tuple[Any, ...]:
        return self._api.cuFuncGetAttribute(self._of_function(attribute), function)

    def _cuFuncSetAttribute(self, function: int, attribute: str, value: int) -> tuple[Any, ...]:
        return self._api.cuFuncSetAttribute(function, self._of_function(attribute), value)

    def _of_function(self, attribute: str) -> Any:
        return getattr(self._api.CUfunction_attribute, f"CU_FUNC_ATTRIBUTE_{attribute}")

    def _cuModuleLoadDataEx(self, image: bytes, log_bytes: int) -> tuple[Any, ...]:
        """The module, then the buffers of the error log and of the information log."""
        option = self._api.CUjit_option
        logs = (bytearray(log_bytes), bytearray(log_bytes))
        options = {
            option.CU_JIT_ERROR_LOG_BUFFER: logs[0],
            option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: log_bytes,
            option.CU_JIT_INFO_LOG_BUFFER: logs[1],
            option.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: log_bytes,
        }
        error, module = self._api.cuModuleLoadDataEx(
            image, len(options), list(options), list(options.values())
        )
        return error, module, logs

    def _cuModuleGetFunction(self, module: int, name: str) -> tuple[Any, ...]:
        return self._api.cuModuleGetFunction(module, name.encode())

    def _cuModuleGetGlobal(self, module: int, name: str) -> tuple[Any, ...]:
        return self._api.cuModuleGetGlobal(module, name.encode())

    def _cuMemcpyHtoD(self, address: int, data: Any) -> tuple[Any, ...]:
        source = np.frombuffer(data, np.uint8)
        return self._api.cuMemcpyHtoD(address, source.ctypes.data, source.size)

    def _cuMemcpyDtoH(self, address: int, size: int) -> tuple[Any, ...]:
        target = np.empty(size, np.uint8)
        (error,) = self._api.cuMemcpyDtoH(target.ctypes.data, address, size)
        return error, target

    def _cuMemHostAlloc(self, size: int, *flags: str) -> tuple[Any, ...]:
        bits = 0
        for flag in flags:
            bits |= getattr(self._api, f"CU_MEMHOSTALLOC_{flag}")
        return self._api.cuMemHostAlloc(size, bits)

    def _read_host(self, address: int, size: int) -> tuple[Any, ...]:
        """No call: the bytes of memory that cuMemHostAlloc gave."""
        return self._api.CUresult.CUDA_SUCCESS, ctypes.string_at(address, size)

    def _write_host(self, address: int, data: bytes) -> tuple[Any, ...]:
        """No call: into memory that cuMemHostAlloc gave."""
        ctypes.memmove(address, data, len(data))
        return (self._api.CUresult.CUDA_SUCCESS,)

    def _cuOccupancyMaxActiveClusters(self, function: int, *sizes: Any) -> tuple[Any, ...]:
        return self._api.cuOccupancyMaxActiveClusters(function, self._config(*sizes))

    def _cuLaunchKernelEx(
        self, function: int, grid: Any, block: Any, cluster: Any, shared: int, values: Any
    ) -> tuple[Any, ...]:
        """The attributes that the driver gets are read back: cluster x, y, z, or nothing."""
        config = self._config(grid, block, cluster, shared)
        dimensions = [config.attrs[i].value.clusterDim for i in range(config.numAttrs)]
        # An array of pointers, each to a value of its parameter's width.
        held = [np.frombuffer(value, np.uint8) for value in values]
        pointers = np.array([value.ctypes.data for value in held], np.uint64)
        (error,) = self._api.cuLaunchKernelEx(config, function, pointers.ctypes.data, 0)
        return error, *((size.x, size.y, size.z) for size in dimensions)

    def _config(self, grid: Any, block: Any, cluster: Any, shared: int) -> Any:
        config = self._api.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = grid
        config.blockDimX, config.blockDimY, config.blockDimZ = block
        config.sharedMemBytes = shared
        attributes = [] if cluster is None else [self._cluster(cluster)]
        config.attrs = attributes  # A copy: set as a whole, with its count.
        config.numAttrs = len(attributes)
        return config

    def _cluster(self, cluster: tuple[int, int, int]) -> Any:
        attribute = self._api.CUlaunchAttribute()
        attribute.id = self._api.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
        value = self._api.CUlaunchAttributeValue()
        size = value.clusterDim
        size.x, size.y, size.z = cluster
        attribute.value = value
        return attribute


def _import() -> Any:
    try:
        from cuda.bindings import driver
    except ImportError:
        raise DriverMissing(
            "cuda-bindings is not installed: pip install 'tcgen05-mlir[cuda]'"
        ) from None
    return driver


def _plain(values: list[Any]) -> Any:
    """A handle or an address as its number; one value alone, several as a tuple."""
    plain = tuple(
        value if isinstance(value, str | bytes | float | tuple | np.ndarray) else int(value)
        for value in values
    )
    return plain[0] if len(plain) == 1 else plain or None


def _log_text(log: bytearray) -> str:
    """A log without what lies behind its end."""
    return bytes(log).split(b"\0")[0].decode(errors="replace").strip()


def _is_cut(log: bytearray) -> bool:
    return len(log) - len(bytes(log).split(b"\0")[0]) < _LOG_ROOM


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
