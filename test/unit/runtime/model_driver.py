"""A CUDA driver in Python, for tests without a GPU: one device, memory, contexts, a few kernels.

It is stricter than the real one: a call without a context, a pointer that is not there, something
given back twice are errors that no test expects. What it says was not recorded on a GPU.
"""

from __future__ import annotations

import re
import struct
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from tcgen05_mlir.emulation import abi
from tcgen05_mlir.runtime.driver import Answer

ATTRIBUTES = {
    "COMPUTE_CAPABILITY_MAJOR": 9,
    "COMPUTE_CAPABILITY_MINOR": 0,
    "MULTIPROCESSOR_COUNT": 132,
    "MAX_SHARED_MEMORY_PER_BLOCK": 48 << 10,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 227 << 10,
    "CLUSTER_LAUNCH": 1,
}
MEANINGS = {
    "CUDA_ERROR_INVALID_VALUE": "invalid argument",
    "CUDA_ERROR_OUT_OF_MEMORY": "out of memory",
    "CUDA_ERROR_INVALID_CONTEXT": "invalid device context",
    "CUDA_ERROR_NOT_FOUND": "named symbol not found",
    "CUDA_ERROR_LAUNCH_FAILED": "unspecified launch failure",
    "CUDA_ERROR_ILLEGAL_ADDRESS": "an illegal memory access was encountered",
    "CUDA_ERROR_INVALID_PTX": "a PTX JIT compilation failed",
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": "the provided PTX was compiled with an unsupported "
    "toolchain.",
    "CUDA_ERROR_NO_BINARY_FOR_GPU": "no kernel image is available for execution on the device",
}


class Failure(Exception):
    """A call returns an error."""

    def __init__(self, name: str, log: str = "", cut: bool = False) -> None:
        super().__init__(name)
        self.answer = Answer(name, None, MEANINGS[name], log, cut)


@dataclass
class Grid:
    """A launch, as a kernel of this model sees it."""

    driver: ModelDriver
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int] | None
    shared: int
    parameters: tuple[bytes, ...]
    module: int

    def array(self, place: int, dtype: Any) -> np.ndarray:
        """The buffer behind a pointer parameter."""
        address = int.from_bytes(self.parameters[place], "little")
        return self.driver.memory[address].view(dtype)

    def number(self, place: int, dtype: Any) -> Any:
        return np.frombuffer(self.parameters[place], dtype)[0]


