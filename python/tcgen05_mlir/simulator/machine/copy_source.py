"""What a copy reads of one block's shared memory, and the rules about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model import Instruction, SmemDescriptor, base_alignment, swizzle_address
from tcgen05_mlir.model.decompress import BLOCK_BYTES
from tcgen05_mlir.model.limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, WORD_BYTES
from tcgen05_mlir.model.swizzle import swizzle_row_bytes

from .errors import Site
from .shared_buffers import SharedBuffer
from .shared_memory import THREADS, State

if TYPE_CHECKING:
    from .cluster import Block
    from .warp_state import WarpState

PACKED_BYTES: Final = {None: 16, "b4x16_p64": 8, "b6x16_p32": 12}
"""Bytes of a 16-byte block that are copied; the rest is padding and may be anything."""


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
        self._check_straddle()
        blocks = self._blocks(0)
        buffer = self._check_inside(blocks)
        if buffer is not None:
            self._check_base(buffer)
            self._check_backed(buffer)
        used = np.arange(PACKED_BYTES[self.instruction.src_format])
        index = (blocks[..., None] + used).reshape(-1)
        index = index[index < self.block.shared.storage.size]
        self._check_states(index)
        return index

    def _blocks(self, rows: int) -> NDArray[np.int64]:
        """Offsets of the 16-byte blocks (rows, 1 or 2), the walk moved by some rows."""
        instruction, descriptor = self.instruction, self.descriptor
        words = np.arange(0, instruction.words, CORE_MATRIX_WORDS)
        linear = descriptor.linear_addresses(np.arange(instruction.rows)[:, None], words)
        moved = linear + rows * swizzle_row_bytes(descriptor.swizzle)
        return swizzle_address(moved, descriptor.swizzle)

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

    def _check_straddle(self) -> None:
        swizzle = self.descriptor.swizzle
        if swizzle == 0:
            return
        row, width = swizzle_row_bytes(swizzle), self.instruction.words * WORD_BYTES
        at = self.descriptor.linear_addresses(np.arange(self.instruction.rows), 0) % row
        across = np.flatnonzero(at + width > row)
        if across.size:
            first = int(across[0])
            self._fail(
                "F12",
                f"must keep each {width}-byte row inside a {row}-byte swizzle row, got row {first} "
                f"at byte {int(at[first])} of one",
                self.descriptor.start,
            )

    def _check_inside(self, blocks: NDArray[np.int64]) -> SharedBuffer | None:
        shared = self.block.shared
        start = int(blocks[0, 0])
        buffer = shared.layout.find(start)
        if buffer is None:
            self._fail(
                "F10",
                f"reads from {shared.name(start)}, which is in no buffer",
                start,
                "build the descriptor from the address of the buffer",
            )
            return None
        outside = np.argwhere((blocks < buffer.offset) | (blocks + BLOCK_BYTES > buffer.end))
        if outside.size:
            row, column = map(int, outside[0])
            byte = int(blocks[row, column]) - buffer.offset
            self._fail(
                "F10",
                f"must keep the walk inside the {buffer.size} bytes of '{buffer.name}', got bytes "
                f"{byte} to {byte + BLOCK_BYTES - 1} for row {row}, word "
                f"{column * CORE_MATRIX_WORDS}",
                int(blocks[row, column]),
            )
        return buffer

    def _check_base(self, buffer: SharedBuffer) -> None:
        wanted = base_alignment(self.descriptor.swizzle)
        if buffer.dynamic or buffer.offset % wanted == 0:
            return
        self._fail(
            "F9",
            f"reads '{buffer.name}' with swizzle {self.descriptor.swizzle}, whose base must be a "
            f"multiple of {wanted}, got shared address {self.block.shared_base + buffer.offset:#x}",
            buffer.offset,
            f"align the buffer to {wanted} bytes",
        )

    def _check_backed(self, buffer: SharedBuffer) -> None:
        if self.instruction.rows >= CORE_MATRIX_ROWS:
            return
        for rows in (self.instruction.rows, -self.instruction.rows):
            blocks = self._blocks(rows)
            if blocks.min() >= buffer.offset and blocks.max() + BLOCK_BYTES <= buffer.end:
                return
        self._fail(
            "F11",
            f"must have the eight-row block of a 4-row copy, rows 0..7 or rows -4..3, inside the "
            f"{buffer.size} bytes of '{buffer.name}', got a start at byte "
            f"{self.descriptor.start - buffer.offset}",
            self.descriptor.start,
            "give the buffer four rows more",
        )

    def _check_states(self, index: NDArray[np.int64]) -> None:
        shared = self.block.shared
        state = shared.state[index]
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
