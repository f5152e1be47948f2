"""Rule F9: the root is aligned as the swizzle needs it, and origins to 16 bytes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..descriptor import SmemDescriptor
from ..limits import DESCRIPTOR_UNIT
from .distances import distance, first_unaligned
from .operands import Source
from .plan import Assumption
from .violation import Violation, of_place


def check_alignment(source: Source, descriptor: SmemDescriptor) -> Iterator[Violation]:
    """F9: the XOR is on absolute addresses, so a swizzle's pattern starts where they repeat."""
    base = source.base
    wanted = source.period(descriptor.swizzle)
    known = base.alignment if base.address is None else base.address
    if known is None or known % wanted == 0:
        return
    swizzle = max(source.layout.swizzle, descriptor.swizzle)
    why = f" with swizzle {swizzle}" if swizzle else ""
    found = str(known)
    if base.address is not None:
        found = f"address {known} ({known:#x})"
    elif base.alignment_source:
        found = f"{known} ({base.alignment_source})"
    message = f"'src' root must be aligned to {wanted} bytes{why}, got {found} [F9]"
    remedy = (
        f"align the buffer to {wanted} bytes; where it is known to be, say so by "
        f"alignment({wanted}) on its tcgen05.view"
    )
    yield Violation("F9", "src", message, remedy, known, wanted)


def assumed_alignment(source: Source, descriptor: SmemDescriptor) -> Iterator[Assumption]:
    """What `check_alignment` took for granted."""
    base = source.base
    wanted = source.period(descriptor.swizzle)
    if base.address is not None or (base.alignment is not None and not base.alignment_stated):
        return
    value = base.alignment or wanted
    why = f", as alignment({value}) says" if base.alignment_stated else ""
    text = f"'src' root is aligned to {value} bytes{why} [F9]"
    yield Assumption("F9", "alignment", "src", value, text)


def check_origins(source: Source) -> Iterator[Violation]:
    """F9: a descriptor holds its start in units of 16 bytes."""
    unit = DESCRIPTOR_UNIT
    factor = source.base.offset_factor
    if factor % unit:
        message = (
            f"'src' root must be moved by a multiple of {unit} bytes, got a number that "
            f"is only known to be a multiple of {factor} [F9]"
        )
        remedy = f"compute it as a multiple of {unit} bytes"
        yield Violation("F9", "src", message, remedy, factor, unit)
    choice = (0,) * len(source.digits)
    wrong = np.flatnonzero((source.start % unit + source.repeats) % unit)
    repeat = int(wrong[0]) if wrong.size else 0
    if not wrong.size:
        indices = tuple(digit for digit in source.digits if digit.dim is not None)
        moved = first_unaligned(indices, unit)
        if moved is None:
            return
        choice = (0,) * (len(source.digits) - len(moved)) + moved
    found = source.start + int(source.repeats[repeat]) + distance(source.digits, choice)
    place = source.place(choice, repeat)
    origin = of_place("origin", place)
    message = f"'src' {origin} must be a multiple of {unit} bytes, got {found} [F9]"
    remedy = f"the descriptor holds it in units of {unit} bytes; move the tile, or pad what repeats"
    yield Violation("F9", "src", message, remedy, found, unit, place)
