"""Rules F1 to F4: replicas, lanes and columns of one atom, column origins.

Rows and words lie alike in every repeat and under every index, so F1 to F3 look at one atom.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..limits import COLUMN_ALIGNMENT, TMEM_COLUMNS
from ..modes import format_nest
from ..replicas import Replicas
from ..tmem_layout import TmemLayout
from .distances import distance, first_unaligned
from .operands import Destination
from .replica_sets import forms_with_replicas, replica_shift
from .violation import Violation, of_place


def check_replicas(dst: Destination) -> Iterator[Violation]:
    """F1: replicas match the multicast."""
    if replica_shift(dst.instruction, dst.layout) is not None:
        return
    wanted = _format(TmemLayout.for_instruction(dst.instruction).replicas)
    found = _format(dst.layout.replicas)
    remedy = f"give the layout {_clause(wanted)}"
    others = forms_with_replicas(dst.instruction, dst.layout)
    if others:
        remedy += f", or copy with {' or '.join(others)}"
    name = dst.instruction.form.name
    message = f"'dst' replicas must be {wanted} with {name}, got {found} [F1]"
    yield Violation("F1", "dst", message, remedy, found, wanted)


def check_rows(dst: Destination) -> Iterator[Violation]:
    """F2: every row lies in the lane that the instruction gives it."""
    relative = dst.lanes - dst.lanes[0, 0]
    wrong = np.argwhere(relative != dst.instruction.row_lanes()[:, None])
    if not wrong.size:
        return
    row, word = map(int, wrong[0])
    origin = dst.start[0]
    wanted = origin + dst.instruction.row_lane(row)
    found = origin + int(relative[row, word])
    place = dst.place(row=row, word=word)
    message = f"'dst' {place} must lie in lane {wanted}, got lane {found} [F2]"
    yield Violation("F2", "dst", message, _wanted_layout(dst), found, wanted, place)


def check_words(dst: Destination) -> Iterator[Violation]:
    """F3: words are consecutive columns, the same for all rows."""
    relative = dst.columns - dst.columns[0, 0]
    wrong = np.argwhere(relative != np.arange(dst.instruction.words))
    if not wrong.size:
        return
    row, word = map(int, wrong[0])
    origin = dst.start[1]
    found, wanted = origin + int(relative[row, word]), origin + word
    place = dst.place(row=row, word=word)
    message = f"'dst' {place} must lie in column {wanted}, got column {found} [F3]"
    yield Violation("F3", "dst", message, _wanted_layout(dst), found, wanted, place)


def check_origins(dst: Destination) -> Iterator[Violation]:
    """F4: column origins are multiples of 4, for every repeat and every value of an index."""
    unit = COLUMN_ALIGNMENT
    factor = dst.base.column_factor
    if factor % unit:
        message = (
            f"'dst' address must be moved by a multiple of {unit} columns, got a number that "
            f"is only known to be a multiple of {factor} [F4]"
        )
        remedy = (
            f"add known multiples of {unit} alone, for example by arith.muli with {unit}, or take "
            "the tcgen05.view of the allocation's own address"
        )
        yield Violation("F4", "dst", message, remedy, factor, unit)
    digits = dst.digits[1]
    choice = (0,) * len(digits)
    wrong = np.flatnonzero((dst.start[1] % unit + dst.repeats[1]) % unit)
    repeat = int(wrong[0]) if wrong.size else 0
    if not wrong.size:
        moved = first_unaligned(digits, unit)
        if moved is None:
            return
        choice = moved
    found = dst.start[1] + int(dst.repeats[1][repeat]) + distance(digits, choice)
    place = dst.place(digits, choice, repeat)
    origin = of_place("column origin", place)
    message = f"'dst' {origin} must be a multiple of {unit}, got {found} [F4]"
    yield Violation("F4", "dst", message, _nearest_columns(found), found, unit, place)


def _nearest_columns(found: int) -> str:
    """The origins on both sides of `found` that tensor memory has."""
    below = found - found % COLUMN_ALIGNMENT
    last = TMEM_COLUMNS - COLUMN_ALIGNMENT
    there = [column for column in (below, below + COLUMN_ALIGNMENT) if 0 <= column <= last]
    if not there:
        return f"move it to one of columns 0 to {last}"
    return f"move it to column {' or '.join(map(str, there))}"


def _wanted_layout(dst: Destination) -> str:
    atom = TmemLayout.for_instruction(dst.instruction)
    return f"rows and words of {dst.instruction.form.name} lie as in {atom}"


def _format(replicas: Replicas) -> str:
    extents, strides = replicas
    return f"{format_nest(extents)} : {format_nest(strides)}" if extents else "none"


def _clause(replicas: str) -> str:
    return "no replicas" if replicas == "none" else f"replicas = {replicas}"
