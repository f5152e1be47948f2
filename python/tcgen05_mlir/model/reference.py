"""`execute_cp`: what one `tcgen05.cp` does to one CTA's memories."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .decompress import BLOCK_BYTES, decompress
from .descriptor import SmemDescriptor
from .instruction import Instruction
from .limits import (
    COLUMN_ALIGNMENT,
    CORE_MATRIX_WORDS,
    SMEM_ADDRESS_LIMIT,
    TMEM_COLUMNS,
    TMEM_LANE_SHIFT,
    TMEM_LANES,
    WORD_BYTES,
)
from .swizzle import swizzle_row_bytes
from .values import as_int, in_range


def execute_cp(
    tmem: NDArray[np.uint32],
    smem: NDArray[np.uint8],
    taddr: int,
    descriptor: int | SmemDescriptor,
    instruction: Instruction,
) -> None:
    """Copies the atom of `instruction` from `smem` into `tmem`, in place, all replicas.

    `tmem`: uint32 (128, 512), lanes by columns. `smem`: uint8 (bytes,), byte 0 is shared address
    0. `taddr`: lane << 16 | column, what the PTX instruction takes. `descriptor`: the 64 bits or
    the decoded form. A call is one CTA: for cta_group 2 call it once with each CTA's memories and
    the same operands.

    128x128b with `SmemDescriptor(sdo=128)` at `taddr` 8 writes the word at byte 16*r + 4*w to
    lane r, column 8+w.

    Raises TypeError for wrong kinds and dtypes; ValueError for wrong shapes, a descriptor that is
    not legal [C5], a column origin that is no multiple of 4 [F4], a footprint outside tensor
    memory [F5, F6], a walk outside `smem` [F10], a 256-bit row across a swizzle row [F12]. After
    an error `tmem` is as it was. It knows no allocations, so F9 and F11 are not judged. Source:
    PTX `tcgen05-cp`; bit-compared with an independent simulator, not run on Blackwell.
    """
    if not isinstance(instruction, Instruction):
        raise TypeError(f"'instruction' must be an Instruction, got {type(instruction).__name__}")
    _check_memories(tmem, smem)
    words = _read(smem, _as_descriptor(descriptor), instruction)
    lane, column = _origin(taddr, instruction)
    columns = column + np.arange(instruction.words)
    for distance in instruction.replicas:
        tmem[np.ix_(lane + distance + instruction.row_lanes(), columns)] = words


def _as_descriptor(descriptor: Any) -> SmemDescriptor:
    if isinstance(descriptor, SmemDescriptor):
        return descriptor
    return SmemDescriptor.decode(as_int(descriptor, "descriptor"))


def _read(
    smem: NDArray[np.uint8], descriptor: SmemDescriptor, instruction: Instruction
) -> NDArray[np.uint32]:
    """The words that the copy writes, uint32 (rows, words)."""
    descriptor.require(instruction)
    rows = np.arange(instruction.rows)[:, None]
    words = np.arange(0, instruction.words, CORE_MATRIX_WORDS)
    _check_straddle(descriptor, instruction)
    blocks = descriptor.addresses(rows, words)
    outside = np.argwhere(blocks + BLOCK_BYTES > smem.size)
    if outside.size:
        row, block = outside[0]
        raise ValueError(
            f"'descriptor' must keep the walk inside the {smem.size} bytes of 'smem', got bytes "
            f"{blocks[row, block]} to {blocks[row, block] + BLOCK_BYTES - 1} for row {row}, "
            f"word {words[block]} [F10]"
        )
    data = smem[blocks[..., None] + np.arange(BLOCK_BYTES)]
    return decompress(data, instruction.src_format).view("<u4").reshape(instruction.rows, -1)


def _check_straddle(descriptor: SmemDescriptor, instruction: Instruction) -> None:
    row_bytes = swizzle_row_bytes(descriptor.swizzle)
    if descriptor.swizzle == 0:
        return
    starts = descriptor.linear_addresses(np.arange(instruction.rows), 0) % row_bytes
    across = np.flatnonzero(starts + instruction.words * WORD_BYTES > row_bytes)
    if across.size:
        row = across[0]
        raise ValueError(
            f"'descriptor' must keep each {instruction.words * WORD_BYTES}-byte row inside a "
            f"{row_bytes}-byte swizzle row, got row {row} at byte {starts[row]} of one [F12]"
        )


def _origin(taddr: int, instruction: Instruction) -> tuple[int, int]:
    address = in_range(taddr, "taddr", 1 << 32)
    lane, column = address >> TMEM_LANE_SHIFT, address & ((1 << TMEM_LANE_SHIFT) - 1)
    name = instruction.form.name
    if column % COLUMN_ALIGNMENT:
        raise ValueError(
            f"'taddr' column origin must be a multiple of {COLUMN_ALIGNMENT}, got {column} [F4]"
        )
    last = lane + max(instruction.lanes(instruction.rows - 1))
    if last >= TMEM_LANES:
        raise ValueError(
            f"'taddr' must keep the footprint inside lanes 0..{TMEM_LANES - 1}, got lane {lane} "
            f"from which {name} reaches lane {last} [F5]"
        )
    last = column + instruction.words - 1
    if last >= TMEM_COLUMNS:
        raise ValueError(
            f"'taddr' must keep the footprint inside columns 0..{TMEM_COLUMNS - 1}, got column "
            f"{column} from which {name} reaches column {last} [F6]"
        )
    return lane, column


def _check_array(array: Any, name: str, dtype: Any, ndim: int) -> None:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"'{name}' must be a numpy array, got {type(array).__name__}")
    if array.dtype != dtype:
        raise TypeError(f"'{name}' must be {np.dtype(dtype)}, got {array.dtype}")
    if array.ndim != ndim:
        raise ValueError(f"'{name}' must have {ndim} dimension(s), got shape {array.shape}")


def _check_memories(tmem: Any, smem: Any) -> None:
    _check_array(tmem, "tmem", np.uint32, 2)
    _check_array(smem, "smem", np.uint8, 1)
    if tmem.shape != (TMEM_LANES, TMEM_COLUMNS):
        raise ValueError(f"'tmem' must be {TMEM_LANES} x {TMEM_COLUMNS}, got shape {tmem.shape}")
    if not tmem.flags.writeable:
        raise ValueError("'tmem' must be writeable, got a read-only array")
    if smem.size > SMEM_ADDRESS_LIMIT:
        raise ValueError(f"'smem' must be at most {SMEM_ADDRESS_LIMIT} bytes, got {smem.size}")
