"""Kernels that `tcgen05-emulate` has rewritten: what their host binds, and what they report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from mlir import ir
from numpy.typing import NDArray

from tcgen05_mlir.compiler.emulated_code import emulation_sites
from tcgen05_mlir.emulation import abi
from tcgen05_mlir.model.limits import WORD_BYTES
from tcgen05_mlir.runtime.tensor_memory import POISON
from tcgen05_mlir.simulator.machine import GlobalMemory, HostBuffer, SimulationError
from tcgen05_mlir.simulator.variables import Variables

_RULE = re.compile(r"\[([A-Z]\d+)\]")


@dataclass(frozen=True)
class Emulation:
    """The report of a launch whose tensor memory is bound; `sites`: what its numbers mean."""

    report: HostBuffer
    sites: tuple[str, ...]

    @contextmanager
    def judged(self) -> Iterator[None]:
        """Runs a kernel; raises `ReportedError` where a check of the kernel's own has failed."""
        try:
            yield
        except SimulationError as error:
            self._raise(error)
            raise
        self._raise(None)

    def _raise(self, error: SimulationError | None) -> None:
        message = abi.decode_report(self.report.data.tobytes(), self.sites)
        if message is not None:
            raise ReportedError(message, error) from None


class ReportedError(SimulationError):
    """A check in emulated code that failed: its text is the report's, as on a GPU.

    `rule` is the report's; `site` and `place` are those of the trap that ended the kernel.
    """

    def __init__(self, message: str, trap: SimulationError | None) -> None:
        rules = _RULE.findall(message)
        self.rule = rules[-1] if rules else "S20"
        self.message = message
        self.site = trap.site if trap else None
        self.place = trap.place if trap else None
        self.address, self.notes = None, ()
        Exception.__init__(self, message)


def bind_emulation(
    module: ir.Operation, variables: Variables, memory: GlobalMemory, blocks: int
) -> Emulation | None:
    """Gives each of the blocks tensor memory, poisoned, and state; None for other kernels."""
    if abi.SYMBOL not in variables.elsewhere:
        return None
    words = blocks * abi.TMEM_BLOCK_BYTES // WORD_BYTES
    cells = memory.add("tensor memory", np.full(words, POISON, np.uint32))
    state = memory.add("tensor memory's state", _zeros(blocks * abi.STATE_BLOCK_BYTES))
    report = memory.add("report", _zeros(abi.REPORT_BYTES))
    variable = memory.find(variables.elsewhere[abi.SYMBOL])
    assert variable is not None
    binding = abi.pack_binding(cells.address, state.address, report.address, blocks)
    variable.data[:] = np.frombuffer(binding, np.uint8)
    return Emulation(report, emulation_sites(module) or ())


def _zeros(size: int) -> NDArray[np.uint8]:
    return np.zeros(size, np.uint8)
