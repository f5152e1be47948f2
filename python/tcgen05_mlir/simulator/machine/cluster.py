"""`Cluster`: blocks that run together, their asynchronous work, and the deadlock report."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Checks
from .host_memory import GlobalMemory
from .shared_buffers import SharedLayout
from .warp import Warp


@dataclass(frozen=True)
class ClusterShape:
    """`block`: threads x, y, z of a block. `cluster`: blocks x, y, z of a cluster."""

    block: tuple[int, int, int]
    cluster: tuple[int, int, int] = (1, 1, 1)


class Block:
    """One CTA. `index` is its x, y, z in the grid, `rank` its %cluster_ctarank."""

    index: tuple[int, int, int]
    rank: int
    warps: list[Warp]
    shared_base: int
    """Shared address of offset 0: `rank << 24`. A static buffer's address is this plus its offset."""


class Cluster:
    """The blocks of one cluster (a block without a cluster is a cluster of one).

    `first` is the grid index of its first block. `seed` decides when copies complete. The engine
    runs warps in any order, calls `tick()` after each step of a warp, `idle()` when no warp can
    move, `deadlock()` when `idle()` was of no use, `finish()` when all warps have ended.
    """

    blocks: list[Block]

    def __init__(
        self,
        shape: ClusterShape,
        first: tuple[int, int, int],
        shared: SharedLayout,
        memory: GlobalMemory,
        checks: Checks,
        *,
        seed: int = 0,
    ) -> None:
        raise NotImplementedError

    def tick(self) -> None:
        """One step of time passes; asynchronous work that is due completes."""
        raise NotImplementedError

    def idle(self) -> bool:
        """Completes the next asynchronous work early; False where there is none."""
        raise NotImplementedError

    def deadlock(self) -> None:
        """Raises S4 (P4 where a copy was never committed): who waits on what, what never came."""
        raise NotImplementedError

    def finish(self) -> None:
        """All warps have ended: drains the work, then checks P4, P6."""
        raise NotImplementedError
