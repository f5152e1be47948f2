"""TMEM addresses as sums: integers that hold a lane and a column."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import gcd

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import TmemLayoutAttr
from tcgen05_mlir.model import COL, LANE
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.joins import incoming
from tcgen05_mlir.passes.facts.reach import Reach, Settling
from tcgen05_mlir.passes.facts.starts import is_start
from tcgen05_mlir.passes.facts.sums import Sum, opaque

_ADDRESS = "tcgen05.address"

_START_BITS = 0x1E0
"""Of an allocation's address: lane 0, a multiple of 32 columns below 512."""


class TensorAddresses(Integers):
    """Integers where a value that nothing computes counts as an allocation's start.

    So ``%base | 4`` is ``%base + 4``: the same that rules F4 to F6 take for granted. Values that
    are one of several are followed to what they may be, around loops as well.
    """

    def __init__(self) -> None:
        super().__init__()
        self._joins: dict[Hashable, Sequence[ir.Value] | None] = {}
        self._reaches: dict[Hashable, Reach] = {}

    def address(self, value: ir.Value) -> Sum:
        """The sum of a value, counted from what reaches the joined values in it."""
        return self._resolved(self.sum_of(value))

    def is_start(self, term: Hashable) -> bool:
        """Whether a term of `address` may be the start of an allocation."""
        if not isinstance(term, ir.Value):
            return False
        reach = self._reaches.get(term)
        return is_start(term) if reach is None else reach.start == (term,)

    def origins(self, value: ir.Value) -> Iterator[tuple[Hashable, int]]:
        """The terms that a value is made of, through joined values, and their coefficients."""
        pending, seen = [self.sum_of(value)], set[Hashable]()
        while pending:
            for term, coefficient in pending.pop().terms.items():
                parts = self._joins.get(term) if isinstance(term, ir.Value) else None
                if parts is None:
                    yield term, coefficient
                elif term not in seen:
                    seen.add(term)
                    pending += [self._known[part].scaled(coefficient) for part in parts]

    def bits(self, found: Sum) -> int:
        """The parts' bits together, where they have none in common."""
        found = self._resolved(found)
        parts = [found.constant]
        for term, coefficient in found.terms.items():
            is_base = coefficient == 1 and self.is_start(term)
            parts.append(_START_BITS if is_base else Sum(0, {term: coefficient}).bits)
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

    def _inputs(self, value: ir.Value) -> Sequence[ir.Value]:
        joined = self._joined(value)
        return super()._inputs(value) if joined is None else joined

    def _missing(self, value: ir.Value, opened: set[ir.Value]) -> list[ir.Value]:
        """A joined value is known before what it may be: itself, which that may depend on."""
        missing = super()._missing(value, opened)
        if self._joined(value) is None:
            return missing
        self._known[value] = opaque(value)
        return [part for part in missing if part not in opened]

    def _joined(self, value: ir.Value) -> Sequence[ir.Value] | None:
        if value not in self._joins:
            self._joins[value] = incoming(value)
        return self._joins[value]

    def _resolved(self, found: Sum) -> Sum:
        """The sum with each joined value replaced by what reaches it."""
        total = Sum(found.constant)
        for term, coefficient in found.terms.items():
            is_join = isinstance(term, ir.Value) and self._joined(term) is not None
            part = self._reach(term).sum(term) if is_join else opaque(term)
            total += part.scaled(coefficient)
        return total

    def _reach(self, join: Hashable) -> Reach:
        """What reaches a joined value, kept once all that it may be is known."""
        if join in self._reaches:
            return self._reaches[join]
        inputs, is_whole = self._around(join)
        found = Settling(inputs, self._reaches, _is_start).settle()
        if is_whole:
            self._reaches |= found
        return found[join]

    def _around(self, join: Hashable) -> tuple[dict[Hashable, list[Sum]], bool]:
        """The joined values behind one, what each may be, and whether all that is known yet."""
        inputs: dict[Hashable, list[Sum]] = {}
        pending, is_whole = [join], True
        while pending:
            current = pending.pop()
            if current in inputs or current in self._reaches:
                continue
            parts = self._joins.get(current)
            is_whole &= all(part in self._known for part in parts or ())
            inputs[current] = [self._known.get(part, opaque((part,))) for part in parts or ()]
            terms = [term for found in inputs[current] for term in found.terms]
            pending += [term for term in terms if self._joins.get(term) is not None]
        return inputs, is_whole


def _is_start(term: Hashable) -> bool:
    return isinstance(term, ir.Value) and is_start(term)


def _inside(index: Sum, extent: int) -> int | None:
    """A constant index that there is."""
    return index.known if index.known is not None and 0 <= index.known < extent else None


def _moved(op: ir.Operation, number: int, strides: Sequence) -> Sum:
    """What an unknown index adds: multiples of its strides along each axis."""
    lanes = gcd(*(stride.along(LANE) for stride in strides)) << TMEM_LANE_SHIFT
    columns = gcd(*(stride.along(COL) for stride in strides))
    return opaque((op, number, LANE), lanes) + opaque((op, number, COL), columns)
