"""What an affine expression makes of sums."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import gcd

from mlir import ir

from tcgen05_mlir.passes.facts.sums import Sum, opaque, product


def expression_sum(
    expression: ir.AffineExpr, term: Hashable, operands: Sequence[Sum], dimensions: int
) -> Sum:
    """The sum of an expression over ``operands``: so many dimensions, then its symbols.

    ``d0 * 512 + s0`` of ``%i`` and 64 is ``Sum(64, {%i: 512})``. ``term`` names what is unknown.
    """
    if isinstance(expression, ir.AffineConstantExpr):
        return Sum(expression.value)
    if isinstance(expression, ir.AffineDimExpr):
        return operands[expression.position]
    if isinstance(expression, ir.AffineSymbolExpr):
        return operands[dimensions + expression.position]
    binary = ir.AffineBinaryExpr(expression)
    part = (term, str(expression))
    one, other = (
        expression_sum(side, part, operands, dimensions) for side in (binary.lhs, binary.rhs)
    )
    if isinstance(expression, ir.AffineAddExpr):
        return one + other
    if isinstance(expression, ir.AffineMulExpr):
        return product(part, one, other)
    return _quotient(expression, part, one, other.known)


def _quotient(expression: ir.AffineExpr, term: Hashable, value: Sum, divisor: int | None) -> Sum:
    """Remainders, and divisions that leave nothing over."""
    if not divisor or divisor < 0:
        return opaque(term)
    if isinstance(expression, ir.AffineModExpr):
        if value.known is not None:
            return Sum(value.known % divisor)
        return opaque(term, gcd(value.factor, divisor), value.constant)
    if value.unit % divisor == 0:
        return opaque(term, value.factor // divisor, value.constant // divisor)
    return opaque(term)
