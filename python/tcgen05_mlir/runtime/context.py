"""`Context`: a GPU's primary context, current in whichever thread works with it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from .driver import Driver
from .errors import CudaError

_RUIN = (
    "CUDA_ERROR_ASSERT",
    "CUDA_ERROR_CONTAINED",
    "CUDA_ERROR_CONTEXT_IS_DESTROYED",
    "CUDA_ERROR_ECC_UNCORRECTABLE",
    "CUDA_ERROR_EXTERNAL_DEVICE",
    "CUDA_ERROR_HARDWARE_STACK_ERROR",
    "CUDA_ERROR_ILLEGAL_ADDRESS",
    "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    "CUDA_ERROR_INVALID_ADDRESS_SPACE",
    "CUDA_ERROR_INVALID_PC",
    "CUDA_ERROR_LAUNCH_FAILED",
    "CUDA_ERROR_LAUNCH_TIMEOUT",
    "CUDA_ERROR_MISALIGNED_ADDRESS",
    "CUDA_ERROR_MPS_CLIENT_TERMINATED",
    "CUDA_ERROR_NVLINK_UNCORRECTABLE",
    "CUDA_ERROR_TENSOR_MEMORY_LEAK",
)
"""Errors behind which every call in the context fails, for as long as the process lives."""


class Context:
    """The primary context of one GPU, which other libraries of the process share.

    It is kept from the first use until the process ends, and works in any thread: `current` makes
    it the thread's for a while. Only one thread at a time has it, so that of all launches the one
    that fails is known.
    """

    def __init__(self, driver: Driver, ordinal: int) -> None:
        self.driver = driver
        self.ordinal = ordinal
        self._lock = threading.RLock()
        self.launches = 0
        self._broken: tuple[str, CudaError] | None = None
        self._released = False
        self._returned: deque[list[tuple[str, int]]] = deque()
        doing = f"taking device {ordinal}"
        self._device = driver.call(doing, "cuDeviceGet", ordinal)
        self._handle = driver.call(doing, "cuDevicePrimaryCtxRetain", self._device)

    @property
    def broken(self) -> bool:
        """No call can succeed any more."""
        return self._broken is not None

    @contextmanager
    def current(self, doing: str) -> Iterator[None]:
        """Hold the context alone, as the thread's own; CudaError where it is unusable."""
        with self.alone():
            self._check(doing)
            with self._entered(doing):
                yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the context alone; then free what other threads gave back meanwhile."""
        if self.driver.forked:  # Who held the lock is not in this process.
            yield
            return
        try:
            with self._lock:
                yield
        finally:
            self._free_returned()

    def call(self, doing: str, name: str, *arguments: Any) -> Any:
        """As `Driver.call`; an error that ruins the context is remembered."""
        try:
            return self.driver.call(doing, name, *arguments)
        except CudaError as error:
            if error.name in _RUIN and self._broken is None:
                self._broken = (doing, error)
            raise

    def free(self, name: str, handle: int) -> None:
        """Give something back, which cannot fail; in a ruined context nothing is there any more."""
        if not self.gone:
            self.driver.backend.invoke(name, (handle,))

    @property
    def gone(self) -> bool:
        """There is nothing to give back to."""
        return self.broken or self._released or self.driver.forked

    def give_back(self, held: Sequence[tuple[str, int]]) -> None:
        """Give all of it back by these functions, the last one first.

        Never waits, since finalizers run in whichever thread, whatever that holds: where another
        thread is at work with the context, that one does it when it is done.
        """
        self._returned.append(list(held))
        self._free_returned()

    def release(self) -> None:
        """Give the context back to the driver, which ends it where nobody else holds it."""
        if self.driver.forked:
            return
        self._free_returned()
        self._released = True
        self.driver.backend.invoke("cuDevicePrimaryCtxRelease", (self._device,))

    def _check(self, doing: str) -> None:
        self.driver.check_process(doing)
        if self._broken is not None:
            since, error = self._broken
            raise CudaError(
                f"{doing}: device {self.ordinal} is unusable in this process since {since}, "
                f"which ended in {error.name}; a new process can use it",
                error.name,
                error.call,
            )

    @contextmanager
    def _entered(self, doing: str) -> Iterator[None]:
        self.call(doing, "cuCtxPushCurrent", self._handle)
        try:
            yield
        finally:
            # An error here would follow one that is already on its way.
            with suppress(CudaError):
                self.driver.call("leaving the context", "cuCtxPopCurrent")

    def _free_returned(self) -> None:
        # Whoever held the lock comes here once it is free: nothing is forgotten.
        while self._returned and self._lock.acquire(blocking=False):
            try:
                self._free_all(self._returned.popleft() if self._returned else [])
            finally:
                self._lock.release()

    def _free_all(self, held: list[tuple[str, int]]) -> None:
        if self.gone or not held:
            return
        with suppress(CudaError), self._entered("giving memory back"):
            for name, handle in reversed(held):
                self.free(name, handle)


def context_of(driver: Driver, ordinal: int) -> Context:
    """The context of a GPU, made at the first use."""
    driver.check_process(f"taking device {ordinal}")
    with driver.lock:
        if ordinal not in driver.contexts:
            driver.initialize()
            driver.contexts[ordinal] = Context(driver, ordinal)
        return driver.contexts[ordinal]
