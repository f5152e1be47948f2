"""Swizzling: the XOR on absolute shared-memory addresses, and what follows from it.

`swizzle` is 0, 1, 2, 3 for none, 32 bytes, 64 bytes, 128 bytes everywhere in this project: not
the number in the descriptor's field, which only `descriptor` knows. Source: PTX
`tcgen05-shared-memory-desc`.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from .limits import CORE_MATRIX_ROWS, DESCRIPTOR_UNIT
from .values import as_int

Address = TypeVar("Address", int, NDArray[np.int64])

SWIZZLES = (0, 1, 2, 3)


def check_swizzle(value: Any) -> int:
    """`value` as a swizzle mode. Raises ValueError for anything but 0 to 3 [C5]."""
    swizzle = as_int(value, "swizzle")
    if swizzle not in SWIZZLES:
        raise ValueError(
            "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), "
            f"got {swizzle} [C5]"
        )
    return swizzle


def swizzle_row_bytes(swizzle: int) -> int:
    """Bytes of one row of a swizzled tile: 16, 32, 64, 128."""
    return DESCRIPTOR_UNIT << swizzle


def base_alignment(swizzle: int) -> int:
    """Bytes that a buffer's base is aligned to: 16, 256, 512, 1024 (rule F9).

    The XOR repeats after eight rows, so only such a base has the pattern start at its first byte.
    """
    return CORE_MATRIX_ROWS * swizzle_row_bytes(swizzle) if swizzle else DESCRIPTOR_UNIT


def swizzle_address(address: Address, swizzle: int) -> Address:
    """The byte address that the hardware touches for a linear one; its own inverse.

    Bits 4 up to 4+swizzle-1 are XORed with bits 7 up to 7+swizzle-1: with swizzle 3 address 128
    becomes 144. Takes an int or an int64 array of absolute shared addresses.
    """
    mask = ((1 << swizzle) - 1) << 4
    return cast(Address, address ^ ((address >> 3) & mask))
