"""The integer that a value always has, where that can be read off the IR."""

from __future__ import annotations

from collections.abc import Callable

from mlir import ir

_CASTS = (
    "arith.index_cast",
    "arith.index_castui",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "llvm.inttoptr",
    "llvm.ptrtoint",
    "llvm.sext",
    "llvm.zext",
    "llvm.trunc",
)
_BINARY: dict[str, Callable[[int, int], int]] = {
    "arith.addi": int.__add__,
    "arith.subi": int.__sub__,
    "arith.muli": int.__mul__,
    "arith.ori": int.__or__,
    "llvm.add": int.__add__,
    "llvm.sub": int.__sub__,
    "llvm.mul": int.__mul__,
    "llvm.or": int.__or__,
}
_LITERALS = ("arith.constant", "llvm.mlir.constant", "index.constant")


def constant_value(value: ir.Value) -> int | None:
    """The constant that ``value`` folds to, or None: 12 for ``addi(constant 8, constant 4)``."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    name = owner.name
    if name in _LITERALS:
        attribute = owner.attributes["value"]
        return ir.IntegerAttr(attribute).value if isinstance(attribute, ir.IntegerAttr) else None
    if name == "llvm.mlir.zero":
        return 0
    if name in _CASTS:
        return constant_value(owner.operands[0])
    if name in _BINARY:
        operands = [constant_value(operand) for operand in owner.operands]
        if operands[0] is not None and operands[1] is not None:
            return _BINARY[name](operands[0], operands[1])
    return None
