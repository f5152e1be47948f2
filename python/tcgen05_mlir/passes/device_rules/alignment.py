"""Rule T6: alignments are powers of two that PTX and LLVM take."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error

MAX_BYTES = 131072
"""The largest alignment of a view too (V3)."""

_ARGUMENTS = ("arg_attrs", "res_attrs", "workgroup_attrib_attrs", "private_attrib_attrs")
_REMEDY = "leave it out where the type's own alignment will do"


def misaligned(op: ir.Operation) -> Iterator[Diagnostic]:
    """The errors for the alignments of an operation and of a function's arguments."""
    for name, value in _alignments(op):
        if not (1 <= value <= MAX_BYTES and value & (value - 1) == 0):
            message = f"'{name}' must be a power of two in 1..{MAX_BYTES} bytes, got {value} [T6]"
            yield op_error(op, message, _REMEDY)


def _alignments(op: ir.Operation) -> Iterator[tuple[str, int]]:
    if "alignment" in op.attributes:
        yield from _integer("alignment", op.attributes["alignment"])
    for name in _ARGUMENTS:
        if name in op.attributes:
            for attributes in ir.ArrayAttr(op.attributes[name]):
                for named in ir.DictAttr(attributes):
                    if named.name == "llvm.align":
                        yield from _integer("llvm.align", named.attr)


def _integer(name: str, attribute: ir.Attribute) -> Iterator[tuple[str, int]]:
    if isinstance(attribute, ir.IntegerAttr):
        yield name, attribute.value
