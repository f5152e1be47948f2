"""Lanes of a warp that run together, and how they part, meet and wait.

A branch that lanes take both ways parts their group in two; both run, in turns where one waits,
until they come to the place where the branch's ways meet (its nearest post-dominator): there the
group is one again. A `.sync` or `.aligned` operation waits for the lanes that it names, whatever
group they are in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.machine import Site, Warp

Mask = NDArray[np.bool_]
NOWHERE = -1


class Token(Protocol):
    """What a group waits for; a machine's Wait, a `Gathering` or a test's second look."""

    def ready(self) -> bool: ...


@dataclass(eq=False)
class Group:
    """Lanes at one place in the code. `meet`: where it waits for the rest of `parent`.

    `parts`: groups that it has parted into and that are not back; `back`: the lanes that are.
    """

    mask: Mask
    pc: int = 0
    parent: Group | None = None
    meet: int = NOWHERE
    full: bool = True
    token: Token | None = None
    parts: int = 0
    back: Mask = field(default_factory=lambda: np.zeros(32, bool))


@dataclass(eq=False)
class Gathering:
    """One operation at which lanes of several groups gather; a Wait for each of the groups.

    The last to come carries it out for all. `needed()`: the lanes that are waited for.
    """

    action: Callable[..., Any]
    site: Site
    needed: Callable[[], Mask]
    machine: Warp
    here: Mask
    operands: tuple[Any, ...]
    done: bool = False
    value: Any = None

    def join(self, mask: Mask, operands: tuple[Any, ...]) -> None:
        self.operands = tuple(
            np.where(mask, new, old) for new, old in zip(operands, self.operands, strict=True)
        )
        self.here = self.here | mask

    def ready(self) -> bool:
        if not self.done and not (self.needed() & ~self.here).any():
            self.carry_out()
        return self.done and (not hasattr(self.value, "ready") or self.value.ready())

    def carry_out(self) -> None:
        """With the lanes that are here; where they are not all, the machine refuses (P7)."""
        self.done = True
        self.value = self.action(self.machine, self.here, *self.operands)
