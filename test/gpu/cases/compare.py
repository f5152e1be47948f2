"""What a launch left against what it must leave, in every element of every argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def difference(found: Sequence[Any], wanted: Sequence[Any]) -> str | None:
    """None where all arguments are equal bit for bit, else which is not and where first."""
    if len(found) != len(wanted):
        return f"{len(found)} arguments came back, wanted {len(wanted)}"
    for number, (got, want) in enumerate(zip(found, wanted, strict=True)):
        words = _unlike(np.asarray(got), np.asarray(want))
        if words:
            return f"argument {number} {words}"
    return None


def _unlike(got: np.ndarray, want: np.ndarray) -> str | None:
    if got.size != want.size:
        return f"has {got.size} elements, wanted {want.size}"
    # A kernel that was lowered takes pointers, and knows no shapes and signs.
    got = got.reshape(want.shape).astype(want.dtype, casting="unsafe")
    places = np.argwhere(got != want)
    if not len(places):
        return None
    first = tuple(map(int, places[0]))
    return (
        f"differs in {len(places)} of {want.size} elements, first at {first}: "
        f"got {int(got[first]):#x}, wanted {int(want[first]):#x}"
    )
