"""TMEM addresses as sums: integers that hold a lane and a column."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import TmemLayoutAttr
from tcgen05_mlir.model import COL, LANE
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.sums import Sum, opaque

_ADDRESS = "tcgen05.address"

_START_BITS = 0x1E0
"""Of an allocation's address: lane 0, a multiple of 32 columns below 512."""


class TensorAddresses(Integers):
    """Integers where a value that nothing is known of counts as an allocation's start.

    So ``%base | 4`` is ``%base + 4``: the same that rules F4 to F6 take for granted.
    """

    def bits(self, found: Sum) -> int:
        """The parts' bits together, where they have none in common."""
        parts = [found.constant]
        for term, coefficient in found.terms.items():
            opaque_word = coefficient == 1 and isinstance(term, ir.Value)
            parts.append(_START_BITS if opaque_word else Sum(0, {term: coefficient}).bits)
        mask = 0
        for part in parts:
            if mask & part:
                return found.bits
            mask |= part
        return mask

    def operands(self, owner: ir.Operation) -> Sequence[ir.Value]:
        """Those of an element's address: the view's address, then the indices."""
        if owner.name == _ADDRESS:
            view, *indices = owner.operands
            view_op = definition(view)
            if view_op is not None and view_op.name == "tcgen05.view":
                return [view_op.operands[0], *indices]
            return ()
        return super().operands(owner)

    def result(self, owner: ir.Operation, operands: Sequence[Sum]) -> Sum:
        """The element's address, from its view's."""
        if owner.name != _ADDRESS:
            return super().result(owner, operands)
        base, *indices = operands
        layout = TmemLayoutAttr(ir.MemRefType(owner.operands[0].type).layout).layout
        known = [_inside(*pair) for pair in zip(indices, layout.shape, strict=False)]
        lane, column = layout.origin([index or 0 for index in known])
        total = base + Sum((lane << TMEM_LANE_SHIFT) + column)
        for number, index in enumerate(known):
            if index is None:
                total += _moved(owner, number, leaves(layout.strides[number]))
        return total


def _inside(index: Sum, extent: int) -> int | None:
    """A constant index that there is."""
    return index.known if index.known is not None and 0 <= index.known < extent else None


def _moved(op: ir.Operation, number: int, strides: Sequence) -> Sum:
    """What an unknown index adds: multiples of its strides along each axis."""
    lanes = gcd(*(stride.along(LANE) for stride in strides)) << TMEM_LANE_SHIFT
    columns = gcd(*(stride.along(COL) for stride in strides))
    return opaque((op, number, LANE), lanes) + opaque((op, number, COL), columns)
