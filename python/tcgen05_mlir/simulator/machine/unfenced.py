"""What a warp wrote to shared memory since its last proxy fence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .shared_memory import SharedMemory, State

if TYPE_CHECKING:
    from .warp_state import WarpState


class Unfenced:
    """The range of each shared memory that holds the warp's writes; a fence looks only there."""

    def __init__(self, warp: WarpState) -> None:
        self._warp = warp
        self._ranges: dict[SharedMemory, tuple[int, int]] = {}

    def add(self, memory: SharedMemory, first: int, behind: int) -> None:
        """Bytes of a range that the warp wrote."""
        low, high = self._ranges.get(memory, (first, behind))
        self._ranges[memory] = (min(low, first), max(high, behind))

    def fence(self, lanes: NDArray[np.bool_], *, own_block: bool) -> None:
        """Writes of `lanes` become visible to the async proxy; `own_block`: only in that block."""
        for memory, (low, high) in list(self._ranges.items()):
            if own_block and memory is not self._warp.block.shared:
                continue
            state, writer = memory.state[low:high], memory.writer[low:high]
            lane = writer - self._warp.thread_numbers[0]
            mine = (state == State.WRITTEN) & (lane >= 0) & (lane < 32)
            mine[mine] = lanes[lane[mine]]
            state[mine] = State.FENCED
            if lanes[self._warp.existing].all():
                del self._ranges[memory]
