"""How a block's state holds its allocations: one 64-bit word, four bits for each 32 columns.

Unit u, columns 32*u to 32*u+31, has bits 4*u to 4*u+3: 0 where the unit is free, n+1 where an
allocation of 32 << n columns starts, 15 in the rest of one. Allocations of 64 columns from 0 on and
of 32 from 96 on are 0x10f2.
"""

from __future__ import annotations

from typing import Final

from tcgen05_mlir.model.limits import ALLOCATION_UNIT, TMEM_COLUMNS

UNITS: Final = TMEM_COLUMNS // ALLOCATION_UNIT
UNIT_BITS: Final = 4
INSIDE: Final = 15


def live_columns(word: int) -> tuple[tuple[int, int], ...]:
    """(first column, columns) of each allocation: `live_columns(0x10f2)` is ((0, 64), (96, 32))."""
    found = []
    for unit in range(UNITS):
        code = word >> UNIT_BITS * unit & INSIDE
        if code not in (0, INSIDE):
            found.append((ALLOCATION_UNIT * unit, ALLOCATION_UNIT << (code - 1)))
    return tuple(found)


def describe_columns(word: int) -> str:
    """`columns 0 to 63, columns 96 to 127` for 0x10f2, `none` for 0."""
    return ", ".join(f"columns {s} to {s + n - 1}" for s, n in live_columns(word)) or "none"
