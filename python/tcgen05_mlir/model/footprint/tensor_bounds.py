"""Rules F5 to F7: the cells that a copy writes, replicas included, lie in bounds and differ.

They are the instruction's cells from each repeat's origin, whatever the layout says of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..instruction import Instruction
from ..limits import ALLOCATION_UNIT, TMEM_COLUMNS, TMEM_LANES
from .distances import Choice, Digit, distance, extreme, repeat_index
from .operands import Destination, near
from .violation import Violation, format_index

_CHUNK = 256

_LESS = "start it further left, or copy less"


@dataclass(frozen=True)
class _Span:
    """Coordinates along one axis: origin + dynamic index + repeat + position in the atom."""

    origin: int
    digits: Sequence[Digit]
    repeats: NDArray[np.int64]
    atom: NDArray[np.int64]

    def reach(self) -> tuple[int, int]:
        """The least and the greatest coordinate, over every index."""
        ends: list[int] = []
        for sign, end in ((-1, np.min), (1, np.max)):
            moved = distance(self.digits, extreme(self.digits, sign))
            ends.append(self.origin + moved + int(end(self.repeats)) + int(end(self.atom)))
        return ends[0], ends[1]

    def first_outside(self, limit: int) -> tuple[Choice, int, int, int]:
        """(choice, repeat, position, coordinate) of the first that is not in 0..limit-1.

        Index 0 is looked at first, then the two that reach furthest.
        """
        zero = (0,) * len(self.digits)
        for choice in (zero, extreme(self.digits, -1), extreme(self.digits, 1)):
            start = self.origin + distance(self.digits, choice)
            there = near(start) + self.repeats[:, None] + self.atom
            outside = np.argwhere((there < 0) | (there >= limit))
            if outside.size:
                repeat, at = map(int, outside[0])
                return choice, repeat, at, start + int(self.repeats[repeat] + self.atom[at])
        raise AssertionError("the extremes are in bounds")

    def at_best(self, factor: int) -> _Span:
        """The span where an unknown multiple of `factor` moves it to its lowest legal place."""
        moved = -(self.reach()[0] // factor) * factor if factor else 0
        return _Span(self.origin + moved, self.digits, self.repeats, self.atom)


def lane_span(dst: Destination) -> _Span:
    """Lanes, row by row, all replicas of a row together."""
    return _Span(dst.start[0], dst.digits[0], dst.repeats[0], _atom_lanes(dst.instruction))


def column_span(dst: Destination) -> _Span:
    """Columns, word by word."""
    return _Span(dst.start[1], dst.digits[1], dst.repeats[1], np.arange(dst.instruction.words))


def check_lanes(dst: Destination) -> Iterator[Violation]:
    """F5: all lanes are in 0..127."""
    limit = dst.base.lane_limit
    span = lane_span(dst).at_best(dst.base.lane_factor)
    lowest, highest = span.reach()
    if lowest >= 0 and highest < limit:
        return
    choice, repeat, at, found = span.first_outside(limit)
    replicas = dst.instruction.replicas
    place = dst.place(span.digits, choice, repeat, row=at // len(replicas))
    behind = replicas[at % len(replicas)]
    replica = f" (its replica {behind} lanes on)" if behind else ""
    message = (
        f"'dst' must stay inside lanes 0..{limit - 1}, got lane {found} for {place}{replica} [F5]"
    )
    name = dst.instruction.form.name
    remedy = f"{name} reaches {span.atom.max() + 1} lanes from the lane that it starts in"
    yield Violation("F5", "dst", message, remedy, found, limit, place)


def check_columns(dst: Destination) -> Iterator[Violation]:
    """F6: all columns are in 0..511 and in the allocation that the base is traced to."""
    limit = dst.base.column_limit
    span = column_span(dst).at_best(dst.base.column_factor)
    lowest, highest = span.reach()
    if lowest >= 0 and highest < limit:
        return
    choice, repeat, at, found = span.first_outside(limit)
    place = dst.place(span.digits, choice, repeat, word=at)
    if dst.base.columns is None:
        where, remedy = f"columns 0..{limit - 1}", _LESS
    else:
        where = f"the {limit} columns that the allocation got"
        remedy = _allocate(highest + 1) if lowest >= 0 else "start it inside"
    message = f"'dst' must stay inside {where}, got column {found} for {place} [F6]"
    yield Violation("F6", "dst", message, remedy, found, limit, place)


def _allocate(columns: int) -> str:
    """The remedy of a copy that needs so many: counts are powers of two."""
    count = max(ALLOCATION_UNIT, 1 << (columns - 1).bit_length())
    return f"allocate {count} columns" if count <= TMEM_COLUMNS else _LESS


def check_distinct(dst: Destination) -> Iterator[Violation]:
    """F7: no two instructions of one copy write one cell."""
    pair = _first_overlap(dst)
    if pair is None:
        return
    later, earlier = pair
    ours = [int(axis[later] + start) for axis, start in zip(dst.repeats, dst.start, strict=True)]
    other = format_index(repeat_index(dst.repeat_shape, earlier))
    place = dst.place(repeat=later)
    message = (
        f"'dst' repeats must write different cells, got {place.issue} at lane {ours[0]}, column "
        f"{ours[1]}, which writes cells of repeat {other} [F7]"
    )
    remedy = f"place repeats {dst.instruction.words} columns apart"
    yield Violation("F7", "dst", message, remedy, tuple(ours), None, place)


def _first_overlap(dst: Destination) -> tuple[int, int] | None:
    """The first repeat that writes a cell of an earlier one, and that one."""
    lanes, columns = dst.repeats
    meets = _lane_distances(dst.instruction)
    for first in range(0, len(lanes), _CHUNK):
        later = slice(first, first + _CHUNK)
        apart = np.abs(lanes[later, None] - lanes)
        hit = np.abs(columns[later, None] - columns) < dst.instruction.words
        hit &= meets[np.minimum(apart, TMEM_LANES)]
        hit &= np.arange(len(lanes)) < np.arange(len(lanes))[later, None]
        pairs = np.argwhere(hit)
        if pairs.size:
            return first + int(pairs[0, 0]), int(pairs[0, 1])
    return None


@cache
def _lane_distances(instruction: Instruction) -> NDArray[np.bool_]:
    """Whether atoms so many lanes apart share a lane, bool (129,); the last stands for all more."""
    lanes = _atom_lanes(instruction)
    meets = np.zeros(TMEM_LANES + 1, bool)
    meets[np.abs(lanes[:, None] - lanes)] = True
    return meets


def _atom_lanes(instruction: Instruction) -> NDArray[np.int64]:
    """The lanes that the instruction writes, row by row, all replicas of a row together."""
    return (instruction.row_lanes()[:, None] + np.array(instruction.replicas)).reshape(-1)
