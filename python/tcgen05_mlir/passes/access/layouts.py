"""Where a view's layout puts words: dimensions in bytes, and the runs that it keeps together."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import SmemLayoutAttr
from tcgen05_mlir.model.limits import WORD_BYTES
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.facts.sums import Sum, low_bit, opaque
from tcgen05_mlir.passes.lowering.buffers import DYNAMIC, strides_and_offset
from tcgen05_mlir.passes.lowering.indexing import Dimension
from tcgen05_mlir.passes.lowering.layouts import smem_layout
from tcgen05_mlir.passes.lowering.source import layout_dimensions


@dataclass(frozen=True)
class AccessLayout:
    """Steps and offset in bytes from the root's address, before the swizzle; all are numbers."""

    dimensions: tuple[Dimension, ...]
    offset: int
    swizzle: int

    def distance(self, indices: list[Sum], key: ir.Operation) -> Sum:
        """What is known of the bytes from the root to the word at ``indices``.

        ``key`` names what is unknown.
        """
        total = Sum(self.offset)
        for number, (dimension, index) in enumerate(zip(self.dimensions, indices, strict=True)):
            total += _dimension_distance(dimension, index, (key, number))
        return total


def access_layout(op: ir.OpView, name: str, kind: ir.MemRefType) -> AccessLayout:
    """The layout of a view's type, be it one of ours or strided.

    Raises PassFailure for strides that are not numbers, or for none [L2].
    """
    if isinstance(kind.layout, SmemLayoutAttr):
        layout = smem_layout(kind)
        return AccessLayout(*layout_dimensions(layout), layout.swizzle)
    known = strides_and_offset(kind)
    if known is None or DYNAMIC in (*known[0], known[1]):
        message = (
            f"'{name}' must have a static layout where it is a tcgen05.view, got {kind.layout}"
        )
        raise PassFailure(
            op_error(op, f"{message} [L2]", "write the view's strides and offset as numbers")
        )
    dimensions = tuple(
        Dimension((None if extent == DYNAMIC else extent,), (WORD_BYTES * stride,))
        for extent, stride in zip(kind.shape, known[0], strict=True)
    )
    return AccessLayout(dimensions, WORD_BYTES * known[1], 0)


def run_words(dimension: Dimension) -> int | None:
    """The words that lie together from each multiple of it on; None for the whole dimension.

    4 for (2, 4) with strides of (32, 1) words, None for (2, 4) with (4, 1), 1 for stride 2.
    """
    run = 1
    for extent, step in zip(reversed(dimension.extents), reversed(dimension.steps), strict=True):
        if extent == 1:
            continue
        if step != run * WORD_BYTES:
            return run
        if extent is None:
            return None
        run *= extent
    return None


def position_in(run: int, index: Sum) -> tuple[int, int]:
    """(r, g): ``index`` modulo ``run`` is r more than a multiple of g, which divides the run."""
    granule = low_bit(gcd(index.factor, run)) if index.terms else run
    return index.constant % granule, granule


def _dimension_distance(dimension: Dimension, index: Sum, key: tuple) -> Sum:
    total = Sum()
    for level in range(len(dimension.extents) - 1, 0, -1):
        extent, step = dimension.extents[level], dimension.steps[level]
        assert extent is not None, dimension
        assert step is not None, dimension
        position, index = _divide(index, extent, (*key, level))
        total += position.scaled(step)
    assert dimension.steps[0] is not None, dimension
    return total + index.scaled(dimension.steps[0])


def _divide(index: Sum, extent: int, key: tuple) -> tuple[Sum, Sum]:
    """Remainder and quotient. What is unknown counts modulo 2^32, so only powers of two help."""
    rest, granule = position_in(extent, index)
    if index.known is not None:
        return Sum(rest), Sum(index.known // extent)
    if granule == extent:
        quotient = opaque((*key, "quotient"), index.factor // extent, index.constant // extent)
        return Sum(rest), quotient
    return opaque((*key, "rest"), granule, rest), opaque((*key, "quotient"))
