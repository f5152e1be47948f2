"""`WarpState`: what a warp is and knows; the operations build on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import Checks, Place, Site
from .local_memory import LocalMemory
from .registers import Registers
from .shared_memory import THREADS
from .unfenced import Unfenced

if TYPE_CHECKING:
    from .cluster import Block
    from .waits import Wait

Lanes = NDArray[np.bool_]
WARP = 32


class WarpState:
    """The lanes of warp `number` of `block`, their place in the grid, and what the warp knows."""

    def __init__(self, block: Block, number: int, threads: int) -> None:
        self.block = block
        self.number = number
        self.checks: Checks = block.cluster.checks
        self.existing: Lanes = np.arange(32) < threads
        """Lanes that have a thread: the last warp of a block of 48 threads has 16."""
        self.living: Lanes = self.existing.copy()
        """Lanes that have not ended."""
        self.thread_numbers = np.arange(32) + block.rank * THREADS + 32 * number
        self.local = LocalMemory()
        self.unfenced = Unfenced(self)
        self.known = 0
        """Events that are over for this warp, one bit each."""
        self._fenced = 0
        self._fenced_lanes: dict[int, int] = {}
        """Lanes whose last fence was a part of the warp's, and what was known then."""
        self.waits: dict[Wait, None] = {}
        """What its lanes wait for, in order; a diverged warp may wait in several places."""
        self.polls: dict[tuple[Site, bytes], Wait] = {}
        """The last tests of mbarriers that failed, by op and lanes."""
        self.open: list[int] = []
        """Numbers of its tensor-memory loads and stores that were not waited for."""

    @property
    def fenced(self) -> int:
        """What every living lane knew at its last tcgen05.fence::after_thread_sync."""
        if not self._fenced_lanes:
            return self._fenced
        common = self.known
        for lane in map(int, np.flatnonzero(self.living)):
            common &= self._fenced_lanes.get(lane, self._fenced)
        return common

    def fence_after(self, mask: Lanes) -> None:
        """tcgen05.fence::after_thread_sync by some lanes."""
        if not (self.living & ~mask).any():
            self._fenced = self.known
            self._fenced_lanes.clear()
        else:
            self._fenced_lanes.update((int(lane), self.known) for lane in np.flatnonzero(mask))

    @property
    def waiting(self) -> list[Wait]:
        """All that it waits for; the deadlock report reads it."""
        return [*self.waits, *self.polls.values()]

    def place(self, lane: int | None = None) -> Place:
        """Block and thread index of a lane, or of the first living one."""
        if lane is None:
            lane = int(np.flatnonzero(self.living)[0]) if self.living.any() else 0
        x, y, _ = self.block.cluster.shape.block
        thread = 32 * self.number + lane
        return Place(self.block.index, (thread % x, thread // x % y, thread // (x * y)))

    def fail(
        self,
        rule: str,
        message: str,
        site: Site,
        *,
        lane: int | None = None,
        address: int | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        """Raises SimulationError for a lane unless the rule is allowed."""
        self.checks.fail(
            rule, message, site=site, place=self.place(lane), address=address, notes=notes
        )

    def collective(
        self, mask: Lanes, site: Site, *, members: int | None = None, whole: bool = False
    ) -> None:
        """P7 unless `mask` is every living lane of the warp, or of the member mask `members`.

        `whole`: no lane may have ended or be missing from the block either.
        """
        wanted = np.ones(WARP, np.bool_) if whole else self.living
        if members is not None:
            wanted = self.existing & (members >> np.arange(WARP) & 1).astype(np.bool_)
        absent = np.flatnonzero(wanted & ~mask)
        if absent.size:
            lanes = ", ".join(map(str, absent[:4])) + (", ..." if absent.size > 4 else "")
            self.fail(
                "P7",
                f"is reached by {int(mask.sum())} of the {int(wanted.sum())} lanes that execute "
                f"it together; lanes {lanes} are absent",
                site,
                lane=int(np.flatnonzero(mask)[0]) if mask.any() else None,
                notes=["move it out of the branch that only some lanes of the warp take"],
            )

    def uniform(self, values: NDArray[Any] | int, mask: Lanes, site: Site, what: str) -> int:
        """The one value of all active lanes; S6 where they differ."""
        spread = np.broadcast_to(np.asarray(values), (32,))[mask]
        if spread.size == 0:
            return 0
        if (spread != spread[0]).any():
            lane = int(np.flatnonzero(mask)[np.flatnonzero(spread != spread[0])[0]])
            self.fail(
                "S6",
                f"has {what} that differ among lanes: {int(spread[0]):#x} and "
                f"{int(np.broadcast_to(np.asarray(values), (32,))[lane]):#x}",
                site,
                lane=lane,
            )
        return int(spread[0])

    def use(self, values: NDArray[Any], site: Site) -> NDArray[Any]:
        """A use of values that may come from tcgen05.ld, as a plain ndarray; P5 before wait::ld."""
        if not isinstance(values, Registers):
            return values
        load = values.open_load
        if load is not None:
            self.fail(
                "P5",
                f"uses registers of {load}, which was not waited for",
                site,
                notes=["put nvvm.tcgen05.wait <load> between the two"],
            )
        return values.plain()
