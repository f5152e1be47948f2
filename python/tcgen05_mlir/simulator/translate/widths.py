"""Integers of a width that numpy does not have: kept zero-extended in the next wider type."""

from __future__ import annotations

from tcgen05_mlir.simulator.lanes import integers
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.types import Int


def cut(e: Emitter, expression: str, type_: object) -> str:
    if isinstance(type_, Int) and not type_.natural and type_.width > 1:
        return f"({expression}) & {e.number(type_, (1 << type_.width) - 1)}"
    return expression


def widened(e: Emitter, code: str, type_: object) -> str:
    """A signed operand in a natural width."""
    if isinstance(type_, Int) and not type_.natural:
        extend, dtype = e.function(integers.sign_extend), e.dtype(Int(8 * type_.size))
        return f"{extend}({code}, {type_.width}, {dtype})"
    return code


def narrowed(e: Emitter, code: str, type_: object) -> str:
    if type_ == Int(1):
        return f"({code}) & {e.number(Int(8), 1)} != 0"
    return cut(e, code, type_)
