"""Rules F8 and F12: the bytes that a descriptor's walk reads are those of the layout.

Where layout and descriptor swizzle alike, the XOR is the same on both sides and undoes itself:
the distances before it are compared, once for all repeats and indices. Where they do not, the
result depends on where in the swizzle's period an instruction starts, and every such phase that
the repeats and the dynamic indices reach is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..descriptor import SmemDescriptor
from ..limits import WORD_BYTES
from ..swizzle import swizzle_address, swizzle_row_bytes
from .distances import Choice, Distances, distance
from .operands import Source, near
from .violation import Place, Violation

Judge = Callable[[int, int], tuple[int, int] | None]
"""From the layout's and the descriptor's start address to the first (row, word) at fault."""


def mismatch(source: Source, descriptor: SmemDescriptor) -> tuple[Choice, int, int, int] | None:
    """(choice, repeat, row, word) of the first word that the walk does not read, else None."""
    walk = source.walk(descriptor)
    if source.layout.swizzle == descriptor.swizzle:
        wrong = np.argwhere(source.atom != walk)
        if not wrong.size:
            return None
        return (0,) * len(source.digits), 0, int(wrong[0, 0]), int(wrong[0, 1])

    def judge(layout_start: int, start: int) -> tuple[int, int] | None:
        wanted = swizzle_address(layout_start + source.atom, source.layout.swizzle)
        found = swizzle_address(start + walk, descriptor.swizzle)
        return _first(wanted != found)

    return _first_phase(source, descriptor.swizzle, judge)


def check_walk(
    source: Source, descriptor: SmemDescriptor, remedy: Callable[[], str]
) -> Iterator[Violation]:
    """F8: for every (repeat, row, word) the walk reads the byte where the layout has the word."""
    fault = mismatch(source, descriptor)
    if fault is None:
        return
    choice, repeat, row, word = fault
    place = source.place(choice, repeat, row=row, word=word)
    wanted, found = both_addresses(source, descriptor, fault)
    message = (
        f"'descriptor' must read {place} at {spot(source, wanted)}, where 'src' has it, got "
        f"{'byte' if source.base.address is None else 'shared address'} {found} [F8]"
    )
    yield Violation("F8", "descriptor", message, remedy(), found, wanted, place)


def both_addresses(
    source: Source, descriptor: SmemDescriptor, fault: tuple[Choice, int, int, int]
) -> tuple[int, int]:
    """Where the layout has a word and where the walk reads it, swizzled, from the root or, where
    the root's address is known, absolute."""
    choice, repeat, row, word = fault
    moved = source.root + distance(source.digits, choice)
    linear = moved + source.start + int(source.repeats[repeat] + source.atom[row, word])
    start = source.start - near(source.start) + int(source.starts(descriptor.swizzle)[repeat])
    walked = moved + start + int(source.walk(descriptor)[row, word])
    return (
        swizzle_address(linear, source.layout.swizzle),
        swizzle_address(walked, descriptor.swizzle),
    )


def spot(source: Source, address: int) -> str:
    """An address as messages name it."""
    if source.base.address is None:
        return f"byte {address} of the root buffer"
    return f"shared address {address}"


def check_straddle(source: Source, descriptor: SmemDescriptor) -> Iterator[Violation]:
    """F12: no 256-bit row straddles a swizzle row."""
    row_bytes = swizzle_row_bytes(descriptor.swizzle)
    size = source.instruction.words * WORD_BYTES
    if descriptor.swizzle == 0:
        return
    rows = source.walk(descriptor)[:, 0]

    def judge(_: int, start: int) -> tuple[int, int] | None:
        return _first((start + rows) % row_bytes + size > row_bytes)

    fault = _first_phase(source, descriptor.swizzle, judge)
    if fault is None:
        return
    choice, repeat, row, _ = fault
    place = source.place(choice, repeat, row=row)
    start = int(source.starts(descriptor.swizzle)[repeat]) + distance(source.digits, choice)
    found = (source.root + start + int(rows[row])) % row_bytes
    message = (
        f"'descriptor' must keep each {size}-byte row inside a {row_bytes}-byte swizzle row, "
        f"got {_row(place)} at byte {found} of one [F12]"
    )
    remedy = f"start rows at most {row_bytes - size} bytes into a swizzle row"
    yield Violation("F12", "descriptor", message, remedy, found, row_bytes - size, place)


def _row(place: Place) -> str:
    return ", ".join(part for part in (place.issue, f"row {place.row}") if part)


def _first_phase(source: Source, swizzle: int, judge: Judge) -> tuple[Choice, int, int, int] | None:
    """The first fault over every phase that indices and repeats reach."""
    period = source.period(swizzle)
    linear = source.root + near(source.start) + source.repeats
    starts = source.root + source.starts(swizzle)
    # Both XORs are one-to-one: repeats that start alike are alike.
    repeats = sorted(np.unique(starts % period, return_index=True)[1].tolist())
    moves = Distances(source.digits, period)
    verdicts: dict[tuple[int, int], tuple[int, int] | None] = {}
    for choice in sorted(moves.first_choice(int(value)) for value in moves.values):
        moved = distance(source.digits, choice)
        for repeat in repeats:
            phases = (int(linear[repeat]) + moved) % period, (int(starts[repeat]) + moved) % period
            if phases not in verdicts:
                verdicts[phases] = judge(*phases)
            verdict = verdicts[phases]
            if verdict is not None:
                return choice, repeat, *verdict
    return None


def _first(wrong: NDArray[np.bool_]) -> tuple[int, int] | None:
    places = np.argwhere(wrong)
    if not places.size:
        return None
    return int(places[0, 0]), int(places[0, 1]) if wrong.ndim == 2 else 0
