"""`Launch`: a kernel with its arguments on the GPU."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import prod
from statistics import median
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import CudaError, EmulationError
from .geometry import LaunchSizes, Triple
from .tensor_memory import TensorMemory

if TYPE_CHECKING:
    from .module import Module

_STREAM = 0
"""The default stream, which waits for what else runs in the context."""


@dataclass(frozen=True)
class Plan:
    """A kernel's handle and sizes. `shared`: bytes of dynamic shared memory.

    `tensor_memory`: the kernel is emulated, and needs its own.
    """

    name: str
    handle: int
    sizes: LaunchSizes
    shared: int
    tensor_memory: bool = False

    @property
    def cluster(self) -> Triple | None:
        """None where there are none: a chip without clusters takes no such attribute."""
        return None if self.sizes.cluster == (1, 1, 1) else self.sizes.cluster

    @property
    def cluster_blocks(self) -> int:
        return prod(self.sizes.cluster)

    @property
    def configuration(self) -> tuple[Triple, Triple, Triple | None, int]:
        return self.sizes.grid, self.sizes.block, self.cluster, self.shared

    def __str__(self) -> str:
        return f"kernel '{self.name}' ({self.sizes}, {self.shared} bytes of dynamic shared memory)"


class Launch:
    """A kernel with its arguments on the GPU, until `close`; a context manager.

    The arguments are copied there once: a second launch finds them as the first one left them.
    """

    def __init__(
        self, module: Module, plan: Plan, values: Sequence[tuple[Any, np.generic | None]]
    ) -> None:
        loaded = module.loaded
        self._module = module
        self._context = loaded.context
        self._plan = plan
        self._given = [value for value, _ in values]
        self._buffers: dict[int, int] = {}
        self._release: list[tuple[str, int]] = []
        self._close = weakref.finalize(self, self._context.give_back, self._release)
        self._tensor: TensorMemory | None = None
        doing = f"preparing {plan}"
        try:
            with module.current(doing):
                self._parameters = [self._parameter(doing, i, *v) for i, v in enumerate(values)]
                if plan.tensor_memory:
                    self._tensor = TensorMemory(loaded, plan, self._release)
        except BaseException:
            self.close()
            raise

    def launch(self) -> None:
        """Launch once and wait until the kernel has ended.

        Raises CudaError, which says which launch it was; EmulationError where emulated tensor
        memory was misused.
        """
        self._run(lambda doing: self._start(doing))

    def time(self, repeats: int = 10) -> float:
        """Seconds that a launch takes on the GPU: the median of `repeats`, by CUDA events.

        Without what emulation does between two launches. Raises as `launch`; ValueError for no
        repeats, TypeError for what is no int.
        """
        if isinstance(repeats, bool) or not hasattr(repeats, "__index__"):
            raise TypeError(f"'repeats' must be an int, got {type(repeats).__name__} {repeats!r}")
        if repeats < 1:
            raise ValueError(f"'repeats' must be 1 or more, got {repeats}")
        seconds: list[float] = []
        self._run(lambda doing: seconds.extend(self._timed(doing) for _ in range(repeats)))
        return median(seconds)

    def results(self) -> tuple[Any, ...]:
        """One per argument: an array as the kernel left it; a number as it was given."""
        doing = f"reading the results of {self._plan}"
        with self._current(doing):
            read = {key: self._read(doing, key) for key in self._buffers}
        return tuple(
            read[id(value)].view(value.dtype).reshape(value.shape).copy()
            if id(value) in read
            else value
            for value in self._given
        )

    def close(self) -> None:
        """Free the arguments on the GPU. Done by itself when nothing refers to the launch."""
        with self._context.alone():
            self._close()

    def __enter__(self) -> Launch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _parameter(self, doing: str, place: int, value: Any, number: np.generic | None) -> bytes:
        """What the kernel gets: the bytes of a number, or of the address of an array's copy."""
        if number is not None:
            return number.tobytes()
        if id(value) not in self._buffers:
            doing = f"{doing}, argument {place} of {value.nbytes} bytes"
            self._buffers[id(value)] = self._copy(doing, value)
        return np.uint64(self._buffers[id(value)]).tobytes()

    def _copy(self, doing: str, value: NDArray[Any]) -> int:
        contents = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        # The driver has no buffers of no bytes.
        address = self._context.call(doing, "cuMemAlloc", max(contents.size, 1))
        self._release.append(("cuMemFree", address))
        if contents.size:
            self._context.call(doing, "cuMemcpyHtoD", address, contents)
        return address

    def _read(self, doing: str, key: int) -> NDArray[np.uint8]:
        size = next(value.nbytes for value in self._given if id(value) == key)
        if not size:
            return np.empty(0, np.uint8)
        data = self._context.call(doing, "cuMemcpyDtoH", self._buffers[key], size)
        return np.frombuffer(data, np.uint8)

    def _run(self, body: Callable[[str], None]) -> None:
        context = self._context
        with context.alone():
            doing = f"launch {context.launches + 1} on device {context.ordinal}, {self._plan}"
            with self._current(doing):
                context.launches += 1
                try:
                    body(doing)
                    context.call(doing, "cuStreamSynchronize", _STREAM)
                except CudaError as error:
                    self._raise_report(doing, error)
                    raise

    def _start(self, doing: str) -> None:
        if self._tensor is not None:
            self._tensor.bind(doing)
        self._submit(doing)

    def _submit(self, doing: str) -> None:
        plan = self._plan
        arguments = (*plan.configuration, tuple(self._parameters))
        cluster = self._context.call(doing, "cuLaunchKernelEx", plan.handle, *arguments)
        assert cluster == plan.cluster, f"the driver got cluster {cluster}, not {plan.cluster}"

    def _timed(self, doing: str) -> float:
        """One launch between two events."""
        call = self._context.call
        with ExitStack() as stack:
            events = []
            for _ in range(2):
                events.append(call(doing, "cuEventCreate", 0))
                stack.callback(self._context.free, "cuEventDestroy", events[-1])
            if self._tensor is not None:
                self._tensor.bind(doing)
            call(doing, "cuEventRecord", events[0], _STREAM)
            self._submit(doing)
            call(doing, "cuEventRecord", events[1], _STREAM)
            call(doing, "cuEventSynchronize", events[1])
            return call(doing, "cuEventElapsedTime", *events) / 1000

    def _raise_report(self, doing: str, error: CudaError) -> None:
        """EmulationError where the kernel said why it stopped itself."""
        report = self._tensor.report() if self._tensor is not None else None
        if report is not None:
            raise EmulationError(
                f"{report}\n{doing}: {error.call} failed with {error.name}", error.name, error.call
            ) from error

    @contextmanager
    def _current(self, doing: str) -> Iterator[None]:
        """As the module's, so that nobody closes the launch either; ValueError where it is."""
        with self._context.alone():
            if not self._close.alive:
                raise ValueError(f"the launch of {self._plan} is closed: prepare another")
            with self._module.current(doing):
                yield
