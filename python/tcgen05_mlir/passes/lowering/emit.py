"""Small integer operations on MLIR values, with constants folded before they become operations."""

from __future__ import annotations

from mlir import ir
from mlir.dialects import arith, llvm


def integer(width: int) -> ir.Type:
    """The signless integer type of ``width`` bits."""
    return ir.IntegerType.get_signless(width)


def constant(kind: ir.Type, value: int) -> ir.Value:
    """``value`` as a constant of an integer type, in two's complement of its width."""
    width = 64 if isinstance(kind, ir.IndexType) else ir.IntegerType(kind).width
    half = 1 << (width - 1)
    signed = (value + half) % (2 * half) - half
    return arith.constant(kind, ir.IntegerAttr.get(kind, signed))


def add(value: ir.Value, addend: ir.Value | int) -> ir.Value:
    """``value + addend``; nothing for a constant zero."""
    if isinstance(addend, int):
        if addend == 0:
            return value
        addend = constant(value.type, addend)
    return arith.addi(value, addend)


def scale(value: ir.Value, factor: ir.Value | int) -> ir.Value:
    """``value * factor``; nothing for a constant one."""
    if isinstance(factor, int):
        if factor == 1:
            return value
        factor = constant(value.type, factor)
    return arith.muli(value, factor)


def cast(value: ir.Value, kind: ir.Type) -> ir.Value:
    """``value``, of type index, as an integer of type ``kind``."""
    return value if value.type == kind else arith.index_cast(kind, value)


def register(value: int) -> ir.Value:
    """An i32 constant that reaches PTX in a register.

    ptxas 13.0.88 crashes on a literal tensor-memory address such as ``[0]``.
    """
    i32 = integer(32)
    return llvm.inline_asm(i32, [], f"mov.b32 $0, {value};", "=r", asm_dialect=0)
