"""`Warp`: the operations of a kernel, for 32 lanes at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .barrier_ops import BarrierOps
from .errors import Checks, Place, Site
from .local_memory import LocalMemory
from .mbarrier_ops import MbarrierOps
from .memory_ops import MemoryOps
from .shared_memory import THREADS
from .tensor_access_ops import TensorAccessOps
from .tensor_copy_ops import TensorCopyOps
from .tensor_space_ops import TensorSpaceOps
from .unfenced import Unfenced

if TYPE_CHECKING:
    from .cluster import Block
    from .waits import Wait

Lanes = NDArray[np.bool_]


class Warp(MemoryOps, BarrierOps, MbarrierOps, TensorSpaceOps, TensorCopyOps, TensorAccessOps):
    """One warp. Made by its `Block`; `number` is its number in the block.

    `mask` is always bool (32,): the active lanes. `addresses` are uint64 (32,), in the space that
    `space` names (LLVM's number); entries of inactive lanes are ignored. Values are arrays whose
    last axis is the lane. `site` is the op. Every method may raise SimulationError.
    """

    def __init__(self, block: Block, number: int, threads: int) -> None:
        self.block = block
        self.number = number
        self.checks: Checks = block.cluster.checks
        self.existing: Lanes = np.arange(32) < threads
        """Lanes that have a thread: the last warp of a block of 48 threads has 16."""
        self.living = self.existing.copy()
        """Lanes that have not ended."""
        self.thread_numbers = np.arange(32) + block.rank * THREADS + 32 * number
        self.local = LocalMemory()
        self.unfenced = Unfenced(self)
        self.known = 0
        """Events that are over for this warp, one bit each."""
        self.fenced = 0
        """What was known at the last tcgen05.fence::after_thread_sync."""
        self.waiting: Wait | None = None
        """What it waits for; the deadlock report reads it."""
        self.open: list[int] = []
        """Numbers of its tensor-memory loads and stores that were not waited for."""

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

    def exit(self, mask: Lanes) -> None:
        """The active lanes end: barriers stop counting them. P4 for copies without a commit."""
        self.check_commits(mask)
        self.living &= ~mask
        self.block.check_barriers()
