"""Where the registers of tcgen05.ld and st lie, as bytes: what `model.ldst_shapes` says, split.

In every shape the place of register r of thread t is a constant of r and a sum over the bits of t,
which is what code needs; the numbers come from the model's table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model.ldst_shapes import WARP, footprint

from .abi import TMEM_LANE_BYTES

_BITS = WARP.bit_length() - 1


@dataclass(frozen=True)
class Cells:
    """The cells of one access in bytes of tensor memory, without a split offset.

    `thread_bits`: what each bit of the thread's number adds. `registers`: what each register adds;
    with packing two for each, its low half's first. `lanes`, `columns`: how many are touched, from
    the address on.
    """

    thread_bits: tuple[int, ...]
    registers: tuple[int, ...]
    lanes: int
    columns: int

    def runs(self, longest: int) -> tuple[tuple[int, int], ...]:
        """(first index, length) of entries of `registers` that follow each other in memory."""
        found: list[tuple[int, int]] = []
        for index, place in enumerate(self.registers):
            if found and found[-1][1] < longest:
                first, length = found[-1]
                if place == self.registers[first] + 4 * length:
                    found[-1] = (first, length + 1)
                    continue
            found.append((index, 1))
        return tuple(found)


@lru_cache(maxsize=256)
def cells_of(shape: str, registers: int, packed: bool) -> Cells:
    """The cells of a shape in PTX's spelling: `cells_of("32x32b", 4, False)` has the registers
    0, 4, 8, 12 and the thread bits 2048, 4096, ..."""
    lanes, columns = footprint(shape, registers, packed, 0)
    # (halves, registers, threads) with the halves of a register side by side.
    places = (lanes * TMEM_LANE_BYTES + columns * 4).transpose(1, 0, 2).reshape(-1, WARP)
    bits = tuple(int(places[0, 1 << bit] - places[0, 0]) for bit in range(_BITS))
    constants = tuple(map(int, places[:, 0]))
    assert (places == _sums(constants, bits)).all(), f"{shape} is not linear in the thread"
    return Cells(bits, constants, int(lanes.max()) + 1, int(columns.max()) + 1)


def _sums(constants: tuple[int, ...], bits: tuple[int, ...]) -> NDArray[np.int64]:
    threads = np.arange(WARP)
    thread = sum((threads >> bit & 1) * weight for bit, weight in enumerate(bits))
    return np.asarray(constants)[:, None] + thread
