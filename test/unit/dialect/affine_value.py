"""An affine expression evaluated on numbers: what MLIR's map says, read node by node."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

_BINARY = (
    (ir.AffineAddExpr, lambda a, b: a + b),
    (ir.AffineMulExpr, lambda a, b: a * b),
    (ir.AffineModExpr, lambda a, b: a % b),
    (ir.AffineFloorDivExpr, lambda a, b: a // b),
)


def evaluate(expression: ir.AffineExpr, index: Sequence[int]) -> int:
    """The value at `index`; Python's integers do not overflow."""
    if isinstance(expression, ir.AffineConstantExpr):
        return expression.value
    if isinstance(expression, ir.AffineDimExpr):
        return index[expression.position]
    for kind, combine in _BINARY:
        if isinstance(expression, kind):
            return combine(evaluate(expression.lhs, index), evaluate(expression.rhs, index))
    raise AssertionError(f"no such expression in a layout: {expression}")


def value(memref: ir.MemRefType, index: Sequence[int]) -> int:
    """Where `memref`'s layout puts the element at `index`."""
    affine_map = memref.affine_map
    assert (affine_map.n_dims, affine_map.n_symbols) == (memref.rank, 0)
    (expression,) = affine_map.results
    return evaluate(expression, index)
