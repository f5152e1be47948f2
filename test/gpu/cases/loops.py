"""One `tcgen05.cp` in plain loops, 16 bytes at a time: none of the model's code.

Shared memory is uint8 (bytes,), counted from a multiple of 1024 bytes; tensor memory is
uint32 (128, columns), counted from the start of the allocation.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]
Bytes = NDArray[np.uint8]

FORMS = (
    ("128x256b", None),
    ("128x128b", None),
    ("4x256b", None),
    ("64x128b", "warpx2::02_13"),
    ("64x128b", "warpx2::01_23"),
    ("32x128b", "warpx4"),
)
FORMATS = (None, "b4x16_p64", "b6x16_p32")
GROUPS = (1, 2)
SWIZZLES = range(4)


@dataclass(frozen=True)
class Issue:
    """One instruction: `start`, `ldo`, `sdo` in bytes; `lane` and `column` of its origin."""

    shape: str
    multicast: str | None
    start: int
    ldo: int
    sdo: int
    swizzle: int
    lane: int = 0
    column: int = 0
    src_format: str | None = None

    def run(self, tensor: Words, shared: Bytes) -> None:
        """Copies from `shared` to `tensor`, in place."""
        rows, bits = map(int, self.shape.removesuffix("b").split("x"))
        for row, block in product(range(rows), range(bits // 128)):
            at = self.start + row // 8 * self.sdo + row % 8 * (16 << self.swizzle)
            at += block * (16 if self.swizzle else self.ldo)
            at ^= at >> 3 & ((1 << self.swizzle) - 1) << 4
            packed = int.from_bytes(shared[at : at + 16].tobytes(), "little")
            words = unpacked(packed, self.src_format)
            for lane in lanes(rows, self.multicast, row):
                for word in range(4):
                    column = self.column + 4 * block + word
                    tensor[self.lane + lane, column] = words >> 32 * word & 0xFFFFFFFF


def unpacked(packed: int, src_format: str | None) -> int:
    """16 bytes as tensor memory gets them, as one little-endian number."""
    if src_format is None:
        return packed
    bits, shift = {"b4x16_p64": (4, 2), "b6x16_p32": (6, 0)}[src_format]
    values = [packed >> bits * n & (1 << bits) - 1 for n in range(16)]
    return sum(value << shift << 8 * n for n, value in enumerate(values))


def lanes(rows: int, multicast: str | None, row: int) -> list[int]:
    """Where PTX puts a row (`tcgen05-cp`)."""
    if rows == 128:
        return [row]
    if rows == 4:
        return [32 * row]
    if rows == 32:
        return [row, row + 32, row + 64, row + 96]
    if multicast == "warpx2::02_13":
        return [row, row + 64]
    return [64 * (row // 32) + row % 32, 64 * (row // 32) + row % 32 + 32]


def short(shape: str, multicast: str | None) -> str:
    """`64x128b_02_13`: a form inside a name."""
    return shape if multicast is None else f"{shape}_{multicast.rpartition('::')[2]}"
