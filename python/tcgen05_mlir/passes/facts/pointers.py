"""Bytes that LLVM types and getelementptr stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mlir import ir

from tcgen05_mlir.passes.facts.sums import Sum, opaque

_DYNAMIC = -(1 << 31)
"""What `rawConstantIndices` holds where an index is an operand."""

_ARRAY = re.compile(r"(?:!llvm\.)?array<(\d+) x (.*)>")
_VECTOR = re.compile(r"vector<(\d+)x([^x]*)>")
_STRUCT = re.compile(r'(?:!llvm\.)?struct<(?:"[^"]*", )?(packed )?\((.*)\)>')
_INTEGER = re.compile(r"i(\d+)")
_FLOATS = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}

_LARGEST_INTEGER_ALIGNMENT = 16


def type_bytes(kind: ir.Type | str) -> int | None:
    """The distance of two neighbours of a type; None for one whose layout is not known here.

    Integers, floats, vectors, arrays and structures, as LLVM lays them out for NVPTX:
    ``type_bytes("!llvm.struct<(i8, array<2 x i32>)>")`` is 12.
    """
    found = _layout(str(kind))
    return None if found is None else found[0]


def _layout(text: str) -> tuple[int, int] | None:
    """Size and alignment in bytes."""
    if text in _FLOATS:
        return _FLOATS[text], _FLOATS[text]
    if number := _INTEGER.fullmatch(text):
        size = _power(-(-int(number[1]) // 8))
        align = min(size, _LARGEST_INTEGER_ALIGNMENT)
        return _up(-(-int(number[1]) // 8), align), align
    if vector := _VECTOR.fullmatch(text):
        inner = type_bytes(vector[2])
        whole = None if inner is None else _power(int(vector[1]) * inner)
        return None if whole is None else (whole, whole)
    if array := _ARRAY.fullmatch(text):
        part = _layout(array[2])
        return None if part is None else (int(array[1]) * part[0], part[1])
    return _structure(text)


def _structure(text: str) -> tuple[int, int] | None:
    places = _fields(text)
    return None if places is None else (places[-1][1], places[-1][2])


def _fields(text: str) -> list[tuple[str, int, int]] | None:
    """Type and offset of each field, and the end with the structure's alignment."""
    struct = _STRUCT.fullmatch(text)
    if struct is None:
        return None
    found: list[tuple[str, int, int]] = []
    end, most = 0, 1
    for kind in _split(struct[2]):
        part = _layout(kind)
        if part is None:
            return None
        align = 1 if struct[1] else part[1]
        end, most = _up(end, align), max(most, align)
        found.append((kind, end, align))
        end += part[0]
    return [*found, ("", _up(end, most), most)]


def _split(text: str) -> list[str]:
    """At the commas outside of all brackets."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<(") - (char in ">)")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _power(size: int) -> int:
    return 1 << max(size - 1, 0).bit_length()


def _up(size: int, align: int) -> int:
    return -(-size // align) * align


def gep_sum(op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """Base plus bytes: what a `llvm.getelementptr` makes of the sums of its operands."""
    total, *dynamic = operands
    rest = iter(dynamic)
    kind = str(ir.TypeAttr(op.attributes["elem_type"]).value)
    for level, constant in enumerate(ir.DenseI32ArrayAttr(op.attributes["rawConstantIndices"])):
        if level > 0:
            fields = _fields(kind)
            if fields is not None and 0 <= constant < len(fields) - 1:
                kind, offset, _ = fields[constant]
                total += Sum(offset)
                continue
            array = _ARRAY.fullmatch(kind) or _VECTOR.fullmatch(kind)
            if array is None:
                return total + opaque(op.result)
            kind = array[2]
        size = type_bytes(kind)
        if size is None:
            return total + opaque(op.result)
        index = next(rest) if constant == _DYNAMIC else Sum(constant)
        total += index.scaled(size)
    return total
