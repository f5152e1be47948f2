"""Floating-point operations of the llvm dialect."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tcgen05_mlir.model.bfloat import to_bf16
from tcgen05_mlir.simulator.lanes import floats
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import Float

_FLOAT_PREDICATES = (
    *("_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "_true"),
)
_ORDERED = {
    "oeq": "{a} == {b}",
    "ogt": "{a} > {b}",
    "oge": "{a} >= {b}",
    "olt": "{a} < {b}",
    "ole": "{a} <= {b}",
    "one": "({a} < {b}) | ({a} > {b})",
    "ord": "({a} == {a}) & ({b} == {b})",
    "_false": "({a} != {a}) & ({a} == {a})",
}
_OPPOSITE = {
    "une": "oeq",
    "ule": "ogt",
    "ult": "oge",
    "uge": "olt",
    "ugt": "ole",
    "ueq": "one",
    "uno": "ord",
    "_true": "_false",
}


def is_bf16(e: Emitter, index: int = 0) -> bool:
    return e.element(e.op.operands[index]) == Float("bf16")


def as_number(e: Emitter, index: int) -> str:
    """A float operand in a type that numpy computes with."""
    code = e.operand(index)
    return f"{e.function(floats.from_bf16)}({code})" if is_bf16(e, index) else code


@rule("llvm.fcmp")
def compare_floats(e: Emitter) -> None:
    predicate = _FLOAT_PREDICATES[e.integer("predicate")]
    a, b = (as_number(e, index) for index in (0, 1))
    if predicate in _ORDERED:
        e.result(_ORDERED[predicate].format(a=a, b=b))
    else:
        e.result(f"~({_ORDERED[_OPPOSITE[predicate]].format(a=a, b=b)})")


_FLOAT_OPERATORS = {"llvm.fadd": "+", "llvm.fsub": "-", "llvm.fmul": "*", "llvm.fdiv": "/"}


@rule(*_FLOAT_OPERATORS)
def float_operator(e: Emitter) -> None:
    expression = f"{as_number(e, 0)} {_FLOAT_OPERATORS[e.op.name]} {as_number(e, 1)}"
    _float_result(e, expression)


def _float_result(e: Emitter, expression: str) -> None:
    if is_bf16(e):
        expression = f"{e.function(to_bf16)}({expression})"
    e.result(expression)


@rule("llvm.fneg")
def negate(e: Emitter) -> None:
    code = e.operand(0)
    e.result(f"{e.function(floats.negate_bf16)}({code})" if is_bf16(e) else f"-{code}")


_FLOAT_FUNCTIONS: dict[str, Callable[..., Lanes]] = {
    "llvm.frem": np.fmod,
    "llvm.intr.fabs": np.abs,
    "llvm.intr.sqrt": np.sqrt,
    "llvm.intr.floor": np.floor,
    "llvm.intr.ceil": np.ceil,
    "llvm.intr.trunc": np.trunc,
    "llvm.intr.rint": np.rint,
    "llvm.intr.nearbyint": np.rint,
    "llvm.intr.roundeven": np.rint,
    "llvm.intr.round": floats.round_away,
    "llvm.intr.minnum": floats.minimum_number,
    "llvm.intr.maxnum": floats.maximum_number,
    "llvm.intr.minimum": floats.minimum_or_nan,
    "llvm.intr.maximum": floats.maximum_or_nan,
    "llvm.intr.copysign": np.copysign,
    "llvm.intr.exp": np.exp,
    "llvm.intr.exp2": np.exp2,
    "llvm.intr.log": np.log,
    "llvm.intr.log2": np.log2,
    "llvm.intr.log10": np.log10,
    "llvm.intr.sin": np.sin,
    "llvm.intr.cos": np.cos,
    "llvm.intr.tan": np.tan,
    "llvm.intr.tanh": np.tanh,
    "llvm.intr.sinh": np.sinh,
    "llvm.intr.cosh": np.cosh,
    "llvm.intr.pow": np.power,
}
"""Functions that LLVM rounds as numpy does, then those that it leaves to a library's accuracy."""


@rule(*_FLOAT_FUNCTIONS)
def float_function(e: Emitter) -> None:
    operands = (as_number(e, index) for index in range(len(e.op.operands)))
    _float_result(e, f"{e.function(_FLOAT_FUNCTIONS[e.op.name])}({', '.join(operands)})")


@rule("llvm.intr.fma", "llvm.intr.fmuladd")
def multiply_add(e: Emitter) -> None:
    """fmuladd too is fused, as NVPTX does it."""
    function = floats.fma_bf16 if is_bf16(e) else floats.fma
    e.result(f"{e.function(function)}({', '.join(e.operands())})")


@rule("llvm.intr.is.fpclass")
def float_class(e: Emitter) -> None:
    call = f"{e.function(floats.is_class)}({as_number(e, 0)}, {e.integer('bit')})"
    e.result(call)
