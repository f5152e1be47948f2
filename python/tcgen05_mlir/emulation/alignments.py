"""Alignments that the kernel assumes of its buffers, as llvm.intr.assume: made checks (F9)."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.lowering.constants import constant_value
from tcgen05_mlir.passes.texts import string_text

from .code import Code
from .library import Library, call
from .report import check
from .values import Value, integer_type

_ASSUME = "llvm.intr.assume"
_TAG = "align"
_WANTED = f"operand bundle '{_TAG}' must have a pointer and an integer to be emulated"


def assumed_alignments(op: ir.Operation) -> list[tuple[ir.Value, ir.Value]]:
    """Pointer and alignment of each operand bundle "align" of an llvm.intr.assume."""
    return [values for tag, values in _bundles(op) if tag == _TAG and len(values) == 2]  # type: ignore[misc]


def misstated(op: ir.Operation) -> list[Diagnostic]:
    """E1 for each alignment of `op` whose pointer is none, or that is no integer."""
    return [
        op_error(op, f"{_WANTED}, got {pointer.type}, {size.type} [E1]")
        for pointer, size in assumed_alignments(op)
        if not (str(pointer.type).startswith("!llvm.ptr") and _is_integer(size.type))
    ]


def says_nothing_else(op: ir.Operation) -> bool:
    """The assumption is of alignments alone."""
    return constant_value(op.operands[0]) in (1, -1) and all(
        tag == _TAG and len(values) == 2 for tag, values in _bundles(op)
    )


def write_check(
    library: Library, code: Code, site: Value, pointer: ir.Value, size: ir.Value
) -> None:
    """The call that checks one alignment, in front of what relies on it."""
    arguments = [integer_type(64), integer_type(64), integer_type(32)]
    function = library.function("check_alignment", arguments, None, _write, "no_inline")
    operands = [Value(code, pointer).address(), Value(code, size).to(64), site]
    call(code, function, operands, None)


def _write(code: Code) -> None:
    address, alignment, site = code.arguments
    aligned = (address & (alignment - 1)).equals(0)
    halves = (address.to(32), (address >> 32).to(32))
    check(code, aligned, "alignment", site, *halves, alignment.to(32))
    code.give()


def _is_integer(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.is_signless


def _bundles(op: ir.Operation) -> Iterator[tuple[str, list[ir.Value]]]:
    if op.name != _ASSUME or "op_bundle_tags" not in op.attributes:
        return
    at = 1
    tags = ir.ArrayAttr(op.attributes["op_bundle_tags"])
    sizes = ir.DenseI32ArrayAttr(op.attributes["op_bundle_sizes"])
    for tag, size in zip(tags, sizes, strict=True):
        yield string_text(tag), list(op.operands)[at : at + size]
        at += size
