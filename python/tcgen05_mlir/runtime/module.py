"""`load`: an artifact on a GPU, checked before the driver sees it."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from tcgen05_mlir.emulation import abi

from .artifact import Artifact
from .chips import check_chip
from .context import Context, context_of
from .devices import Device
from .devices import device as find_device
from .driver import SUCCESS, Answer, current, failure
from .files import keep
from .kernel import Kernel

LOG_BYTES: Final = (8 << 10, 64 << 10, 1 << 20)
"""Bytes of the buffers for the driver's logs: the next size where one does not hold them."""

_log = logging.getLogger("tcgen05_mlir")


@dataclass(frozen=True)
class Loaded:
    """What its kernels need of a module. `binding`: where an emulated one is told its buffers."""

    artifact: Artifact
    device: Device
    context: Context
    handle: int
    binding: int | None


class Module:
    """An artifact on a GPU, from `load` until `close`; a context manager.

    `log`: what the driver said about the code, empty where it had nothing to say. May be used by
    several threads at once, whose launches take turns.
    """

    def __init__(self, loaded: Loaded, log: str) -> None:
        self.artifact = loaded.artifact
        self.device = loaded.device
        self.log = log
        self.loaded = loaded
        held = [("cuModuleUnload", loaded.handle)]
        self._unload = weakref.finalize(self, loaded.context.give_back, held)

    def kernel(self, name: str | None = None) -> Kernel:
        """The kernel of this name, or the only one.

        Raises ValueError where that is none, or several, and where the module is closed. The
        kernel keeps the module loaded until that is closed.
        """
        return Kernel(self, self.artifact.manifest.kernel(name))

    def check_open(self) -> None:
        """Raises ValueError where the module is closed."""
        if not self._unload.alive:
            raise ValueError(f"'{self.artifact.name}' is closed: load it again")

    @contextmanager
    def current(self, doing: str) -> Iterator[None]:
        """Hold the GPU's context alone, as the thread's own, so that nobody closes the module.

        Raises ValueError where it is closed, CudaError where the context is unusable.
        """
        with self.loaded.context.alone():
            self.check_open()
            with self.loaded.context.current(doing):
                yield

    def close(self) -> None:
        """Take the code off the GPU. Done by itself when nothing refers to the module any more."""
        with self.loaded.context.alone():
            self._unload()

    def __enter__(self) -> Module:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def load(artifact: Artifact, device: int | Device = 0) -> Module:
    """Put an artifact on a GPU, of `devices()` or by its number.

    Raises TypeError for what is no `Artifact`; DriverMissing where there is no GPU; ValueError for
    a number that is none's, and, before the driver sees the code, for code that this GPU cannot
    run; CudaError with the driver's log where it refuses the code: PTX is then kept in a file that
    the message names.
    """
    if not isinstance(artifact, Artifact):
        raise TypeError(
            "'artifact' must be what Artifact.read or compile_artifact returns, "
            f"got {type(artifact).__name__} {artifact!r}"
        )
    found = find_device(device.ordinal if isinstance(device, Device) else device)
    check_chip(artifact.name, artifact.manifest, found)
    context = context_of(current(), found.ordinal)
    kind = "PTX" if artifact.manifest.emit == "ptx" else "a cubin"
    doing = f"loading '{artifact.name}' ({kind} for {artifact.manifest.chip}) on {found}"
    with context.current(doing):
        answer = _load(context, artifact, doing)
        if answer.log:
            _log.info("%s: %s", doing, answer.log)
        handle = answer.value
        try:
            binding = _binding(context, artifact, doing, handle)
        except BaseException:
            context.free("cuModuleUnload", handle)
            raise
    return Module(Loaded(artifact, found, context, handle, binding), answer.log)


def _load(context: Context, artifact: Artifact, doing: str) -> Answer:
    image = artifact.code + b"\0"  # PTX ends where a C string ends.
    answer = Answer()
    for size in LOG_BYTES:
        answer = context.driver.backend.invoke("cuModuleLoadDataEx", (image, size))
        if answer.error == SUCCESS or not answer.cut:
            break
    if answer.cut:
        answer = answer._replace(log=f"{answer.log}\n... (cut: it was too long for its buffer)")
    if answer.error == SUCCESS:
        return answer
    if artifact.manifest.emit == "ptx":
        doing += f"; the PTX is kept in '{keep(artifact.code, '.ptx')}'"
    raise failure(doing, "cuModuleLoadDataEx", answer)


def _binding(context: Context, artifact: Artifact, doing: str, handle: int) -> int | None:
    """Where emulated code reads its buffers' addresses; None where it has none."""
    if not any(kernel.tensor_memory for kernel in artifact.manifest.kernels):
        return None
    address, size = context.call(doing, "cuModuleGetGlobal", handle, abi.SYMBOL)
    if size != abi.BINDING_BYTES:
        raise ValueError(
            f"'{artifact.name}' must have a variable {abi.SYMBOL} of {abi.BINDING_BYTES} bytes, "
            f"got {size}: it was emulated by another version of tcgen05_mlir"
        )
    return address
