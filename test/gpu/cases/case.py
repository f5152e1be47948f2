"""What a case is: a kernel, the arguments of one launch, and the arrays that it must leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PATHS = ("nvvm", "inline-asm")
"""How `tcgen05.cp` is lowered: `path` of the pipeline."""

Arrays = tuple[Any, ...]


@dataclass(frozen=True)
class Kernel:
    """One kernel as MLIR text.

    `name`: unique in the table, so that many share a gpu.module. `function`: the gpu.func or
    llvm.func. `outside`: what stands beside it; equal lines of several kernels stand once.
    `cluster`: blocks per cluster. `paths`:
    both where it holds a tcgen05.cp of this dialect, else one is as good as the other.
    `lacking`: chips for which ptxas refuses an instruction in it. `emulated`: it is only ever run
    emulated. `module`: the whole module where
    it is one by itself, such as an example's; then the parts are empty.
    """

    name: str
    function: str = ""
    outside: tuple[str, ...] = ()
    cluster: int = 1
    paths: tuple[str, ...] = PATHS
    lacking: tuple[str, ...] = ()
    emulated: bool = False
    module: str | None = None

    @property
    def clustered(self) -> bool:
        """A chip without clusters cannot run it: pairs need them, however few blocks there are."""
        return self.cluster > 1 or "#nvvm.cta_group<cta_2>" in self.text

    @property
    def text(self) -> str:
        """The whole module with this kernel alone."""
        return module_text([self]) if self.module is None else self.module


@dataclass(frozen=True)
class Case:
    """One launch of a kernel and what it must leave.

    `family`: the row of the summary in which it is counted. `make`: (arguments, their values
    afterwards), by numpy and plain loops, never by the simulator; made when asked for.
    `shared`: bytes of dynamic shared memory. `grid`: blocks, None for what the kernel states.
    `large`: so many blocks that only a GPU gets through them; a smaller launch stands beside it.
    """

    name: str
    family: str
    kernel: Kernel
    make: Callable[[], tuple[Arrays, Arrays]]
    grid: int | tuple[int, int, int] | None = None
    shared: int = 0
    large: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        """The whole module with this case's kernel alone."""
        return self.kernel.text

    @property
    def sizes(self) -> dict[str, Any]:
        """The launch's sizes as keyword arguments, those that the kernel does not state."""
        sizes = {"grid": self.grid, "smem": self.shared}
        return {name: value for name, value in sizes.items() if value}


def module_text(kernels: list[Kernel], name: str = "cases") -> str:
    """A gpu.module with several kernels; what they share outside stands once."""
    outside = dict.fromkeys(line for kernel in kernels for line in kernel.outside)
    body = [*(f"  {line}" for line in outside), *(kernel.function for kernel in kernels)]
    return "\n".join([f"gpu.module @{name} {{", *body, "}", ""])
