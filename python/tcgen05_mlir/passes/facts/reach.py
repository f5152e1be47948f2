"""What reaches a joined value: a start, a number, and the unit of all that differs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from tcgen05_mlir.passes.facts.sums import Sum, opaque

_CONSTANT_STARTS = range(0, 512, 32)
"""Addresses that are an allocation's start by themselves: columns of lane 0."""


@dataclass(frozen=True)
class Reach:
    """``start`` plus ``constant`` plus some multiple of ``unit``.

    ``start``: the one term that an address counts from, empty where none does. Loops that add 2
    to ``%base`` make ``Reach((%base,), 0, 2)`` of it.
    """

    start: tuple[Hashable, ...]
    constant: int
    unit: int

    def sum(self, term: Hashable) -> Sum:
        """As a sum; ``term`` names what differs."""
        moved = opaque((term, "moved"), self.unit, self.constant)
        return moved + Sum(0, dict.fromkeys(self.start, 1))


UNKNOWN = Reach((), 0, 1)


IsStart = Callable[[Hashable], bool]


class Settling:
    """Joined values whose ``inputs`` may hold each other, and what reaches them so far.

    ``known`` holds what reaches others. A fixpoint from below: a value that nothing has reached
    yet takes no part. Each step divides a unit or gives a start up, so it ends.
    """

    def __init__(
        self,
        inputs: Mapping[Hashable, Sequence[Sum]],
        known: Mapping[Hashable, Reach],
        is_start: IsStart,
    ) -> None:
        self._inputs = inputs
        self._known = known
        self._is_start = is_start
        self._found: dict[Hashable, Reach] = {}

    def settle(self) -> dict[Hashable, Reach]:
        """What reaches each; one that nothing does may be anything."""
        users = self._users()
        pending = list(self._inputs)
        while pending:
            join = pending.pop()
            now = self._joined(join)
            if now is not None and now != self._found.get(join):
                self._found[join] = now
                pending += users[join]
        return {join: self._found.get(join, UNKNOWN) for join in self._inputs}

    def _users(self) -> dict[Hashable, list[Hashable]]:
        users: dict[Hashable, list[Hashable]] = {join: [] for join in self._inputs}
        for join, sums in self._inputs.items():
            for part in {term for found in sums for term in found.terms if term in users}:
                users[part].append(join)
        return users

    def _joined(self, join: Hashable) -> Reach | None:
        now = self._found.get(join)
        for found in self._inputs[join]:
            reach = self._reach_of(found)
            if reach is not None:
                now = reach if now is None else _join(join, now, reach)
        return now

    def _reach_of(self, found: Sum) -> Reach | None:
        """None while a part is unreached."""
        start: tuple[Hashable, ...] = ()
        constant, unit = found.constant, 0
        for term, coefficient in found.terms.items():
            reach = self._reach_of_term(term)
            if reach is None:
                return None
            constant += coefficient * reach.constant
            unit = gcd(unit, coefficient * reach.unit)
            if reach.start and coefficient == 1 and not start:
                start = reach.start
            elif reach.start:
                unit = gcd(unit, coefficient)
        return Reach(start, constant, unit)

    def _reach_of_term(self, term: Hashable) -> Reach | None:
        if term in self._inputs:
            return self._found.get(term)
        if term in self._known:
            return self._known[term]
        return Reach((term,), 0, 0) if self._is_start(term) else UNKNOWN


def _join(join: Hashable, one: Reach, other: Reach) -> Reach:
    """Either of two. Where they count from different starts, ``join`` is one of its own."""
    if other.start and not one.start:
        one = _as_start(join, one)
    if one.start and not other.start:
        other = _as_start(join, other)
    unit = gcd(one.unit, other.unit, one.constant - other.constant)
    if one.start == other.start:
        return Reach(one.start, one.constant, unit)
    return Reach((join,), one.constant, unit) if one.start and other.start else UNKNOWN


def _as_start(join: Hashable, reach: Reach) -> Reach:
    """A constant that is a start by itself, as one."""
    is_start = reach.unit == 0 and reach.constant in _CONSTANT_STARTS
    return Reach((join,), 0, 0) if is_start else reach
