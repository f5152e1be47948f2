"""The bytes that a copy reads, by descriptor and layout, and the rules about where they lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model import Instruction, SmemDescriptor, base_alignment, swizzle_address
from tcgen05_mlir.model.decompress import BLOCK_BYTES
from tcgen05_mlir.model.limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, WORD_BYTES
from tcgen05_mlir.model.swizzle import swizzle_row_bytes

from .shared_buffers import SharedBuffer, SharedLayout

PACKED_BYTES: Final = {None: 16, "b4x16_p64": 8, "b6x16_p32": 12}
"""Bytes of a 16-byte block that are copied; the rest is padding and may be anything."""


@dataclass(frozen=True)
class Fault:
    """A rule that the walk breaks at `offset`; `{name}` and `{address}` in the message are its."""

    rule: str
    message: str
    offset: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class CopyWalk:
    """`index`: offsets of the bytes that are copied, as far as the layout has them, int64 (n,)."""

    index: NDArray[np.int64]
    faults: tuple[Fault, ...]


@lru_cache(maxsize=512)
def copy_walk(
    layout: SharedLayout, instruction: Instruction, descriptor: SmemDescriptor
) -> CopyWalk:
    """The walk of one copy in any block of `layout`, with F9 to F12; remembered."""
    blocks = _blocks(instruction, descriptor, 0)
    faults = [_straddle(instruction, descriptor)]
    start = int(blocks[0, 0])
    buffer = layout.find(start)
    if buffer is None:
        note = "build the descriptor from the address of the buffer"
        faults.append(Fault("F10", "reads from {name}, which is in no buffer", start, (note,)))
    else:
        faults += [
            _outside(blocks, buffer),
            _base(descriptor, buffer),
            _backed(instruction, descriptor, buffer),
        ]
    used = np.arange(PACKED_BYTES[instruction.src_format])
    index = (blocks[..., None] + used).reshape(-1)
    return CopyWalk(index[index < layout.size], tuple(fault for fault in faults if fault))


def _blocks(instruction: Instruction, descriptor: SmemDescriptor, rows: int) -> NDArray[np.int64]:
    """Offsets of the 16-byte blocks (rows, 1 or 2), the walk moved by some rows."""
    words = np.arange(0, instruction.words, CORE_MATRIX_WORDS)
    linear = descriptor.linear_addresses(np.arange(instruction.rows)[:, None], words)
    moved = linear + rows * swizzle_row_bytes(descriptor.swizzle)
    return swizzle_address(moved, descriptor.swizzle)


def _straddle(instruction: Instruction, descriptor: SmemDescriptor) -> Fault | None:
    if descriptor.swizzle == 0:
        return None
    row, width = swizzle_row_bytes(descriptor.swizzle), instruction.words * WORD_BYTES
    at = descriptor.linear_addresses(np.arange(instruction.rows), 0) % row
    across = np.flatnonzero(at + width > row)
    if not across.size:
        return None
    first = int(across[0])
    return Fault(
        "F12",
        f"must keep each {width}-byte row inside a {row}-byte swizzle row, got row {first} "
        f"at byte {int(at[first])} of one",
        descriptor.start,
    )


def _outside(blocks: NDArray[np.int64], buffer: SharedBuffer) -> Fault | None:
    outside = np.argwhere((blocks < buffer.offset) | (blocks + BLOCK_BYTES > buffer.end))
    if not outside.size:
        return None
    row, column = map(int, outside[0])
    byte = int(blocks[row, column]) - buffer.offset
    return Fault(
        "F10",
        f"must keep the walk inside the {buffer.size} bytes of '{buffer.name}', got bytes {byte} "
        f"to {byte + BLOCK_BYTES - 1} for row {row}, word {column * CORE_MATRIX_WORDS}",
        int(blocks[row, column]),
    )


def _base(descriptor: SmemDescriptor, buffer: SharedBuffer) -> Fault | None:
    wanted = base_alignment(descriptor.swizzle)
    if buffer.dynamic or buffer.offset % wanted == 0:
        return None
    return Fault(
        "F9",
        f"reads '{buffer.name}' with swizzle {descriptor.swizzle}, whose base must be a multiple "
        f"of {wanted}, got shared address {{address}}",
        buffer.offset,
        (f"align the buffer to {wanted} bytes",),
    )


def _backed(
    instruction: Instruction, descriptor: SmemDescriptor, buffer: SharedBuffer
) -> Fault | None:
    if instruction.rows >= CORE_MATRIX_ROWS:
        return None
    for rows in (instruction.rows, -instruction.rows):
        blocks = _blocks(instruction, descriptor, rows)
        if blocks.min() >= buffer.offset and blocks.max() + BLOCK_BYTES <= buffer.end:
            return None
    return Fault(
        "F11",
        f"must have the eight-row block of a 4-row copy, rows 0..7 or rows -4..3, inside the "
        f"{buffer.size} bytes of '{buffer.name}', got a start at byte "
        f"{descriptor.start - buffer.offset}",
        descriptor.start,
        ("give the buffer four rows more",),
    )
