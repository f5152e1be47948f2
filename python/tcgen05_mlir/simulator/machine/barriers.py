"""Barriers of a block (bar.sync and bar.arrive) and of a cluster (barrier.cluster).

Sources: PTX `parallel-synchronization-and-communication-instructions-barrier`: a barrier counts
whole warps, `...-barrier-cluster`: all non-exited threads of the cluster arrive. That an exited
thread is not waited for by bar.sync without a count is what hardware does; PTX is silent [C].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from .errors import Site
from .waits import Blocked

if TYPE_CHECKING:
    from .cluster import Block, Cluster
    from .warp_state import WarpState

WARP: Final = 32
NAMED_BARRIERS: Final = 16
"""Barriers of a block: 0 to 15."""

Lanes = NDArray[np.bool_]


class BarrierWait(Blocked):
    """A warp at a barrier of its block. `trues` of `total` threads brought a true predicate."""

    def __init__(self, warp: WarpState, site: Site, barrier: NamedBarrier) -> None:
        super().__init__(warp, site)
        self._barrier = barrier
        self.trues = 0
        self.total = 0

    def describe(self) -> str:
        return self._barrier.describe()


class NamedBarrier:
    """One of a block's 16 barriers. `threads` of the phase: None is all threads of the block."""

    def __init__(self, block: Block, number: int) -> None:
        self._block = block
        self.number = number
        self._reset()

    def _reset(self) -> None:
        self.threads: int | None = None
        self.first: Site | None = None
        self._arrived: dict[WarpState, Lanes] = {}
        self._waits: list[BarrierWait] = []
        self._known = 0
        self._trues = 0
        self._total = 0

    def arrive(
        self,
        warp: WarpState,
        mask: Lanes,
        site: Site,
        threads: int | None,
        *,
        wait: bool,
        predicate: Lanes | None = None,
    ) -> BarrierWait | None:
        """Counts a warp; the wait where it blocks. S8 for a count unlike that of the phase."""
        if self.first is not None and threads != self.threads:
            warp.fail(
                "S8",
                f"uses barrier {self.number} with {_count(threads)}, where "
                f"'{self.first.name}' at {self.first.location} has {_count(self.threads)}",
                site,
            )
        self.threads, self.first = threads, self.first or site
        self._arrived[warp] = self._arrived.get(warp, np.zeros(WARP, np.bool_)) | mask
        self._known |= warp.known
        self._total += int(mask.sum())
        self._trues += int((mask if predicate is None else mask & predicate).sum())
        result = BarrierWait(warp, site, self) if wait else None
        if result:
            self._waits.append(result)
        self.check()
        return result

    def check(self) -> None:
        """Lets everybody go where all have arrived."""
        if self.first is None or self._count() < self._wanted():
            return
        waits, known, trues, total = self._waits, self._known, self._trues, self._total
        self._reset()
        for wait in waits:
            wait.trues, wait.total = trues, total
            wait.finish(known)

    def _count(self) -> int:
        return sum(
            WARP if not (warp.living & ~lanes).any() else int(lanes.sum())
            for warp, lanes in self._arrived.items()
        )

    def _wanted(self) -> int:
        if self.threads is not None:
            return self.threads
        alive = [warp for warp in self._block.warps if warp.living.any() or warp in self._arrived]
        return WARP * len(alive)

    def describe(self) -> str:
        missing = [
            str(warp.number)
            for warp in self._block.warps
            if warp.living.any() and warp not in self._arrived
        ]
        return (
            f"barrier {self.number}: {self._count()} of {self._wanted()} threads have arrived, "
            f"warps {', '.join(missing) or 'none'} have not"
        )


class ClusterWait(Blocked):
    """Lanes of a warp in barrier.cluster.wait."""

    def __init__(self, warp: WarpState, site: Site, barrier: ClusterBarrier, mask: Lanes) -> None:
        super().__init__(warp, site)
        self._barrier = barrier
        self.mask = mask

    def describe(self) -> str:
        return self._barrier.describe()


class ClusterBarrier:
    """The one barrier of a cluster. Each lane is between its arrive and its wait, or outside."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._arrived: dict[WarpState, Lanes] = {}
        """Lanes that have arrived in the phase under way."""
        self._released: dict[WarpState, Lanes] = {}
        """Lanes whose phase is complete and that have not waited yet."""
        self._waits: list[ClusterWait] = []
        self._known = 0
        self._completed = 0

    def arrive(self, warp: WarpState, mask: Lanes, site: Site) -> None:
        """Counts lanes; S8 for a second arrive without a wait."""
        if ((_lanes(self._arrived, warp) | _lanes(self._released, warp)) & mask).any():
            warp.fail(
                "S8",
                "arrives at the cluster barrier again before it waited for the last phase",
                site,
                notes=["every cluster.arrive is followed by one cluster.wait"],
            )
        self._arrived[warp] = _lanes(self._arrived, warp) | mask
        self._known |= warp.known
        self.check()

    def wait(self, warp: WarpState, mask: Lanes, site: Site) -> ClusterWait:
        """S8 for a wait without an arrive."""
        inside = _lanes(self._arrived, warp) | _lanes(self._released, warp)
        wait = ClusterWait(warp, site, self, mask & inside)
        if (mask & ~inside).any():
            warp.fail("S8", "waits at the cluster barrier without having arrived", site)
        self._waits.append(wait)
        self._release()
        return wait

    def check(self) -> None:
        """Ends the phase where all living lanes of the cluster have arrived."""
        if not self._arrived or self._missing():
            return
        self._completed |= self._known
        self._known = 0
        for warp, lanes in self._arrived.items():
            self._released[warp] = _lanes(self._released, warp) | lanes
        self._arrived = {}
        self._release()

    def _release(self) -> None:
        """Ends the waits whose lanes are all released."""
        for wait in list(self._waits):
            lanes = _lanes(self._released, wait.warp)
            if not (wait.mask & ~lanes).any():
                self._waits.remove(wait)
                self._released[wait.warp] = lanes & ~wait.mask
                wait.finish(self._completed)

    def _missing(self) -> list[WarpState]:
        return [
            warp
            for block in self._cluster.blocks
            for warp in block.warps
            if (warp.living & ~_lanes(self._arrived, warp)).any()
        ]

    def describe(self) -> str:
        missing = ", ".join(f"{warp.number} of rank {warp.block.rank}" for warp in self._missing())
        return f"the cluster barrier: warps {missing} have not arrived"


def _lanes(of: dict[WarpState, Lanes], warp: WarpState) -> Lanes:
    return of.get(warp, np.zeros(WARP, np.bool_))


def _count(threads: int | None) -> str:
    return "all threads" if threads is None else f"{threads} threads"
