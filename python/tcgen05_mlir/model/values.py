"""Integers as callers hand them in: the one place that tells a wrong kind from a wrong value."""

from __future__ import annotations

import operator
from typing import Any, Final

MAGNITUDE_LIMIT: Final = (1 << 31) - 1
"""No extent, stride or offset of a layout exceeds 32 bits: the dialect's own limit."""


def as_int(value: Any, name: str) -> int:
    """`value` as an int; anything with `__index__` will do, a bool will not.

    `as_int(numpy.uint32(4), "ldo")` is 4. Raises TypeError, naming `name`, for other kinds.
    """
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f"'{name}' must be an integer, got {type(value).__name__} {value!r}")


def in_range(value: Any, name: str, limit: int) -> int:
    """`value` as an int with `0 <= value < limit`, else ValueError with both sides named."""
    number = as_int(value, name)
    if not 0 <= number < limit:
        raise ValueError(f"'{name}' must be at least 0 and below {limit}, got {number}")
    return number


def bounded(value: Any, name: str) -> int:
    """`value` as an int of a layout, else ValueError with the limit and the value."""
    number = as_int(value, name)
    if abs(number) > MAGNITUDE_LIMIT:
        raise ValueError(f"'{name}' must be inside +-{MAGNITUDE_LIMIT}, got {number}")
    return number
