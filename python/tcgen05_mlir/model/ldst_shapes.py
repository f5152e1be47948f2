"""Which tensor-memory cell each register of tcgen05.ld and tcgen05.st is, for every shape.

Cell (lane, column) of register r in thread t, relative to the address, N the repeat of .xN [C:
four public sources agree, two of them in use on hardware]:

| shape    | registers | lane                    | column                      |
|----------|-----------|-------------------------|-----------------------------|
| 32x32b   | N         | t                       | r                           |
| 16x64b   | N         | t//4 + 8*(t%2)          | (t//2)%2 + 2*r              |
| 16x128b  | 2N        | t//4 + 8*(r%2)          | t%4 + 4*(r//2)              |
| 16x256b  | 4N        | t//4 + 8*((r//2)%2)     | r%2 + 2*(t%4) + 8*(r//4)    |
| 16x32bx2 | N         | t%16                    | r, threads 16..31 + offset  |

16x32bx2 is two accesses: threads 16 to 31 start at the address plus immHalfSplitoff. With pack::16b
or unpack::16b column c of the table is columns 2c (low half of the register) and 2c+1 (high half),
the low 16 bits of each. Source: PTX `tcgen05-data-movement-shape`,
`tcgen05-tensor-memory-ld-st-packing-unpacking`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

WARP: Final = 32

REGISTERS_PER_REPEAT: Final = {
    "32x32b": 1,
    "16x64b": 1,
    "16x128b": 2,
    "16x256b": 4,
    "16x32bx2": 1,
}
"""Registers that .x1 moves; .xN moves N times as many, at most 128."""

MAX_REGISTERS: Final = 128


def read_ldst_shape(shape: str, registers: int) -> str:
    """PTX's name of a shape in either spelling; ValueError without a form of `registers`."""
    name = shape.removeprefix("shape_")
    if name not in REGISTERS_PER_REPEAT:
        raise ValueError(f"'shape' must be one of {', '.join(REGISTERS_PER_REPEAT)}, got {shape}")
    repeat, rest = divmod(registers, REGISTERS_PER_REPEAT[name])
    if rest or repeat < 1 or repeat & (repeat - 1) or registers > MAX_REGISTERS:
        raise ValueError(
            f"'registers' of {name} must be {REGISTERS_PER_REPEAT[name]} times a power of two, "
            f"at most {MAX_REGISTERS}, got {registers}"
        )
    return name


@lru_cache(maxsize=256)
def cells(shape: str, registers: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lanes and columns relative to the address, int64 (registers, 32) each, no packing."""
    register = np.arange(registers)[:, None]
    thread = np.arange(WARP)[None, :]
    if shape == "32x32b":
        lane, column = thread, register
    elif shape == "16x64b":
        lane, column = thread // 4 + 8 * (thread % 2), thread // 2 % 2 + 2 * register
    elif shape == "16x128b":
        lane, column = thread // 4 + 8 * (register % 2), thread % 4 + 4 * (register // 2)
    elif shape == "16x256b":
        lane = thread // 4 + 8 * (register // 2 % 2)
        column = register % 2 + 2 * (thread % 4) + 8 * (register // 4)
    else:
        lane, column = thread % 16, register
    lanes, columns = np.broadcast_arrays(lane, column)
    return lanes.astype(np.int64), columns.astype(np.int64)


@lru_cache(maxsize=256)
def footprint(
    shape: str, registers: int, packed: bool, offset: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every cell touched, relative to the address: int64 (halves, registers, 32), halves 1 or 2.

    With `packed` half 0 is the low half of each register. `offset` is immHalfSplitoff, an address
    difference: lane << 16 | column.
    """
    lanes, columns = cells(shape, registers)
    halves = np.arange(2 if packed else 1)[:, None, None]
    columns = columns * (2 if packed else 1) + halves
    lanes = np.broadcast_to(lanes, columns.shape)
    if shape == "16x32bx2":
        second = np.arange(WARP) >= WARP // 2
        lanes = lanes + second * (offset >> 16)
        columns = columns + second * (offset & 0xFFFF)
    return lanes, columns
