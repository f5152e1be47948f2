"""Work of the tensor memory that is under way: copies and shifts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model import Instruction, SmemDescriptor, execute_cp

from .errors import SimulationError, Site

if TYPE_CHECKING:
    from .cluster import Block
    from .events import Event
    from .warp_state import WarpState

Index = NDArray[np.int64]


class Work:
    """One asynchronous instruction, from its issue to its completion."""

    kind = ""
    event: Event
    """Known once it has begun."""

    def __init__(self, warp: WarpState, lane: int, site: Site) -> None:
        self.warp = warp
        self.lane = lane
        self.site = site
        self.blocks: list[Block] = []
        self._before: list[Work] = []

    @property
    def thread(self) -> tuple[WarpState, int]:
        """Who issued it."""
        return self.warp, self.lane

    def begin(self, blocks: list[Block], lanes: Index, columns: Index) -> Event:
        """Claims the cells in each block: accesses to them must be over, see `check_over`."""
        cluster = self.warp.block.cluster
        self._before = self.predecessors(cluster.pending.values())
        pipelined = tuple(work.event for work in self._before)
        for block in blocks:
            block.tensor.check_over(
                self.warp, lanes, columns, "writes", self.site, lane=self.lane, pipelined=pipelined
            )
        self.event = cluster.ledger.add(self.kind, self.warp, self.lane, self.site)
        cluster.commits.issue(self.event)
        cluster.pending[self.event.number] = self
        self.blocks, self._lanes, self._columns = blocks, lanes, columns
        for block in blocks:
            block.tensor.writer[lanes, columns] = self.event.number
        cluster.schedule.add(self.complete)
        return self.event

    def predecessors(self, pending: Iterable[Work]) -> list[Work]:
        """The work under way that the hardware completes first (pipelined pairs of PTX)."""
        return []

    def complete(self) -> None:
        """It is done, after those that it follows; commits that waited for it arrive."""
        pending = self.warp.block.cluster.pending
        if pending.pop(self.event.number, None) is None:
            return
        for work in self._before:
            work.complete()
        for block in self.blocks:
            self._check_alive(block)
            self.run(block)
        self.event.done = True
        self.warp.block.cluster.commits.advance()

    def _check_alive(self, block: Block) -> None:
        if not block.ended or self.warp.block.ended:
            return
        index = ", ".join(map(str, block.index))
        self.warp.fail(
            "S2",
            f"is under way in block ({index}), which has ended",
            self.site,
            lane=self.lane,
            notes=["let both blocks of a pair wait for the copy, or meet at a cluster barrier"],
        )

    def run(self, block: Block) -> None:
        """What it does to one block."""
        raise NotImplementedError


class Copy(Work):
    """A tcgen05.cp, done by the model's reference. It reads shared memory when it completes."""

    kind = "copy"

    def __init__(
        self,
        warp: WarpState,
        lane: int,
        site: Site,
        instruction: Instruction,
        address: int,
        descriptor: SmemDescriptor,
    ) -> None:
        super().__init__(warp, lane, site)
        self._instruction = instruction
        self._address = address
        self._descriptor = descriptor

    def predecessors(self, pending: Iterable[Work]) -> list[Work]:
        if self._instruction.shape != "4x256b":
            return []
        # PTX `tcgen05-memory-consistency-model`: shift -> cp.4x256b of one cta_group.
        thread = (self.warp, self.lane)
        return [work for work in pending if work.kind == "shift" and work.thread == thread]

    def run(self, block: Block) -> None:
        try:
            execute_cp(
                block.tensor.cells,
                block.shared.storage,
                self._address,
                self._descriptor,
                self._instruction,
            )
        except ValueError as error:
            # Its rule is allowed, but there is nothing that the copy could do.
            text, _, rule = str(error).rstrip("]").rpartition(" [")
            raise SimulationError(
                rule.split(",")[0],
                f"cannot be executed: {text}",
                site=self.site,
                place=self.warp.place(self.lane),
            ) from error


class Shift(Work):
    """A tcgen05.shift.down."""

    kind = "shift"

    def run(self, block: Block) -> None:
        lanes, columns = self._lanes.reshape(32, -1), self._columns.reshape(32, -1)
        block.tensor.cells[lanes[:-1], columns[:-1]] = block.tensor.cells[lanes[1:], columns[1:]]
