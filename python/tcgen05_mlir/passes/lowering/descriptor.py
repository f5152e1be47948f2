"""The descriptors of a copy's instructions, from one shared address."""

from __future__ import annotations

import functools
from collections.abc import Callable

from mlir import ir
from mlir.dialects import arith

from tcgen05_mlir.model.footprint import CopyPlan
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, SMEM_ADDRESS_LIMIT
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.shared import SharedPlace

Describe = Callable[[int], ir.Value]
"""From a step's distance to the first, in bytes, to its descriptor, an i64."""

_SHIFT = DESCRIPTOR_UNIT.bit_length() - 1
_START_MASK = SMEM_ADDRESS_LIMIT // DESCRIPTOR_UNIT - 1  # bits 0-13
_WORD_BITS = 32
_LOW_WORD = (1 << _WORD_BITS) - 1


def describer(place: SharedPlace, plan: CopyPlan, descriptor_add: str, bounded: bool) -> Describe:
    """Emit what all steps of a plan share.

    ``bounded``: every start is known to lie in shared memory. ``add64`` adds a step's distance to
    all 64 bits. ``split`` adds it to the low word, which holds the start address, and puts the
    constant high word on top: no 64-bit carry is computed.
    """
    address, known = place.emit_base(plan.steps[0].start_offset)
    fixed = plan.descriptor.encode()  # all but the start address
    units = arith.shrui(address, emit.constant(address.type, _SHIFT))
    if descriptor_add == "add64":
        return _starts(units, known, fixed, bounded)
    low = arith.trunci(emit.integer(_WORD_BITS), units)
    words = _starts(low, known, fixed & _LOW_WORD, bounded)
    return lambda distance: emit.pack(words(distance), fixed >> _WORD_BITS)


def _starts(units: ir.Value, known: int, fixed: int, bounded: bool) -> Describe:
    """A repeat's start in bits 0-13 of ``fixed``; every distance is whole units [F9].

    Where the starts are bounded, what they share is masked once; elsewhere each is masked by
    itself, so that no carry leaves bit 13.
    """
    if not bounded:
        return lambda distance: _insert(emit.add(units, (known + distance) >> _SHIFT), fixed)
    first = _insert(units, fixed)
    # Else LLVM joins the two constants, and ptxas adds with a carry into the high word.
    base = functools.cache(lambda: emit.register(first))

    def start(distance: int) -> ir.Value:
        moved = (known + distance) >> _SHIFT
        return emit.add(base(), moved) if moved else first

    return start


def _insert(units: ir.Value, fixed: int) -> ir.Value:
    start = arith.andi(units, emit.constant(units.type, _START_MASK))
    return arith.ori(start, emit.constant(units.type, fixed))
