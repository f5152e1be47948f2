"""Decompression on the way to tensor memory: packed FP4 and FP6 become one value per byte.

A 16-byte block of shared memory holds sixteen packed values, the first in the lowest bits, then
padding that is never copied: 8 bytes for `b4x16_p64`, 4 for `b6x16_p32`. The block in tensor
memory is sixteen bytes. Source: PTX `tcgen05-cp` and an independent simulator; one public comment
places FP6 elsewhere, so the placements are named here and nowhere else. Not run on Blackwell.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .forms import find_source_format

BLOCK_BYTES: Final = 16
"""Bytes of a block, packed with its padding or unpacked."""

BLOCK_VALUES: Final = 16
"""Values in a block."""

FP4_SHIFT: Final = 2
"""An FP4 value lies in bits 2-5 of its byte: 00xxxx00."""

FP6_SHIFT: Final = 0
"""An FP6 value lies in bits 0-5 of its byte: 00xxxxxx."""

_SHIFTS = {4: FP4_SHIFT, 6: FP6_SHIFT}


def decompress(blocks: NDArray[np.uint8], src_format: str | None) -> NDArray[np.uint8]:
    """The bytes that tensor memory gets for blocks of shared memory, uint8 (..., 16) both.

    `src_format` is None (the blocks as they are), `b4x16_p64` or `b6x16_p32`. The packed FP6
    values 1, 2, 31, 63 are the bytes 81 F0 FD and become 01 02 1F 3F; the FP4 values 1, 15 are
    the byte F1 and become 04 3C.

    Raises TypeError for another dtype, ValueError for another block size or format [C1].
    """
    if blocks.dtype != np.uint8:
        raise TypeError(f"'blocks' must be uint8, got {blocks.dtype}")
    if blocks.shape[-1:] != (BLOCK_BYTES,):
        raise ValueError(f"'blocks' must end in {BLOCK_BYTES} bytes, got shape {blocks.shape}")
    if src_format is None:
        return blocks
    bits = find_source_format(src_format).bits
    return np.left_shift(_unpack(blocks, bits), np.uint8(_SHIFTS[bits]), dtype=np.uint8)


def _unpack(blocks: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    packed = blocks[..., : BLOCK_VALUES * bits // 8]
    stream = np.unpackbits(packed, axis=-1, bitorder="little")
    values = stream.reshape(*blocks.shape[:-1], BLOCK_VALUES, bits)
    return np.packbits(values, axis=-1, bitorder="little")[..., 0]