@dataclass
class ModelDriver:
    """`live`: what was made and not given back, by kind. `calls`: how often each was made."""

    kernels: dict[str, Callable[[Grid], None]]
    attributes: dict[str, int] = field(default_factory=lambda: dict(ATTRIBUTES))
    function: dict[str, int] = field(default_factory=dict)
    total: int = 1 << 30
    fitting: int = 66
    broken: str = ""

    def __post_init__(self) -> None:
        self.memory: dict[int, np.ndarray] = {}
        self.host: dict[int, bytearray] = {}
        self.live: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.handles: dict[int, Any] = {}
        self.functions: dict[int, tuple[int, str]] = {}
        self.bindings: dict[int, int] = {}
        self.set: list[tuple[str, str, int]] = []
        self.launches: list[Grid] = []
        self._stack = threading.local()
        self._next = 0x1000

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        self.calls[name] += 1
        try:
            if name not in _WITHOUT_CONTEXT:
                if not getattr(self._stack, "held", 0):
                    raise Failure("CUDA_ERROR_INVALID_CONTEXT")
                if self.broken and name != "read_host":
                    raise Failure(self.broken)
            return Answer(value=getattr(self, name)(*arguments))
        except Failure as failure:
            return failure.answer

    def close(self) -> None:
        pass

    def cuInit(self, flags: int) -> None:
        assert flags == 0

    def cuDriverGetVersion(self) -> int:
        return 13000

    def cuDeviceGetCount(self) -> int:
        return 1

    def cuDeviceGet(self, ordinal: int) -> int:
        return ordinal

    def cuDeviceGetName(self, device: int) -> str:
        return "Model GPU"

    def cuDeviceTotalMem(self, device: int) -> int:
        return self.total

    def cuDeviceGetAttribute(self, name: str, device: int) -> int:
        return self.attributes[name]

    def cuDevicePrimaryCtxRetain(self, device: int) -> int:
        return self._make("context", "context")

    def cuDevicePrimaryCtxRelease(self, device: int) -> None:
        self._give_back("context", next(k for k, v in self.handles.items() if v == "context"))

    def cuCtxPushCurrent(self, context: int) -> None:
        assert self.handles[context] == "context"
        self._stack.held = getattr(self._stack, "held", 0) + 1

    def cuCtxPopCurrent(self) -> None:
        self._stack.held -= 1

    def cuModuleLoadDataEx(self, image: bytes, log_bytes: int) -> int:
        assert image.endswith(b"\0")
        code = image[:-1]
        if code.startswith(b"\x7fELF"):
            # Byte 49 of a cubin of CUDA 13 is its chip: 90 or 100.
            if code[49] != 10 * self.attributes["COMPUTE_CAPABILITY_MAJOR"]:
                raise Failure("CUDA_ERROR_NO_BINARY_FOR_GPU")
            return self._make("module", set(self.kernels))
        lines = code.decode().split("\n")
        if ".version 9.9" in lines:
            raise Failure("CUDA_ERROR_UNSUPPORTED_PTX_VERSION")
        wrong = [
            f"ptxas application ptx input, line {number}; error   : {line.strip()} is not known"
            for number, line in enumerate(lines, 1)
            if "this is no PTX" in line or "nobody_knows" in line
        ]
        log = "\n".join(wrong)
        if wrong:
            room = log_bytes - 1
            raise Failure("CUDA_ERROR_INVALID_PTX", log[:room], len(log) > room)
        return self._make("module", set(re.findall(r"\.entry (\w+)", code.decode())))

    def cuModuleUnload(self, module: int) -> None:
        self.memory.pop(self.bindings.pop(module, 0), None)
        self.functions = {f: one for f, one in self.functions.items() if one[0] != module}
        self._give_back("module", module)

    def cuModuleGetFunction(self, module: int, name: str) -> int:
        if name not in self.handles[module]:
            raise Failure("CUDA_ERROR_NOT_FOUND")
        # Functions live as long as their module, and are not counted.
        function = module + 1 + sorted(self.handles[module]).index(name)
        self.functions[function] = (module, name)
        return function

    def cuModuleGetGlobal(self, module: int, name: str) -> tuple[int, int]:
        if name != abi.SYMBOL:
            raise Failure("CUDA_ERROR_NOT_FOUND")
        address = self._next = self._next + 0x1000
        self.memory[address] = np.zeros(abi.BINDING_BYTES, np.uint8)
        self.bindings[module] = address
        return address, abi.BINDING_BYTES

    def cuFuncGetAttribute(self, name: str, function: int) -> int:
        known = {"MAX_THREADS_PER_BLOCK": 1024, "SHARED_SIZE_BYTES": 0, "NUM_REGS": 16}
        own = f"{self.functions[function][1]}.{name}"
        return self.function.get(own, {**known, "LOCAL_SIZE_BYTES": 0}[name])

    def cuFuncSetAttribute(self, function: int, name: str, value: int) -> None:
        self.set.append((self.functions[function][1], name, value))

    def cuMemGetInfo(self) -> tuple[int, int]:
        return self.total - sum(one.size for one in self.memory.values()), self.total

    def cuMemAlloc(self, size: int) -> int:
        assert size > 0, "the real driver refuses it"
        if size > self.cuMemGetInfo()[0]:
            raise Failure("CUDA_ERROR_OUT_OF_MEMORY")
        address = self._make("memory", None)
        self.memory[address] = np.full(-(-size // 16) * 16, 0xCD, np.uint8)
        return address

    def cuMemFree(self, address: int) -> None:
        del self.memory[address]
        self._give_back("memory", address)

    def cuMemHostAlloc(self, size: int, *flags: str) -> int:
        assert flags == ("DEVICEMAP", "PORTABLE")
        address = self._make("host", None)
        self.host[address] = bytearray(size)
        return address

    def cuMemHostGetDevicePointer(self, address: int, flags: int) -> int:
        return address

    def cuMemFreeHost(self, address: int) -> None:
        del self.host[address]
        self._give_back("host", address)

    def read_host(self, address: int, size: int) -> bytes:
        return bytes(self.host[address][:size])

    def write_host(self, address: int, data: bytes) -> None:
        self.host[address][: len(data)] = data

    def cuMemcpyHtoD(self, address: int, data: Any) -> None:
        raw = np.frombuffer(data, np.uint8)
        self.memory[address][: raw.size] = raw

    def cuMemcpyDtoH(self, address: int, size: int) -> np.ndarray:
        return self.memory[address][:size].copy()

    def cuMemsetD8(self, address: int, value: int, count: int) -> None:
        self.memory[address][:count] = value

    def cuMemsetD32(self, address: int, value: int, count: int) -> None:
        self.memory[address].view(np.uint32)[:count] = value

    def cuOccupancyMaxActiveClusters(self, function: int, *sizes: Any) -> int:
        return self.fitting

    def cuLaunchKernelEx(
        self, function: int, grid: Any, block: Any, cluster: Any, shared: int, values: Any
    ) -> Any:
        module, name = self.functions[function]
        launch = Grid(self, grid, block, cluster, shared, values, module)
        self.launches.append(launch)
        try:
            self.kernels[name](launch)
        except Failure as failure:  # Seen by the next call that waits.
            self.broken = failure.answer.error
        return cluster

    def cuStreamSynchronize(self, stream: int) -> None:
        assert stream == 0

    def cuEventCreate(self, flags: int) -> int:
        return self._make("event", None)

    def cuEventRecord(self, event: int, stream: int) -> None:
        assert event in self.handles

    def cuEventSynchronize(self, event: int) -> None:
        assert event in self.handles

    def cuEventElapsedTime(self, start: int, end: int) -> float:
        return 0.0625

    def cuEventDestroy(self, event: int) -> None:
        self._give_back("event", event)

    def _make(self, kind: str, what: Any) -> int:
        self._next += 0x1000
        self.handles[self._next] = what
        self.live[kind] += 1
        return self._next

    def _give_back(self, kind: str, handle: int) -> None:
        del self.handles[handle]
        self.live[kind] -= 1


_WITHOUT_CONTEXT = {
    "cuInit",
    "cuDriverGetVersion",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDeviceGetName",
    "cuDeviceTotalMem",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease",
    "cuCtxPushCurrent",
    "cuCtxPopCurrent",
    "read_host",
    "write_host",
}


def copy(launch: Grid) -> None:
    count = prod(launch.grid) * 128
    launch.array(1, np.uint32)[:count] = launch.array(0, np.uint32)[:count]


def cluster(launch: Grid) -> None:
    sizes = launch.cluster or (1, 1, 1)
    out = launch.array(0, np.int32).reshape(-1, 4)
    for y in range(launch.grid[1]):
        for x in range(launch.grid[0]):
            out[x] = (*sizes, x % sizes[0] + sizes[0] * (y % sizes[1]))


def shared(launch: Grid) -> None:
    launch.array(1, np.int32)[:129] = [launch.shared, *range(128)]


def numbers(launch: Grid) -> None:
    kinds = ("u1", "i1", "i2", "i4", "i8", "i8", "f2", "u2", "f4", "f8")
    given = [launch.number(place, kind) for place, kind in enumerate(kinds)]
    given[7] = np.array([int(given[7]) << 16], np.uint32).view(np.float32)[0]
    launch.array(10, np.int64)[:6] = given[:6]
    launch.array(11, np.float64)[:4] = given[6:]


def small(launch: Grid) -> None:
    launch.array(0, np.int32)[: launch.block[0]] = range(launch.block[0])


def empty(launch: Grid) -> None:
    launch.array(2, np.int32)[:2] = [7, launch.array(1, np.float16)[0]]


def stop(launch: Grid) -> None:
    raise Failure("CUDA_ERROR_LAUNCH_FAILED")


def astray(launch: Grid) -> None:
    raise Failure("CUDA_ERROR_ILLEGAL_ADDRESS")


def columns(launch: Grid) -> None:
    """As `emulated_kernels.mlir` on a GPU: `abi` says where its buffers are."""
    binding = launch.driver.memory[launch.driver.bindings[launch.module]]
    cells, state, report, blocks = struct.unpack("<4Q", binding.tobytes())
    assert blocks == prod(launch.grid)
    assert not launch.driver.memory[state].any()
    assert not any(launch.driver.host[report])
    column = int(launch.number(0, np.int32))
    if column > 30:
        words = (abi.REPORT_COMPLETE, 1, 11, *(0, 0, 0), *(5, 0, 0), column, column, 1, 0)
        launch.driver.host[report][:] = struct.pack("<13I", *words).ljust(abi.REPORT_BYTES, b"\0")
        raise Failure("CUDA_ERROR_LAUNCH_FAILED")
    memory = launch.driver.memory[cells].view(np.uint32).reshape(blocks, 128, 512)
    memory[:, :32, column] = np.arange(32)
    out = launch.array(1, np.uint32)[: blocks * 64].reshape(blocks, 32, 2)
    out[:] = memory[:, :32, column : column + 2]
    launch.driver.memory[state][:] = 1


KERNELS = {
    function.__name__: function
    for function in (copy, cluster, shared, numbers, small, empty, stop, astray, columns)
}


def model_gpu(**fields: Any) -> ModelDriver:
    """A GPU of sm_90 that knows the kernels of `driver_kernels.mlir`."""
    known = {"small.MAX_THREADS_PER_BLOCK": 64}
    return ModelDriver(**{"kernels": KERNELS, "function": known, **fields})
