"""Conversions of the llvm dialect: between integers, floats, pointers, and of bits alone."""

from __future__ import annotations

from tcgen05_mlir.model.bfloat import to_bf16
from tcgen05_mlir.simulator.lanes import floats, integers, shapes
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.float_rules import as_number
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import Float, Int, Pointer, Vector
from tcgen05_mlir.simulator.translate.widths import cut, widened


@rule("llvm.zext")
def zero_extend(e: Emitter) -> None:
    e.result(f"{e.operand(0)}.astype({e.dtype(e.element(e.op.results[0]))})")


@rule("llvm.sext")
def sign_extend(e: Emitter) -> None:
    source, to = e.element(e.op.operands[0]), e.element(e.op.results[0])
    assert isinstance(source, Int)
    assert isinstance(to, Int)
    extend = e.function(integers.sign_extend)
    e.result(cut(e, f"{extend}({e.operand(0)}, {source.width}, {e.dtype(to)})", to))


@rule("llvm.trunc")
def truncate(e: Emitter) -> None:
    source, to = e.element(e.op.operands[0]), e.element(e.op.results[0])
    if to == Int(1):
        e.result(f"{e.operand(0)} & {e.number(source, 1)} != 0")
    else:
        e.result(cut(e, f"{e.operand(0)}.astype({e.dtype(to)})", to))


@rule("llvm.ptrtoint", "llvm.inttoptr", "llvm.intr.ptrmask")
def pointer_integer(e: Emitter) -> None:
    to = e.element(e.op.results[0])
    if e.op.name == "llvm.intr.ptrmask":
        a, b = e.operands()
        e.result(f"{a} & {b}.astype({e.dtype(to)})")
    elif to == Int(1):
        e.result(f"{e.operand(0)} & {e.number(Pointer(0), 1)} != 0")
    else:
        e.result(cut(e, f"{e.operand(0)}.astype({e.dtype(to)})", to))


@rule("llvm.fpext", "llvm.fptrunc")
def change_precision(e: Emitter) -> None:
    to, code = e.element(e.op.results[0]), as_number(e, 0)
    if to == Float("bf16"):
        e.result(f"{e.function(to_bf16)}({code})")
    else:
        e.result(f"{code}.astype({e.dtype(to)})")


@rule("llvm.fptosi", "llvm.fptoui")
def float_to_integer(e: Emitter) -> None:
    to = e.element(e.op.results[0])
    assert isinstance(to, Int)
    is_signed = e.op.name == "llvm.fptosi"
    call = f"{e.function(floats.to_integer)}({as_number(e, 0)}, {is_signed}, {to.width})"
    e.result(f"{call}.astype({e.dtype(to)})")


@rule("llvm.sitofp", "llvm.uitofp")
def integer_to_float(e: Emitter) -> None:
    source, to = e.element(e.op.operands[0]), e.element(e.op.results[0])
    code = e.operand(0)
    if e.op.name == "llvm.sitofp":
        code = f"{e.function(integers.signed)}({widened(e, code, source)})"
    if to == Float("bf16"):
        e.result(f"{e.function(to_bf16)}({code}.astype({e.dtype(Float('f64'))}))")
    else:
        e.result(f"{code}.astype({e.dtype(to)})")


@rule("llvm.bitcast")
def bitcast(e: Emitter) -> None:
    source, to = e.type(e.op.operands[0]), e.result_type
    code = e.name(e.op.operands[0])
    same = isinstance(source, Vector) == isinstance(to, Vector)
    if same and e.element(e.op.operands[0]).size == e.element(e.op.results[0]).size:
        e.result(f"{code}.view({e.dtype(e.element(e.op.results[0]))})")
    else:
        count = to.count if isinstance(to, Vector) else 0
        dtype = e.dtype(e.element(e.op.results[0]))
        e.result(f"{e.function(shapes.bitcast)}({e.operand(0)}, {dtype}, {count})")
