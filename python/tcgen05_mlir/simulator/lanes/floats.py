"""Floating point as LLVM defines it: round to nearest even, subnormals kept.

f16, f32, f64 are numpy's floats; bf16 is its bits in uint16, computed in f32, which rounds right
because f32 has more than twice bf16's precision.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tcgen05_mlir.model.bfloat import odd, to_bf16
from tcgen05_mlir.simulator.lanes.integers import Lanes


def from_bf16(a: Lanes) -> Lanes:
    return (a.astype(np.uint32) << np.uint32(16)).view(np.float32)


def fma(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """`a * b + c` rounded once."""
    if a.dtype == np.float64:
        return _fma_double(a, b, c)
    # The product of two f32 is exact in f64; the sum is rounded to odd there, then to f32.
    x, z = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = x + z
    high = total - x
    error = (x - (total - high)) + (z - high)
    return odd(total, error, np.uint64).astype(a.dtype)[()]


def _fma_double(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    shape = np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c))
    flat = (np.broadcast_to(x, shape).ravel().tolist() for x in (a, b, c))
    exact = [_fma_exact(*lane) for lane in zip(*flat, strict=True)]
    return np.array(exact, np.float64).reshape(shape)[()]


def _fma_exact(a: float, b: float, c: float) -> float:
    if not np.isfinite([a, b, c]).all():
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c
    try:
        return float(exact)
    except OverflowError:
        return np.inf if exact > 0 else -np.inf


def fma_bf16(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """The product of two bf16 is exact in f32; the sum is rounded to odd in f64, then to bf16."""
    x, y, z = (from_bf16(operand).astype(np.float64) for operand in (a, b, c))
    total = x * y + z
    high = total - x * y
    error = (x * y - (total - high)) + (z - high)
    return to_bf16(odd(total, error, np.uint64))


def negate_bf16(a: Lanes) -> Lanes:
    return a ^ np.uint16(0x8000)


def to_integer(a: Lanes, is_signed: bool, width: int) -> Lanes:
    """Cut toward zero, into a uint64; what does not fit saturates, as PTX's cvt does; NaN is 0.

    `to_integer(-1.5, True, 8) == 255`.
    """
    wide = np.trunc(np.asarray(a, np.float64))
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    inside = (wide > low) & (wide < high)
    value = np.where(inside, wide, 0.0)
    result = value.astype(np.int64).view(np.uint64) if is_signed else value.astype(np.uint64)
    mask = (1 << width) - 1
    limit = np.where(wide >= high, np.uint64(high), np.uint64(low & mask))
    result = np.where(inside, result, np.where(np.isnan(wide), np.uint64(0), limit))
    return (result & np.uint64(mask))[()]


def minimum_number(a: Lanes, b: Lanes) -> Lanes:
    """The smaller; a number where one is NaN; -0 below +0."""
    smaller = np.where(_below(a, b), a, b)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, smaller))


def maximum_number(a: Lanes, b: Lanes) -> Lanes:
    larger = np.where(_below(a, b), b, a)
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, larger))


def minimum_or_nan(a: Lanes, b: Lanes) -> Lanes:
    return np.where(np.isnan(a) | np.isnan(b), a + b, np.where(_below(a, b), a, b))


def maximum_or_nan(a: Lanes, b: Lanes) -> Lanes:
    return np.where(np.isnan(a) | np.isnan(b), a + b, np.where(_below(a, b), b, a))


def _below(a: Lanes, b: Lanes) -> Lanes:
    return (a < b) | ((a == b) & np.signbit(a) & ~np.signbit(b))


def reciprocal_root(x: Lanes) -> Lanes:
    """1 / sqrt(x)."""
    return x.dtype.type(1) / np.sqrt(x)


def error_function(x: Lanes) -> Lanes:
    """erf, computed with 64 bits."""
    return np.vectorize(math.erf, otypes=[np.float64])(x).astype(x.dtype)


def complementary_error_function(x: Lanes) -> Lanes:
    """1 - erf(x), computed with 64 bits."""
    return np.vectorize(math.erfc, otypes=[np.float64])(x).astype(x.dtype)


def round_away(a: Lanes) -> Lanes:
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(a)
    away = np.abs(a - whole) >= a.dtype.type(0.5)
    return np.copysign(whole + np.where(away, np.copysign(a.dtype.type(1), a), a.dtype.type(0)), a)


def is_class(a: Lanes, mask: int) -> Lanes:
    """LLVM's `is.fpclass`: bits 0, 1 NaN, then -inf, -normal, -subnormal, -0, and their mirror."""
    tiny = np.finfo(a.dtype).tiny
    negative, nan, zero = np.signbit(a), np.isnan(a), a == 0
    infinite, subnormal = np.isinf(a), (np.abs(a) < tiny) & (a != 0)
    normal = ~(nan | zero | infinite | subnormal)
    bits = np.asarray(a).view(f"u{a.dtype.itemsize}")
    quiet = (bits >> bits.dtype.type(np.finfo(a.dtype).nmant - 1) & bits.dtype.type(1)) != 0
    result = (nan & ~quiet) if mask & 1 else np.zeros_like(nan)
    result = result | (nan & quiet) if mask & 2 else result
    kinds = (infinite, normal, subnormal, zero)
    for place, kind in enumerate(kinds):
        result = result | (kind & negative & ~nan) if mask >> 2 + place & 1 else result
        result = result | (kind & ~negative & ~nan) if mask >> 9 - place & 1 else result
    return result
