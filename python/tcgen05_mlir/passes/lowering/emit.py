"""Small operations on integer values, with constants folded before they become operations."""

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


def register(value: ir.Value) -> ir.Value:
    """``value``, an i32 or i64, in a register that no optimization sees through."""
    name = f"llvm.nvvm.move.{value.type}"
    return llvm.call_intrinsic(value.type, name, [value], [], [])


def pack(low: ir.Value, high: int) -> ir.Value:
    """The i64 ``high << 32 | low`` of an i32, as two words that no optimization joins."""
    text = f"mov.b64 $0, {{$1, {high}}};"
    return llvm.inline_asm(integer(64), [low], text, "=l,r", asm_dialect=0)
