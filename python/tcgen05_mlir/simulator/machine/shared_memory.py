"""`SharedMemory`: the bytes of one block, and what is known of each of them."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .accesses import Access, distinct
from .host_memory import padded
from .shared_buffers import SharedLayout

if TYPE_CHECKING:
    from .cluster import Block

THREADS = 1024
"""Threads in a block at most: a writer's number is `rank * THREADS + thread`."""

_GARBAGE = 0xA5


class State(IntEnum):
    """What a byte of shared memory is."""

    UNWRITTEN = 0
    WRITTEN = 1
    """By the generic proxy, not fenced for the async proxy."""
    FENCED = 2
    MBARRIER = 3
    SLOT = 4
    """The address that tcgen05.alloc wrote, not read yet."""
    READ_SLOT = 5


class SharedMemory:
    """One block's shared memory, offsets from 0, with a state, writer and reader for each byte.

    `writer`: the thread of the last generic write. `reader`: the event of the last copy that reads
    the byte, 0 for none. `buffer`: 1 + the number of the layout's buffer, 0 between buffers.
    """

    def __init__(self, block: Block, layout: SharedLayout) -> None:
        self.block = block
        self.layout = layout
        self.storage = padded(layout.size)
        self.storage[:] = _GARBAGE
        self.data = self.storage[: layout.size]
        self.state = np.zeros(self.storage.size, np.uint8)
        self.writer = np.zeros(self.storage.size, np.int32)
        self.reader = np.zeros(self.storage.size, np.int32)
        self.buffer = np.zeros(self.storage.size, np.int16)
        for number, buffer in enumerate(layout.buffers):
            self.buffer[buffer.offset : buffer.end] = number + 1

    def name(self, offset: int) -> str:
        """`shared address 0x410 (byte 16 of 'tile')`."""
        address = f"shared address {self.block.shared_base + offset:#x}"
        buffer = self.layout.find(offset)
        if buffer is None:
            return address
        return f"{address} (byte {offset - buffer.offset} of '{buffer.name}')"

    def read(self, access: Access, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Generic loads: S1, S2, P9."""
        if not self._is_plain(access, State.WRITTEN):
            index = access.bytes
            state = self._checked_state(access, index)
            self._check_written(access, index, state)
            self.state[index[state == State.SLOT]] = State.READ_SLOT
        return access.read(self.storage, dtype)

    def write(self, access: Access, values: NDArray[Any]) -> None:
        """Generic stores: S2, S7, P9."""
        index = access.bytes
        threads = access.warp.thread_numbers[access.lanes]
        if not self._is_plain(access, State.UNWRITTEN):
            state = self._checked_state(access, index)
            self._check_kept(access, index, state)
        self.check_readers(access, index)
        access.write(self.storage, values)
        low, high = access.span
        if low < 0 or high > self.storage.size:
            inside = (index >= 0) & (index < self.storage.size)
            index, threads = index[inside], np.broadcast_to(threads[:, None], inside.shape)[inside]
        else:
            threads = threads[:, None]
        self.state[index] = State.WRITTEN
        self.writer[index] = threads
        access.warp.unfenced.add(self, max(low, 0), min(high, self.storage.size))

    def _is_plain(self, access: Access, least: State) -> bool:
        """Whether all lies in one buffer of bytes that are data, and in a state from `least` on.

        Looks at whole ranges, so it may say no where nothing is wrong.
        """
        low, high = access.span
        buffer = self.layout.find(low)
        if buffer is None or high > buffer.end:
            return False
        state = self.state[low:high]
        return bool(state.min() >= least and state.max() < State.MBARRIER)

    def mark(self, offset: int, size: int, state: State) -> None:
        """Sets the state of `size` bytes, as far as they exist."""
        self.state[offset : offset + size] = state

    def check_free(self, access: Access, what: str) -> None:
        """P9 where an mbarrier or an address that nobody has read yet lies in the way of `what`."""
        index = access.bytes
        self._check_kept(access, index, self._checked_state(access, index), what)
        self.check_readers(access, index)

    def check_readers(self, access: Access, index: NDArray[np.int64]) -> None:
        """S7 for a byte that a copy reads of which the warp does not know that it is over."""
        low, high = access.span
        if not self.reader[max(low, 0) : max(high, 0)].any():
            return
        readers = self.reader[np.clip(index, 0, self.reader.size - 1)]
        for number in distinct(readers[readers > 0]):
            event = self.block.cluster.ledger[number]
            if access.warp.known & event.bit:
                continue
            at, byte = access.first(readers == number) or (0, 0)
            offset = int(index[at, byte])
            access.fail(
                "S7",
                at,
                f"{access.verb} {self.name(offset)}, which {event} may still read",
                "wait for the mbarrier of the copy's commit before the source is written again",
                address=self.block.shared_base + offset,
            )

    def _checked_state(self, access: Access, index: NDArray[np.int64]) -> NDArray[np.uint8]:
        clipped = np.clip(index, 0, max(self.state.size - 1, 0))
        if self.state.size == 0:
            self._outside(access, 0, 0, index)
            return np.zeros(index.shape, np.uint8)
        owner = self.buffer[clipped]
        outside = (owner == 0) | (clipped != index) | (owner != owner[:, :1])
        found = access.first(outside)
        if found:
            self._outside(access, *found, index)
        return self.state[clipped]

    def _outside(self, access: Access, at: int, byte: int, index: NDArray[np.int64]) -> None:
        offset = int(index[at, byte])
        start = int(index[at, 0])
        inner = self.layout.find(start)
        where = (
            f"past the end of '{inner.name}', which has {inner.size} bytes"
            if inner
            else f"outside every buffer; the block has {self._buffers()}"
        )
        access.fail(
            "S2",
            at,
            f"{access.verb} {access.width} bytes at {self.name(start)}, {where}",
            address=self.block.shared_base + offset,
        )

    def _buffers(self) -> str:
        parts = [f"'{b.name}' at {b.offset:#x} to {b.end - 1:#x}" for b in self.layout.buffers]
        return ", ".join(parts) or "no shared memory"

    def _check_written(
        self, access: Access, index: NDArray[np.int64], state: NDArray[np.uint8]
    ) -> None:
        found = access.first(state == State.MBARRIER)
        if found:
            offset = int(index[found])
            access.fail(
                "P9",
                found[0],
                f"{access.verb} {self.name(offset)}, which belongs to a live mbarrier",
                "mbarriers are touched by mbarrier operations only; place them beside the data",
                address=self.block.shared_base + offset,
            )
        found = access.first(state == State.UNWRITTEN)
        if found:
            offset = int(index[found])
            access.fail(
                "S1",
                found[0],
                f"{access.verb} {self.name(offset)}, which was never written",
                "write it first, and put a barrier between where another thread writes",
                address=self.block.shared_base + offset,
            )

    def _check_kept(
        self,
        access: Access,
        index: NDArray[np.int64],
        state: NDArray[np.uint8],
        what: str = "",
    ) -> None:
        for kind, thing in (
            (State.MBARRIER, "a live mbarrier"),
            (State.SLOT, "the tensor memory address that tcgen05.alloc left there, not read yet"),
        ):
            found = access.first(state == kind)
            if found:
                offset = int(index[found])
                access.fail(
                    "P9",
                    found[0],
                    f"{access.verb} {what}{self.name(offset)}, which holds {thing}",
                    "give address slot, mbarriers and data buffers of their own",
                    address=self.block.shared_base + offset,
                )
