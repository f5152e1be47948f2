"""`Columns`: which columns of a block's tensor memory are allocated, and the permit to allocate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tcgen05_mlir.model.limits import ALLOCATION_UNIT, TMEM_COLUMNS

from .errors import Place, Site

if TYPE_CHECKING:
    from .cluster import Block


@dataclass(eq=False)
class Allocation:
    """`columns` from column `start`, all lanes; `event` is the alloc, `number` at least 1."""

    number: int
    start: int
    columns: int
    group: int
    site: Site
    place: Place
    event: int

    def __str__(self) -> str:
        return f"columns {self.start} to {self.start + self.columns - 1}"


class Columns:
    """The allocations of one block. `owner[c]`: the number of column c's allocation, 0 for none."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self.owner = np.zeros(TMEM_COLUMNS, np.int16)
        self.live: list[Allocation] = []
        self.gone: list[tuple[Allocation, Site]] = []
        self.relinquished: Site | None = None
        self._count = 0

    @property
    def used(self) -> int:
        """Columns that are allocated."""
        return sum(allocation.columns for allocation in self.live)

    def fits(self, columns: int) -> list[int]:
        """Every start at which `columns` consecutive ones are free, in units of 32."""
        last = TMEM_COLUMNS - columns
        starts = range(0, last + 1, ALLOCATION_UNIT)
        return [start for start in starts if not self.owner[start : start + columns].any()]

    def take(
        self, start: int, columns: int, group: int, site: Site, place: Place, event: int
    ) -> Allocation:
        """Allocates; nothing of the columns has been written."""
        self._count += 1
        allocation = Allocation(self._count, start, columns, group, site, place, event)
        self.live.append(allocation)
        self.owner[start : start + columns] = self._count
        self._block.tensor.forget(start, columns)
        return allocation

    def give_back(self, allocation: Allocation, site: Site) -> None:
        """Deallocates."""
        self.live.remove(allocation)
        self.gone.append((allocation, site))
        self.owner[allocation.start : allocation.start + allocation.columns] = 0

    def starting_at(self, start: int) -> Allocation | None:
        """The live allocation that starts at a column."""
        return next((one for one in self.live if one.start == start), None)

    def smaller_than(self, columns: int) -> Allocation | None:
        """An allocation of the past, live or given back, of fewer columns."""
        past = (*self.live, *(one for one, _ in self.gone))
        return next((one for one in past if one.columns < columns), None)

    def latest_at(self, start: int) -> Allocation | None:
        """The last allocation that started at a column, live or given back."""
        gone = (one for one, _ in reversed(self.gone) if one.start == start)
        return self.starting_at(start) or next(gone, None)

    def describe(self) -> str:
        """The live allocations in words."""
        return ", ".join(map(str, self.live)) or "none"
