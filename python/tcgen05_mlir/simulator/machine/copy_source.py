"""What a copy reads of one block's shared memory, and the rules about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model import Instruction, SmemDescriptor

from .copy_walk import copy_walk
from .errors import Site
from .shared_memory import THREADS, State

if TYPE_CHECKING:
    from .cluster import Block
    from .warp_state import WarpState


@dataclass(frozen=True)
class CopySource:
    """The source of one copy in `block`, checked for lane `lane` of `warp`."""

    warp: WarpState
    lane: int
    site: Site
    block: Block
    instruction: Instruction
    descriptor: SmemDescriptor

    def check(self) -> NDArray[np.int64]:
        """F9 to F12, S1, P3, P9; the offsets of the bytes that are copied, as far as they exist."""
        walk = copy_walk(self.block.shared.layout, self.instruction, self.descriptor)
        for fault in walk.faults:
            name = self.block.shared.name(fault.offset)
            address = f"{self.block.shared_base + fault.offset:#x}"
            message = fault.message.format(name=name, address=address)
            self._fail(fault.rule, message, fault.offset, *fault.notes)
        self._check_states(walk.index)
        return walk.index

    def _fail(self, rule: str, message: str, offset: int, *notes: str) -> None:
        address = self.block.shared_base + offset
        self.warp.fail(
            rule, message, self.site, lane=self.lane, address=address, notes=self._notes(notes)
        )

    def _notes(self, notes: tuple[str, ...]) -> tuple[str, ...]:
        if self.block is self.warp.block:
            return notes
        return (*notes, f"in the shared memory of the other block of the pair, {self._who()}")

    def _who(self) -> str:
        return f"block ({', '.join(map(str, self.block.index))})"

    def _check_states(self, index: NDArray[np.int64]) -> None:
        shared = self.block.shared
        state = shared.state[index]
        if (state == State.FENCED).all():
            return
        for kind, rule, message in (
            (State.UNWRITTEN, "S1", "which was never written"),
            (State.MBARRIER, "P9", "which belongs to a live mbarrier"),
            (State.SLOT, "P9", "which holds the address that tcgen05.alloc left there"),
            (State.READ_SLOT, "P9", "which holds the address that tcgen05.alloc left there"),
        ):
            found = index[state == kind]
            if found.size:
                offset = int(found[0])
                self._fail(rule, f"reads {shared.name(offset)}, {message}", offset)
        found = index[state == State.WRITTEN]
        if found.size:
            offset = int(found[0])
            rank, thread = divmod(int(shared.writer[offset]), THREADS)
            writer = self.warp.block.cluster.blocks[rank].warps[thread // 32].place(thread % 32)
            self._fail(
                "P3",
                f"reads {shared.name(offset)}, which {writer} wrote and did not fence for the "
                "async proxy",
                offset,
                "nvvm.fence.proxy of kind async.shared, by the threads that write, behind their "
                "stores and before the barrier that hands over",
            )
