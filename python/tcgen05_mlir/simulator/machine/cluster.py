"""`Cluster`: blocks that run together, their asynchronous work, and the deadlock report."""

from __future__ import annotations

from dataclasses import dataclass

from .allocation_waits import AllocWait
from .async_work import Work
from .barriers import NAMED_BARRIERS, ClusterBarrier, NamedBarrier
from .columns import Columns
from .commits import Commits
from .errors import Checks, Site
from .events import Ledger
from .host_memory import GlobalMemory
from .mbarrier import Mbarrier
from .reports import report_deadlock, report_end
from .schedule import Schedule
from .shared_buffers import SharedLayout
from .shared_memory import SharedMemory
from .spaces import RANK_SHIFT
from .tensor_memory import TensorMemory
from .warp import Warp


@dataclass(frozen=True)
class ClusterShape:
    """`block`: threads x, y, z of a block. `cluster`: blocks x, y, z of a cluster."""

    block: tuple[int, int, int]
    cluster: tuple[int, int, int] = (1, 1, 1)

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def blocks(self) -> int:
        """Blocks of a cluster."""
        return self.cluster[0] * self.cluster[1] * self.cluster[2]


class Block:
    """One CTA. `index` is its x, y, z in the grid, `rank` its %cluster_ctarank."""

    def __init__(
        self, cluster: Cluster, rank: int, index: tuple[int, int, int], layout: SharedLayout
    ) -> None:
        self.cluster = cluster
        self.rank = rank
        self.index = index
        self.shared_base = rank << RANK_SHIFT
        """Shared address of offset 0; a static buffer lies at this plus its offset."""
        self.shared = SharedMemory(self, layout)
        self.tensor = TensorMemory(self)
        self.columns = Columns(self)
        self.mbarriers: dict[int, Mbarrier] = {}
        self.pair_allocs: list[AllocWait] = []
        """Its allocs of cta_group 2 that wait for the peer, in order."""
        self.barriers = [NamedBarrier(self, number) for number in range(NAMED_BARRIERS)]
        threads = cluster.shape.threads
        self.warps = [
            Warp(self, number, threads - 32 * number) for number in range(-(-threads // 32))
        ]

    @property
    def ended(self) -> bool:
        """Whether all its threads have ended."""
        return not any(warp.living.any() for warp in self.warps)

    @property
    def peer(self) -> Block | None:
        """The other block of its pair: ranks differ in the last bit."""
        return self.cluster.block_at(self.rank ^ 1)

    def check_barriers(self) -> None:
        """Some lanes ended: barriers may now be complete."""
        for barrier in self.barriers:
            barrier.check()
        self.cluster.barrier.check()


class Cluster:
    """The blocks of one cluster (a block without a cluster is a cluster of one).

    `first` is the grid index of its first block. `seed` decides when copies complete. The engine
    runs warps in any order, calls `tick()` after each step of a warp, `idle()` when no warp can
    move, `deadlock()` when `idle()` was of no use, `finish()` when all warps have ended.
    """

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
        self.shape = shape
        self.first = first
        self.memory = memory
        self.checks = checks
        self.ledger = Ledger()
        self.schedule = Schedule(f"{seed} {first}")
        self.released: dict[int, int] = {}
        """Events released by ordered stores and atomics, by generic address."""
        self.group: tuple[int, Site] | None = None
        """The cta_group in use and the first op that used it."""
        self.barrier = ClusterBarrier(self)
        self.commits = Commits()
        self.pending: dict[int, Work] = {}
        """Copies and shifts under way, by event, in order of issue."""
        self.blocks: list[Block] = []
        x, y, _ = shape.cluster
        for rank in range(shape.blocks):
            step = (rank % x, rank // x % y, rank // (x * y))
            index = (first[0] + step[0], first[1] + step[1], first[2] + step[2])
            self.blocks.append(Block(self, rank, index, shared))

    def block_at(self, rank: int) -> Block | None:
        """The block of a rank, None for one that the cluster lacks."""
        return self.blocks[rank] if 0 <= rank < len(self.blocks) else None

    def tick(self) -> None:
        """One step of time passes; asynchronous work that is due completes."""
        self.schedule.tick()

    def idle(self) -> bool:
        """Completes the next asynchronous work early; False where there is none."""
        return self.schedule.skip()

    def deadlock(self) -> None:
        """Raises S4 (P4 where a copy was never committed): who waits on what, what never came."""
        report_deadlock(self)

    def finish(self) -> None:
        """All warps have ended: drains the work, then checks P4 and P6."""
        while self.schedule.skip():
            pass
        report_end(self)
