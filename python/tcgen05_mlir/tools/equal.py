"""`tcgen05 run --equal`: an argument after the run against another as given, or a file."""

from __future__ import annotations

import re
from typing import Any

from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.values import is_number


def read_comparison(text: str, count: int) -> tuple[int, int | str]:
    """`1:0` or `1:FILE.npy`: an argument's index, and what it is compared with."""
    index, _, other = text.partition(":")
    if not is_number(index) or not (is_number(other) or other.endswith(".npy")):
        raise UsageError(f"argument --equal: expected INDEX:INDEX or INDEX:FILE.npy, got '{text}'")
    for number in (index, other):
        if is_number(number) and int(number) >= count:
            raise UsageError(
                f"argument --equal: there is no argument {int(number)}, --arg was given {count}x"
            )
    return int(index), int(other) if is_number(other) else other


def difference(found: Any, wanted: Any) -> str:
    """Empty where two arrays are equal bit for bit, else what differs."""
    import numpy as np

    found, wanted = np.asarray(found), np.asarray(wanted)
    if shape_text(found) != shape_text(wanted):
        return f"it is {shape_text(found)}, wanted {shape_text(wanted)}"
    if not found.size:
        return ""
    # By bytes: a NaN equals itself, and 0.0 is not -0.0.
    raw = (np.ascontiguousarray(a).view(np.uint8).reshape(a.size, -1) for a in (found, wanted))
    differ = np.flatnonzero(np.not_equal(*raw).any(axis=1))
    if not differ.size:
        return ""
    place = tuple(int(i) for i in np.unravel_index(differ[0], found.shape))
    where = f"at [{', '.join(map(str, place))}]: " if place else ""
    return (
        f"{differ.size} of {found.size} elements differ, the first {where}got {found[place]}, "
        f"wanted {wanted[place]}"
    )


def shape_text(array: Any) -> str:
    """As MLIR writes it: 128x4xi32; a plain `i32` for a number."""
    kind = re.sub(r"^u?int", "i", str(array.dtype)).replace("float", "f").replace("bool", "i1")
    return "x".join([*map(str, array.shape), kind])
