"""How indices move an address: the part known now, and the operations for the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith

from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.constants import constant_value


@dataclass(frozen=True)
class Dimension:
    """One memref dimension: its sub-modes, the last the fastest, and the step of each.

    The first extent may be None: a dynamic one, on which no step depends. A step is a number of
    bytes or of TMEM address units; that of a dimension with one mode may be None: dynamic.
    """

    extents: tuple[int | None, ...]
    steps: tuple[int | None, ...]

    @property
    def is_static(self) -> bool:
        """Whether every step is a number."""
        return None not in self.steps

    def offset(self, index: int) -> int:
        """The distance of ``index`` from index 0, for a static dimension."""
        total = 0
        for extent, step in zip(self.extents[:0:-1], self.steps[:0:-1], strict=True):
            index, position = divmod(index, extent or 1)
            total += position * (step or 0)
        return total + index * (self.steps[0] or 0)

    def reach(self) -> tuple[int, int] | None:
        """The least and the greatest offset of an index in range; None where they are unknown."""
        if not self.is_static or None in self.extents:
            return None
        ends = [
            (extent - 1) * step
            for extent, step in zip(self.extents, self.steps, strict=True)
            if extent is not None and step is not None
        ]
        return sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)

    def emit_offset(self, index: ir.Value, stride: ir.Value | None) -> ir.Value:
        """`offset` of a dynamic index, of the index's type; ``stride`` where a step is dynamic."""
        total = None
        for position, step in zip(self._positions(index), self.steps, strict=True):
            factor = stride if step is None else step
            assert factor is not None
            term = emit.scale(position, factor)
            total = term if total is None else emit.add(total, term)
        assert total is not None
        return total

    def _positions(self, index: ir.Value) -> list[ir.Value]:
        """The coordinate of ``index`` in each sub-mode."""
        positions: list[ir.Value] = []
        for extent in self.extents[:0:-1]:
            size = emit.constant(index.type, extent or 1)
            positions.insert(0, arith.remui(index, size))
            index = arith.divui(index, size)
        return [index, *positions]


@dataclass(frozen=True)
class Offsets:
    """Where indices lead: a known distance, and (dimension number, index) for what is not known."""

    known: int
    unknown: tuple[tuple[int, ir.Value], ...]


def split_indices(dimensions: Sequence[Dimension], indices: Sequence[ir.Value]) -> Offsets:
    """``[%c2, %stage]`` over steps 4096 and 512 is ``Offsets(8192, ((1, %stage),))``."""
    known = 0
    unknown: list[tuple[int, ir.Value]] = []
    for number, index in enumerate(indices):
        value = constant_value(index)
        if value is None or not dimensions[number].is_static:
            unknown.append((number, index))
        else:
            known += dimensions[number].offset(value)
    return Offsets(known, tuple(unknown))


def emit_offsets(
    dimensions: Sequence[Dimension], offsets: Offsets, strides: Mapping[int, ir.Value]
) -> ir.Value | None:
    """The unknown part as a value of type index, or None.

    ``strides`` has the dynamic step of each dimension that needs one, by its number.
    """
    total = None
    for number, index in offsets.unknown:
        term = dimensions[number].emit_offset(index, strides.get(number))
        total = term if total is None else emit.add(total, term)
    return total
