"""Bytes that LLVM types and getelementptr stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mlir import ir

from tcgen05_mlir.passes.facts.sums import Sum, opaque

_DYNAMIC = -(1 << 31)
"""What `rawConstantIndices` holds where an index is an operand."""

_ARRAY = re.compile(r"!llvm\.array<(\d+) x (.*)>")
_NUMBER = re.compile(r"[if](\d+)|bf(16)")


def type_bytes(kind: ir.Type | str) -> int | None:
    """The size of an integer, a float or an array of them; None for any other type.

    ``type_bytes("!llvm.array<32 x i32>")`` is 128.
    """
    text = str(kind)
    array = _ARRAY.fullmatch(text)
    if array:
        inner = type_bytes(array[2])
        return None if inner is None else int(array[1]) * inner
    number = _NUMBER.fullmatch(text)
    if number is None:
        return None
    bits = int(number[1] or number[2])
    return bits // 8 if bits in (8, 16, 32, 64) else None


def gep_sum(op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """Base plus bytes: what a `llvm.getelementptr` makes of the sums of its operands."""
    total, *dynamic = operands
    rest = iter(dynamic)
    kind = str(ir.TypeAttr(op.attributes["elem_type"]).value)
    for level, constant in enumerate(ir.DenseI32ArrayAttr(op.attributes["rawConstantIndices"])):
        if level > 0:
            array = _ARRAY.fullmatch(kind)
            if array is None:
                return total + opaque(op.result)
            kind = array[2]
        size = type_bytes(kind)
        if size is None:
            return total + opaque(op.result)
        index = next(rest) if constant == _DYNAMIC else Sum(constant)
        total += index.scaled(size)
    return total
