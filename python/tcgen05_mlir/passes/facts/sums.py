"""An integer as a constant plus multiples of what is not known."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import gcd


@dataclass(frozen=True)
class Sum:
    """``constant`` plus, for each term, an unknown integer times the term's coefficient.

    ``%base + %i * 512 + 64`` is ``Sum(64, {%base: 1, %i: 512})``. Equal terms stand for equal
    integers, so that they cancel out. Values are read modulo 2^32, which is as far as the
    addresses of both memories reach.
    """

    constant: int = 0
    terms: Mapping[Hashable, int] = field(default_factory=dict)

    def __add__(self, other: Sum) -> Sum:
        if not other.terms:
            return Sum(self.constant + other.constant, self.terms)
        terms = dict(self.terms)
        for term, coefficient in other.terms.items():
            terms[term] = terms.get(term, 0) + coefficient
        kept = {term: coefficient for term, coefficient in terms.items() if coefficient}
        return Sum(self.constant + other.constant, kept)

    def __sub__(self, other: Sum) -> Sum:
        return self + other.scaled(-1)

    def scaled(self, number: int) -> Sum:
        """Each part times ``number``."""
        if number == 0:
            return Sum()
        terms = {term: number * coefficient for term, coefficient in self.terms.items()}
        return Sum(number * self.constant, terms)

    @property
    def known(self) -> int | None:
        """The integer, where no part of it is unknown."""
        return None if self.terms else self.constant

    @property
    def factor(self) -> int:
        """The unknown part is a multiple of it; 0 where there is none."""
        return gcd(*self.terms.values())

    @property
    def unit(self) -> int:
        """The whole is a multiple of it; 0 for 0."""
        return gcd(self.constant, *self.terms.values())

    @property
    def bits(self) -> int:
        """A mask of the bits that may be set."""
        return -low_bit(self.unit) if self.terms else self.constant


def opaque(term: Hashable, unit: int = 1, constant: int = 0) -> Sum:
    """``constant`` plus an unknown multiple of ``unit``; just the constant for unit 0."""
    return Sum(constant, {term: unit} if unit else {})


def product(term: Hashable, one: Sum, other: Sum) -> Sum:
    """``one * other``; ``term`` is what to call their product where both are unknown."""
    for number, factor in ((one.known, other), (other.known, one)):
        if number is not None:
            return factor.scaled(number)
    constant = one.constant * other.constant
    cross = (one.constant * other.factor, other.constant * one.factor, one.factor * other.factor)
    return opaque(term, gcd(*cross), constant)


def low_bit(number: int) -> int:
    """The largest power of two that divides ``number``; 0 for 0."""
    return number & -number
