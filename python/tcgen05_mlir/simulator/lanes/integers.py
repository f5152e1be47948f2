"""Integer operations that numpy's operators do not do as LLVM does, on values of natural width.

Operands are unsigned; `signed` sees them as two's complement. A shift by the width or more is zero
(for `ashr` the sign), a division by zero is zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Lanes = Any
"""A numpy scalar or array: arrays of lanes have too many shapes for numpy's type hints."""

_SIGNED = {np.dtype(f"u{size}"): np.dtype(f"i{size}") for size in (1, 2, 4, 8)}
_UNSIGNED = {signed: unsigned for unsigned, signed in _SIGNED.items()}


def signed(a: Lanes) -> Lanes:
    """The same bits as two's complement; of i1, 0 and -1."""
    return -a.astype(np.int8) if a.dtype == bool else a.view(_SIGNED[a.dtype])


def unsigned(a: Lanes) -> Lanes:
    return a.view(_UNSIGNED[a.dtype])


def sign_extend(a: Lanes, width: int, dtype: np.dtype) -> Lanes:
    """An integer of `width` bits in the wider `dtype`: `sign_extend(0b110, 3, u8) == 254`."""
    wide = a.astype(dtype)
    shift = dtype.type(8 * dtype.itemsize - width)
    return unsigned(signed(wide << shift) >> signed(shift))


def sdiv(a: Lanes, b: Lanes) -> Lanes:
    """The quotient cut toward zero: `-7 / 2 == -3`."""
    x, y = signed(a), signed(b)
    quotient = x // y
    inexact = (quotient * y != x) & ((x < 0) != (y < 0)) & (y != 0)
    return unsigned(quotient + inexact.astype(quotient.dtype))


def srem(a: Lanes, b: Lanes) -> Lanes:
    """The remainder with the dividend's sign: `-7 % 2 == -1`."""
    return a - sdiv(a, b) * b


def ashr(a: Lanes, b: Lanes) -> Lanes:
    bits = b.dtype.type(8 * b.dtype.itemsize - 1)
    return unsigned(signed(a) >> signed(np.minimum(b, bits)))


def smin(a: Lanes, b: Lanes) -> Lanes:
    return unsigned(np.minimum(signed(a), signed(b)))


def smax(a: Lanes, b: Lanes) -> Lanes:
    return unsigned(np.maximum(signed(a), signed(b)))


def sabs(a: Lanes) -> Lanes:
    return np.where(signed(a) < 0, np.zeros_like(a) - a, a)


def compare_signed(a: Lanes, b: Lanes) -> Lanes:
    """-1, 0 or 1 as two's complement bytes."""
    x, y = signed(a), signed(b)
    return ((x > y).astype(np.int8) - (x < y).astype(np.int8)).view(np.uint8)


def compare_unsigned(a: Lanes, b: Lanes) -> Lanes:
    return ((a > b).astype(np.int8) - (a < b).astype(np.int8)).view(np.uint8)


def uadd_sat(a: Lanes, b: Lanes) -> Lanes:
    total = a + b
    return np.where(total < a, np.iinfo(a.dtype).max, total).astype(a.dtype)


def usub_sat(a: Lanes, b: Lanes) -> Lanes:
    return np.where(a < b, 0, a - b).astype(a.dtype)


def sadd_sat(a: Lanes, b: Lanes) -> Lanes:
    return _saturate(a, sadd_overflow(a, b))


def ssub_sat(a: Lanes, b: Lanes) -> Lanes:
    return _saturate(a, ssub_overflow(a, b))


def _saturate(a: Lanes, result: tuple[Lanes, Lanes]) -> Lanes:
    """An overflow goes in the direction of the first operand's sign."""
    limits = np.iinfo(_SIGNED[a.dtype])
    value, overflow = result
    limit = np.where(signed(a) < 0, limits.min, limits.max).astype(a.dtype)
    return np.where(overflow, limit, value)


def uadd_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    total = a + b
    return total, total < a


def usub_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    return a - b, a < b


def umul_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    return a * b, umul_high(a, b) != 0


def sadd_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    total = a + b
    return total, signed((a ^ total) & (b ^ total)) < 0


def ssub_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    difference = a - b
    return difference, signed((a ^ b) & (a ^ difference)) < 0


def smul_overflow(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
    product = a * b
    return product, smul_high(a, b) != ashr(product, np.full_like(product, 8 * a.itemsize - 1))


def umul_high(a: Lanes, b: Lanes) -> Lanes:
    """The upper half of the product, by halves: no integer of numpy holds it whole."""
    half = a.dtype.type(4 * a.dtype.itemsize)
    low = a.dtype.type((1 << int(half)) - 1)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    carry = (middle & low) + a0 * b1
    return a1 * b1 + (middle >> half) + (carry >> half)


def smul_high(a: Lanes, b: Lanes) -> Lanes:
    zero = a.dtype.type(0)
    correction = np.where(signed(a) < 0, b, zero) + np.where(signed(b) < 0, a, zero)
    return umul_high(a, b) - correction


def popcount(a: Lanes, width: int) -> Lanes:
    total = np.zeros_like(a)
    one = a.dtype.type(1)
    for bit in range(width):
        total = total + (a >> a.dtype.type(bit) & one)
    return total


def leading_zeros(a: Lanes, width: int) -> Lanes:
    """`leading_zeros(1, 32) == 31`, `leading_zeros(0, 32) == 32`."""
    smeared = a
    for shift in (1, 2, 4, 8, 16, 32):
        if shift < width:
            smeared = smeared | smeared >> a.dtype.type(shift)
    return a.dtype.type(width) - popcount(smeared, width)


def trailing_zeros(a: Lanes, width: int) -> Lanes:
    """`trailing_zeros(8, 32) == 3`, `trailing_zeros(0, 32) == 32`."""
    one = a.dtype.type(1)
    lowest = ~a & (a - one)
    return np.minimum(popcount(lowest, width), a.dtype.type(width))


def reverse_bits(a: Lanes, width: int) -> Lanes:
    result, one = np.zeros_like(a), a.dtype.type(1)
    for bit in range(width):
        place = a.dtype.type(width - 1 - bit)
        result = result | (a >> a.dtype.type(bit) & one) << place
    return result


def funnel_left(a: Lanes, b: Lanes, c: Lanes, width: int) -> Lanes:
    """The upper half of `a:b` shifted left by `c` modulo the width."""
    full = a.dtype.type(width)
    by = c % full
    return np.where(by == 0, a, a << by | b >> full - by)


def funnel_right(a: Lanes, b: Lanes, c: Lanes, width: int) -> Lanes:
    """The lower half of `a:b` shifted right by `c` modulo the width."""
    full = a.dtype.type(width)
    by = c % full
    return np.where(by == 0, b, b >> by | a << full - by)


def permute_bytes(low: Lanes, high: Lanes, selector: Lanes) -> Lanes:
    """`prmt` in its default mode: each nibble picks one of eight bytes, bit 3 its sign instead."""
    pool = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    result = np.zeros_like(pool)
    for position in range(4):
        nibble = (selector >> np.uint32(4 * position) & np.uint32(15)).astype(np.uint64)
        byte = pool >> (nibble & np.uint64(7)) * np.uint64(8) & np.uint64(255)
        sign = (byte >> np.uint64(7)) * np.uint64(255)
        chosen = np.where(nibble > 7, sign, byte)
        result = result | chosen << np.uint64(8 * position)
    return result.astype(np.uint32)
