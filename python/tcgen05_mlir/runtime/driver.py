"""`Driver`: the one way to the CUDA driver; a backend makes the calls, or plays them back."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .errors import CudaError

if TYPE_CHECKING:
    from .context import Context

SUCCESS = "CUDA_SUCCESS"
RECORD = "TCGEN05_DRIVER_RECORD"
"""Environment variable: a file to which every call of the driver is written."""


class Answer(NamedTuple):
    """What a call returned. `error`: CUDA's name; `text`: what it means.

    `value`: a number, a text, a tuple of them, or bytes; None where there is nothing. `log`: what
    the compiler in the driver says; `cut`: its buffer was too small for all of it.
    """

    error: str = SUCCESS
    value: Any = None
    text: str = ""
    log: str = ""
    cut: bool = False


class Backend(Protocol):
    """Whoever makes the calls: `Bindings`, a recorder around it, or a recording played back."""

    def invoke(self, name: str, arguments: tuple[Any, ...]) -> Answer:
        """Call the driver's function `name`.

        Arguments are numbers, names of enumerators, tuples, and bytes or arrays of bytes for
        memory; handles and addresses are numbers.
        """
        ...

    def close(self) -> None:
        """No more calls come."""
        ...


class Driver:
    """The calls of a process, and what lives as long as they do: one context for each GPU."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.lock = threading.RLock()
        self.contexts: dict[int, Context] = {}
        self._process: int | None = None

    @property
    def forked(self) -> bool:
        """This process is a child of the one that started the driver."""
        return self._process not in (None, os.getpid())

    def call(self, doing: str, name: str, *arguments: Any) -> Any:
        """What the driver's function returns; CudaError, which says `doing` what, if it fails."""
        self.check_process(doing)
        answer = self.backend.invoke(name, arguments)
        if answer.error != SUCCESS:
            raise failure(doing, name, answer)
        return answer.value

    def initialize(self) -> None:
        """`cuInit`, once."""
        doing = "starting the CUDA driver"
        self.check_process(doing)
        with self.lock:
            if self._process is None:
                self.call(doing, "cuInit", 0)
                self._process = os.getpid()

    def check_process(self, doing: str) -> None:
        """CudaError in a child of the process that started the driver, where no call succeeds."""
        if self.forked:
            raise CudaError(
                f"{doing}: process {os.getpid()} was forked from {self._process}, which had "
                "started the CUDA driver, and that does not work behind a fork; start processes "
                "that use a GPU by spawn (multiprocessing.get_context('spawn'))",
                "CUDA_ERROR_NOT_INITIALIZED",
                "fork",
            )

    def close(self) -> None:
        """Give the contexts back; the driver is used no more."""
        if self.forked:
            return
        with self.lock:
            for context in self.contexts.values():
                context.release()
            self.contexts.clear()
        self.backend.close()


def failure(doing: str, call: str, answer: Answer) -> CudaError:
    """`loading 'copy.ptx': cuModuleLoadDataEx failed with CUDA_ERROR_INVALID_PTX (...)`."""
    meaning = f" ({answer.text})" if answer.text else ""
    message = f"{doing}: {call} failed with {answer.error}{meaning}"
    return CudaError(message, answer.error, call, answer.log)


_lock = threading.RLock()
_drivers: list[Driver] = []


def current() -> Driver:
    """The driver of this process, or the one of the innermost `using`.

    Raises DriverMissing where there is no driver, or no package that talks to it.
    """
    with _lock:
        if not _drivers:
            _drivers.append(_start())
        return _drivers[-1]


@contextmanager
def using(backend: Backend) -> Iterator[Driver]:
    """Have all calls made by `backend`, in every thread, until the block ends."""
    driver = Driver(backend)
    with _lock:
        _drivers.append(driver)
    try:
        yield driver
    finally:
        with _lock:
            _drivers.remove(driver)
        driver.close()


def _start() -> Driver:
    from .bindings import Bindings

    backend: Backend = Bindings()
    if path := os.environ.get(RECORD):
        from .recording import Recorder

        backend = Recorder(backend, path)
    driver = Driver(backend)
    # At the interpreter's end finalizers run in reverse order: those of modules and launches, which
    # are younger, come first.
    weakref.finalize(driver, driver.close)
    return driver
