"""bf16, which numpy does not have, as its bits in uint16."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

F32_QUIET: Final = np.uint32(0x00400000)
"""The bit that makes an f32 NaN a quiet one."""


def to_bf16(a: Any) -> Any:
    """f32 or f64 to the nearest bf16, ties to even; NaN stays NaN.

    `to_bf16(np.float32(1.0))` is 0x3f80.
    """
    single = _round_to_odd(a) if a.dtype == np.float64 else a
    bits = np.asarray(single).view(np.uint32)
    even = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + np.uint32(0x7FFF) + even) >> np.uint32(16)
    quiet = (bits | F32_QUIET) >> np.uint32(16)
    return np.where(np.isnan(single), quiet, rounded).astype(np.uint16)[()]


def odd(value: Any, error: Any, kind: type) -> Any:
    """The neighbour of `value` on the side of `error` where that is not zero and value is even.

    `kind`: the unsigned type of the float's width. A second rounding, to fewer bits, then comes
    out as one alone would.
    """
    bits: Any = np.asarray(value).view(kind)
    inexact = np.isfinite(value) & np.isfinite(error) & (error != 0) & (bits & kind(1) == 0)
    away = (error > 0) == (np.asarray(value) > 0)
    step = np.where(away, bits + kind(1), bits - kind(1))
    smallest = np.where(error < 0, kind(1) | (kind(1) << kind(8 * bits.itemsize - 1)), kind(1))
    step = np.where(np.asarray(value) == 0, smallest, step)
    return np.where(inexact, step, bits).view(np.asarray(value).dtype)


def _round_to_odd(a: Any) -> Any:
    """f64 to f32, odd where that is inexact."""
    nearest = np.asarray(a).astype(np.float32)
    error = np.asarray(a) - nearest.astype(np.float64)
    return odd(nearest, error, np.uint32)
