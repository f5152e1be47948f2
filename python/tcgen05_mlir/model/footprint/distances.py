"""How far dynamic indices move an address: digits of mixed radix, each with a step.

The work is bounded by the distances that differ, not by the values that an index can take: an
index of 2^31 values whose step is a multiple of the modulus costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..modes import leaves

Choice = tuple[int, ...]
"""A value for each digit."""


@dataclass(frozen=True)
class Digit:
    """One sub-mode of an index that only the run time knows, or the unknown part of a base.

    It takes `extent` values, any natural number for None, and each value is `step` further. The
    index of dimension `dim` grows by `weight` per value; `dim` is None for a base's own part.
    """

    dim: int | None
    weight: int
    extent: int | None
    step: int

    def residues(self, modulus: int) -> int:
        """How many different residues its distances have."""
        distinct = modulus // math.gcd(self.step, modulus)
        return distinct if self.extent is None else min(self.extent, distinct)


def moving_digits(
    extents: Sequence[Any], steps: Sequence[Any], indices: Sequence[int | None]
) -> tuple[Digit, ...]:
    """The digits of the indices that are None, the slowest first; those that move nothing left out.

    Extents ((2, 8),), steps ((64, 4),), indices (None,) give a digit of 2 values, weight 8, step
    64 and one of 8 values, weight 1, step 4.
    """
    found: list[Digit] = []
    for dim, index in enumerate(indices):
        if index is None:
            found += _digits(dim, leaves(extents[dim]), leaves(steps[dim]))
    return tuple(found)


def _digits(dim: int, extents: Sequence[int | None], steps: Sequence[int]) -> list[Digit]:
    digits: list[Digit] = []
    weight = 1
    for extent, step in zip(reversed(extents), reversed(steps), strict=True):
        if step and extent != 1:
            digits.insert(0, Digit(dim, weight, extent, step))
        weight *= extent or 1
    return digits


def chosen_index(
    digits: Sequence[Digit], choice: Choice, indices: Sequence[int | None]
) -> tuple[int, ...]:
    """The operand's leading indices under a choice: constants, and what the digits make."""
    index = [value or 0 for value in indices]
    for digit, value in zip(digits, choice, strict=True):
        if digit.dim is not None:
            index[digit.dim] += value * digit.weight
    return tuple(index)


def distance(digits: Sequence[Digit], choice: Choice) -> int:
    """How far a choice moves the address."""
    return sum(value * digit.step for digit, value in zip(digits, choice, strict=True))


def base_distance(digits: Sequence[Digit], choice: Choice) -> int:
    """The part of `distance` that is the base's own."""
    pairs = zip(digits, choice, strict=True)
    return sum(value * digit.step for digit, value in pairs if digit.dim is None)


def extreme(digits: Sequence[Digit], sign: int) -> Choice:
    """The choice that moves furthest down (sign -1) or up (1); endless digits stay 0."""
    return tuple(
        digit.extent - 1 if digit.extent is not None and digit.step * sign > 0 else 0
        for digit in digits
    )


def first_unaligned(digits: Sequence[Digit], unit: int) -> Choice | None:
    """The choice of the smallest index that moves by no multiple of `unit`; None where all do."""
    for at in reversed(range(len(digits))):
        if digits[at].step % unit:
            return tuple(int(number == at) for number in range(len(digits)))
    return None


class Distances:
    """All distances that a choice of digits can give, modulo `modulus` where that is given.

    Without a modulus the digits must be finite and their extremes near enough to enumerate: the
    caller bounds them first. `values` is sorted, int64.
    """

    def __init__(self, digits: Sequence[Digit], modulus: int | None = None) -> None:
        self._digits = digits
        self._modulus = modulus
        self._suffixes = [np.zeros(1, np.int64)]
        for digit in reversed(digits):
            self._suffixes.insert(0, self._extend(self._suffixes[0], digit))

    @property
    def values(self) -> NDArray[np.int64]:
        """Every distance once, ascending."""
        return self._suffixes[0]

    def first_choice(self, value: int) -> Choice:
        """The choice of the smallest index that gives a distance of `values`."""
        choice: list[int] = []
        for digit, suffix in zip(self._digits, self._suffixes[1:], strict=True):
            rests = self._reduce(value - np.arange(self._count(digit)) * self._step(digit))
            chosen = int(np.flatnonzero(np.isin(rests, suffix))[0])
            value = int(rests[chosen])
            choice.append(chosen)
        return tuple(choice)

    def _extend(self, values: NDArray[np.int64], digit: Digit) -> NDArray[np.int64]:
        """The values and their sums with each distance of a digit, by doubling."""
        done, count = 1, self._count(digit)
        while done < count:
            more = min(done, count - done)
            moved = self._reduce(values + more * self._step(digit))
            values = np.union1d(values, moved)
            done += more
        return values

    def _count(self, digit: Digit) -> int:
        if self._modulus is not None:
            return digit.residues(self._modulus)
        assert digit.extent is not None
        return digit.extent

    def _step(self, digit: Digit) -> int:
        return digit.step if self._modulus is None else digit.step % self._modulus

    def _reduce(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        return values if self._modulus is None else values % self._modulus


def repeat_distances(extents: Sequence[Any], steps: Sequence[Any], count: int) -> NDArray[np.int64]:
    """How far the first `count` repeats lie from repeat 0, row-major, int64 (count,)."""
    rest = np.arange(count, dtype=np.int64)
    total = np.zeros(count, np.int64)
    for extent, step in zip(leaves(extents)[::-1], leaves(steps)[::-1], strict=True):
        rest, digit = np.divmod(rest, extent)
        total += digit * step
    return total


def repeat_index(shape: Sequence[int], number: int) -> tuple[int, ...]:
    """The index of a repeat, row-major: number 5 of (2, 3) is (1, 2)."""
    index: list[int] = []
    for extent in reversed(shape):
        number, digit = divmod(number, extent)
        index.insert(0, digit)
    return tuple(index)
