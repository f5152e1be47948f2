"""How far apart the elements of a memref lie once LLVM has laid them out."""

from __future__ import annotations

import math

from mlir import ir

_LARGEST_ALIGNMENT = 16
"""Bytes: that of i128, the largest for an integer in NVPTX's data layout."""


def element_bytes(kind: ir.Type) -> int | None:
    """Bytes from an element to the next: 1 for i4, 4 for i24 and f32, 16 for vector<3xf32>.

    Upstream addresses elements by LLVM's allocation size, the size rounded up to the alignment.
    None for types that the data layout alone does not size.
    """
    if isinstance(kind, ir.VectorType):
        return _vector_bytes(kind)
    if isinstance(kind, ir.ComplexType):
        part = element_bytes(kind.element_type)
        return None if part is None else 2 * part
    bits = _bits(kind)
    if bits is None:
        return None
    size = math.ceil(bits / 8)
    return _round_up(size, min(_power_of_two(size), _LARGEST_ALIGNMENT))


def _vector_bytes(kind: ir.VectorType) -> int | None:
    """An array of one-dimensional vectors, whose elements are packed and aligned naturally."""
    bits = _bits(kind.element_type)
    if bits is None or kind.scalable:
        return None
    *outer, length = kind.shape or [1]
    return math.prod(outer) * _power_of_two(math.ceil(length * bits / 8))


def _bits(kind: ir.Type) -> int | None:
    if isinstance(kind, ir.IndexType):
        return 64
    return kind.width if isinstance(kind, (ir.IntegerType, ir.FloatType)) else None


def _power_of_two(size: int) -> int:
    return 1 << (size - 1).bit_length()


def _round_up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment
