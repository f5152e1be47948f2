"""The arithmetic of one atomic operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np


def _wrapping(function: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    """Unsigned arithmetic modulo the width of the operands."""

    def apply(old: Any, value: Any) -> Any:
        bits = 8 * old.dtype.itemsize
        unsigned = np.dtype(f"u{old.dtype.itemsize}")
        result = function(int(old.view(unsigned)), int(value.view(unsigned))) % (1 << bits)
        return np.array(result, unsigned).view(old.dtype)[()]

    return apply


def _signed(function: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    def apply(old: Any, value: Any) -> Any:
        kind = np.dtype(f"i{old.dtype.itemsize}")
        result = function(int(old.view(kind)), int(value.view(kind)))
        return np.array(result, kind).view(old.dtype)[()]

    return apply


_UPDATES: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "xchg": lambda old, value: value,
    "add": _wrapping(lambda old, value: old + value),
    "sub": _wrapping(lambda old, value: old - value),
    "and": _wrapping(lambda old, value: old & value),
    "nand": _wrapping(lambda old, value: ~(old & value)),
    "or": _wrapping(lambda old, value: old | value),
    "xor": _wrapping(lambda old, value: old ^ value),
    "umax": _wrapping(max),
    "umin": _wrapping(min),
    "uinc_wrap": _wrapping(lambda old, value: 0 if old >= value else old + 1),
    "udec_wrap": _wrapping(lambda old, value: value if old == 0 or old > value else old - 1),
    "max": _signed(max),
    "min": _signed(min),
    "fadd": lambda old, value: old + value,
    "fsub": lambda old, value: old - value,
    "fmax": np.fmax,
    "fmin": np.fmin,
}

ATOMICS: Final = (*_UPDATES, "cmpxchg")
"""Names that `updated` takes, LLVM's."""


def updated(op: str, old: Any, value: Any, compare: Any = None) -> Any:
    """What memory holds after `op`: `updated("uinc_wrap", u4(7), u4(7))` is 0.

    numpy scalars of one dtype. Raises ValueError for an operation that is none of `ATOMICS`.
    """
    name = op.lstrip("_")
    if name == "cmpxchg":
        return value if old.tobytes() == compare.tobytes() else old
    if name not in _UPDATES:
        raise ValueError(f"'op' must be one of {', '.join(ATOMICS)}, got {op}")
    return _UPDATES[name](old, value)
