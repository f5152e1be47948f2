"""Vectors, structs, arrays, and operations that only pass values on."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
from mlir import ir

from tcgen05_mlir.simulator.lanes import floats, integers, shapes
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import Float, Vector

RENAMES = (
    *("llvm.extractelement", "llvm.extractvalue", "llvm.insertvalue", "llvm.bitcast"),
    *("llvm.freeze", "llvm.intr.ssa.copy", "llvm.intr.expect"),
)
"""Operations that pass on registers without looking at them."""


@rule("llvm.freeze", "llvm.intr.ssa.copy", "llvm.intr.expect", "llvm.intr.launder.invariant.group")
@rule("llvm.intr.strip.invariant.group")
def same(e: Emitter) -> None:
    e.result(e.name(e.op.operands[0]))


@rule("llvm.intr.lifetime.start", "llvm.intr.lifetime.end")
@rule("llvm.intr.experimental.noalias.scope.decl", "llvm.intr.prefetch", "llvm.intr.var.annotation")
@rule("llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label")
@rule("llvm.intr.invariant.end", "llvm.intr.stackrestore")
def nothing(e: Emitter) -> None:
    """Without effect on values."""


@rule("llvm.select")
def select(e: Emitter) -> None:
    e.result(f"{e.function(shapes.select)}({', '.join(e.operands())})")


@rule("llvm.extractvalue")
def extract_value(e: Emitter) -> None:
    e.result(e.name(e.op.operands[0]) + "".join(f"[{place}]" for place in _position(e)))


@rule("llvm.insertvalue")
def insert_value(e: Emitter) -> None:
    container, value = (e.name(operand) for operand in e.op.operands)
    position = tuple(_position(e))
    e.result(f"{e.function(shapes.replace)}({container}, {position}, {value})")


def _position(e: Emitter) -> list[int]:
    return list(ir.DenseI64ArrayAttr(e.op.attributes["position"]))


@rule("llvm.extractelement")
def extract_element(e: Emitter) -> None:
    vector, index = e.op.operands
    type_, place = e.type(vector), constant_index(index)
    assert isinstance(type_, Vector)
    if place is None:
        e.result(f"{e.function(shapes.extract_element)}({e.use(vector)}, {e.use(index)})")
    elif place < type_.count:
        e.result(f"{e.name(vector)}[{place}]")
    else:
        e.result(e.number(e.result_type, 0))


def constant_index(value: ir.Value) -> int | None:
    """The value of an integer constant; None for anything else."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "llvm.mlir.constant":
        return None
    attribute = owner.attributes["value"]
    return ir.IntegerAttr(attribute).value if isinstance(attribute, ir.IntegerAttr) else None


@rule("llvm.insertelement")
def insert_element(e: Emitter) -> None:
    e.result(f"{e.function(shapes.insert_element)}({', '.join(e.operands())})")


@rule("llvm.shufflevector")
def shuffle(e: Emitter) -> None:
    places = tuple(ir.DenseI32ArrayAttr(e.op.attributes["mask"]))
    a, b = e.operands()
    e.result(f"{e.function(shapes.shuffle)}({a}, {b}, {places})")


_INTEGER_REDUCTIONS: dict[str, Callable[..., Lanes]] = {
    "add": np.add,
    "mul": np.multiply,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "umin": np.minimum,
    "umax": np.maximum,
    "smin": integers.smin,
    "smax": integers.smax,
    "fmin": floats.minimum_number,
    "fmax": floats.maximum_number,
    "fminimum": floats.minimum_or_nan,
    "fmaximum": floats.maximum_or_nan,
}
_REDUCE = "llvm.intr.vector.reduce."


@rule(*(_REDUCE + name for name in _INTEGER_REDUCTIONS))
def reduction(e: Emitter) -> None:
    element = e.element(e.op.operands[0])
    if element == Float("bf16") or not getattr(element, "natural", True):
        raise e.refuse(f"on {e.op.operands[0].type} is not simulated")
    function = _INTEGER_REDUCTIONS[e.op.name.removeprefix(_REDUCE)]
    e.function(reduce)
    e.result(f"reduce({e.function(function)}, {e.operand(0)})")


@rule(_REDUCE + "fadd", _REDUCE + "fmul")
def ordered_reduction(e: Emitter) -> None:
    """From the start value, element by element; NVPTX's order with `reassoc` is not fixed."""
    if e.element(e.op.operands[0]) == Float("bf16"):
        raise e.refuse("on bf16 is not simulated")
    e.function(reduce)
    function = np.add if e.op.name.endswith("fadd") else np.multiply
    start, vector = e.operands()
    e.result(f"reduce({e.function(function)}, {vector}, {start})")


@rule("llvm.intr.is.constant")
def is_constant(e: Emitter) -> None:
    e.result(e.constant(np.bool_(False)))


@rule("llvm.intr.stacksave")
def stack_save(e: Emitter) -> None:
    e.result(e.number(e.result_type, 0))
