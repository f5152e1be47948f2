"""The integer that a constant operation holds."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.facts.definitions import definition

_LITERALS = ("arith.constant", "llvm.mlir.constant", "index.constant")


def constant_value(value: ir.Value) -> int | None:
    """12 for the result of ``arith.constant 12 : index``, 1 for that of ``arith.constant true``.

    None for everything else: what a value folds to is for canonicalize and for LLVM to find out.
    """
    owner = definition(value)
    if owner is None or owner.name not in _LITERALS:
        return None
    attribute = owner.attributes["value"]
    if isinstance(attribute, (ir.BoolAttr, ir.IntegerAttr)):
        return int(attribute.value)
    return None
