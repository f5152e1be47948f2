"""What a refusal is: a launch that a check of emulated code ends, and the whole of its message."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .case import Kernel

NUMBERS = 8
"""Numbers that a launch hands to a kernel of the table of refusals."""


@dataclass(frozen=True)
class Refusal:
    """One launch of a kernel, emulated, and the report that it must end with.

    `check`: the name in `tcgen05_mlir.emulation.checks`. `at`: the text with which the refused
    operation begins, once in the kernel; `op`: its name. `words`: what is said of it, where
    `{name}` stands for a number that depends on the chip, of which `holds` tells whether it is
    right. `threads`: x of those that may be first to report. `second`: the words
    of block 1, where either block may be first. `arguments`: of the launch.
    `blocks`: of which `bound` have tensor memory, all of them for None. `cluster`: of the launch,
    None for the kernel's own. `shared`: bytes of dynamic shared memory. `waits`: the report comes
    after seconds of waiting, which the simulator knows for a deadlock at once.
    """

    name: str
    check: str
    kernel: Kernel
    at: str
    op: str
    words: str
    arguments: tuple[Any, ...]
    threads: range = range(1)
    block: int = 0
    second: str | None = None
    holds: Callable[[dict[str, int]], bool] = lambda numbers: True
    blocks: int | None = None
    bound: int | None = None
    cluster: int | None = None
    shared: int = 0
    waits: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def family(self) -> str:
        """The row of the summary in which it is counted."""
        return "refusals"

    @property
    def sizes(self) -> dict[str, Any]:
        """The launch's sizes as keyword arguments, those that the kernel does not state."""
        sizes = {"grid": self.blocks, "cluster": self.cluster, "smem": self.shared}
        return {name: value for name, value in sizes.items() if value}

    def wrong(self, message: str, text: str) -> str | None:
        """None for the message that the kernel in the module `text` must end with."""
        patterns = [self._pattern(text, self.words, self.block)]
        if self.second is not None:
            patterns.append(self._pattern(text, self.second, 1))
        found = next(filter(None, (re.fullmatch(one, message) for one in patterns)), None)
        if found is None:
            return f"got the report:\n  {message}\nwanted one that matches:\n  {patterns}"
        groups = found.groupdict()
        thread = int(groups.pop("thread"))
        if thread not in self.threads:
            return f"thread {thread} reports, wanted one in {self.threads}: {message}"
        numbers = {name: int(value, 0) for name, value in groups.items()}
        return None if self.holds(numbers) else f"the numbers are not right: {message}"

    def _pattern(self, text: str, words: str, block: int) -> str:
        line, column = self._place(text)
        words = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>0x[0-9a-f]+)", re.escape(words))
        where = rf"in block \({block}, 0, 0\), thread \((?P<thread>\d+), 0, 0\)"
        return rf"-:{line}:{column}: '{re.escape(self.op)}' op {words}, {where}"

    def _place(self, text: str) -> tuple[int, int]:
        """Line and column of the operation in a module that holds the kernel."""
        function = text.index(f"@{self.kernel.name}(")
        at = text.index(self.at, function)
        return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def numbers(*values: int) -> np.ndarray:
    """The numbers of a launch, int32 (NUMBERS,), zeros behind those that are given."""
    found = np.zeros(NUMBERS, np.int64)
    found[: len(values)] = values
    return found.astype(np.uint32).view(np.int32)
