"""Integer operations of the llvm dialect."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tcgen05_mlir.simulator.lanes import integers
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import Int
from tcgen05_mlir.simulator.translate.widths import cut, narrowed, widened

_OPERATORS = {
    "llvm.add": "+",
    "llvm.sub": "-",
    "llvm.mul": "*",
    "llvm.udiv": "//",
    "llvm.urem": "%",
    "llvm.and": "&",
    "llvm.or": "|",
    "llvm.xor": "^",
    "llvm.shl": "<<",
    "llvm.lshr": ">>",
}
_OF_BITS = {"+": "^", "-": "^", "*": "&", "&": "&", "|": "|", "^": "^"}
"""What an operator does to i1."""

_SIGNED: dict[str, Callable[..., integers.Lanes]] = {
    "llvm.sdiv": integers.sdiv,
    "llvm.srem": integers.srem,
    "llvm.ashr": integers.ashr,
    "llvm.intr.smin": integers.smin,
    "llvm.intr.smax": integers.smax,
    "llvm.intr.abs": integers.sabs,
}
_UNSIGNED: dict[str, Callable[..., integers.Lanes]] = {
    "llvm.intr.umin": np.minimum,
    "llvm.intr.umax": np.maximum,
}
_NATURAL: dict[str, Callable[..., integers.Lanes]] = {
    "llvm.intr.uadd.sat": integers.uadd_sat,
    "llvm.intr.usub.sat": integers.usub_sat,
    "llvm.intr.sadd.sat": integers.sadd_sat,
    "llvm.intr.ssub.sat": integers.ssub_sat,
}
_OVERFLOW: dict[str, Callable[..., tuple]] = {
    "llvm.intr.uadd.with.overflow": integers.uadd_overflow,
    "llvm.intr.usub.with.overflow": integers.usub_overflow,
    "llvm.intr.umul.with.overflow": integers.umul_overflow,
    "llvm.intr.sadd.with.overflow": integers.sadd_overflow,
    "llvm.intr.ssub.with.overflow": integers.ssub_overflow,
    "llvm.intr.smul.with.overflow": integers.smul_overflow,
}
_COUNTS: dict[str, Callable[..., integers.Lanes]] = {
    "llvm.intr.ctpop": integers.popcount,
    "llvm.intr.ctlz": integers.leading_zeros,
    "llvm.intr.cttz": integers.trailing_zeros,
    "llvm.intr.bitreverse": integers.reverse_bits,
}
_FUNNELS: dict[str, Callable[..., integers.Lanes]] = {
    "llvm.intr.fshl": integers.funnel_left,
    "llvm.intr.fshr": integers.funnel_right,
}
_UNSIGNED_COMPARE = {"eq": "==", "ne": "!=", "ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
_SIGNED_COMPARE = {"slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_INT_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


@rule(*_OPERATORS)
def operator(e: Emitter) -> None:
    a, b = e.operands()
    _integer(e, f"{a} {{operator}} {b}".format(operator=_operator(e)), a, b)


def _operator(e: Emitter) -> str:
    sign = _OPERATORS[e.op.name]
    return _OF_BITS.get(sign, sign) if e.element(e.op.results[0]) == Int(1) else sign


def _integer(e: Emitter, expression: str, a: str, b: str) -> None:
    """Defines the result, cut to the type's width; i1 has no shifts and divisions of its own."""
    type_ = e.element(e.op.results[0])
    if type_ == Int(1) and _OPERATORS[e.op.name] not in _OF_BITS:
        sign = _OPERATORS[e.op.name]
        byte = e.dtype(Int(8))
        e.result(f"({a}.astype({byte}) {sign} {b}.astype({byte})) & {e.number(Int(8), 1)} != 0")
    else:
        e.result(cut(e, expression, type_))


@rule(*_SIGNED)
def signed(e: Emitter) -> None:
    type_ = e.element(e.op.results[0])
    operands = [widened(e, code, type_) for code in e.operands()]
    if e.op.name == "llvm.ashr" and isinstance(type_, Int) and not type_.natural:
        operands[1] = e.operand(1) + (f".astype({e.dtype(Int(8))})" if type_.width == 1 else "")
    call = f"{e.function(_SIGNED[e.op.name])}({', '.join(operands)})"
    e.result(narrowed(e, call, type_))


@rule(*_UNSIGNED)
def unsigned(e: Emitter) -> None:
    e.result(f"{e.function(_UNSIGNED[e.op.name])}({', '.join(e.operands())})")


@rule(*_NATURAL, *_OVERFLOW)
def natural(e: Emitter) -> None:
    type_ = e.element(e.op.operands[0])
    if not (isinstance(type_, Int) and type_.natural):
        raise e.refuse(f"on {e.op.operands[0].type} is not simulated: i8, i16, i32 and i64 are")
    table = {**_NATURAL, **_OVERFLOW}
    e.result(f"{e.function(table[e.op.name])}({', '.join(e.operands())})")


@rule(*_COUNTS)
def counts(e: Emitter) -> None:
    type_ = e.element(e.op.results[0])
    assert isinstance(type_, Int)
    byte = e.dtype(Int(8 * type_.size))
    call = f"{e.function(_COUNTS[e.op.name])}({e.operand(0)}.astype({byte}), {type_.width})"
    e.result(narrowed(e, call, type_))


@rule(*_FUNNELS)
def funnel(e: Emitter) -> None:
    type_ = e.element(e.op.results[0])
    assert isinstance(type_, Int)
    call = f"{e.function(_FUNNELS[e.op.name])}({', '.join(e.operands())}, {type_.width})"
    e.result(cut(e, call, type_))


@rule("llvm.intr.bswap")
def byte_swap(e: Emitter) -> None:
    e.result(f"{e.operand(0)}.byteswap()")


@rule("llvm.intr.scmp", "llvm.intr.ucmp")
def three_way(e: Emitter) -> None:
    kind = e.element(e.op.operands[0])
    signed_ = e.op.name == "llvm.intr.scmp"
    operands = [widened(e, code, kind) if signed_ else code for code in e.operands()]
    compare = integers.compare_signed if signed_ else integers.compare_unsigned
    to = e.element(e.op.results[0])
    assert isinstance(to, Int)
    extended = f"sign_extend({e.function(compare)}({', '.join(operands)}), 8, {e.dtype(to)})"
    e.function(integers.sign_extend)
    e.result(cut(e, extended, to))


@rule("llvm.icmp")
def compare_integers(e: Emitter) -> None:
    predicate = _INT_PREDICATES[e.integer("predicate")]
    a, b = e.operands()
    if predicate in _SIGNED_COMPARE:
        type_, signed_ = e.element(e.op.operands[0]), e.function(integers.signed)
        a, b = (f"{signed_}({widened(e, code, type_)})" for code in (a, b))
        e.result(f"{a} {_SIGNED_COMPARE[predicate]} {b}")
    else:
        e.result(f"{a} {_UNSIGNED_COMPARE[predicate]} {b}")
