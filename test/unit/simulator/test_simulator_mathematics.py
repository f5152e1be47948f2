"""Mathematics by way of libdevice's names, against numpy and Python's math."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tcgen05_mlir.simulator import run

X = np.linspace(-2.9, 3.1, 32)
"""No zero, no integer, no half."""
POSITIVE, UNIT, ABOVE_ONE = np.abs(X), X / 4, np.abs(X) + 1


def each(function: Callable[[float], float]) -> Callable[[Any], Any]:
    return np.vectorize(function, otypes=[np.float64])


FUNCTIONS: dict[str, tuple[np.ndarray, Callable[[Any], Any]]] = {
    "sin": (X, each(math.sin)),
    "cos": (X, each(math.cos)),
    "tan": (X, each(math.tan)),
    "sinh": (X, each(math.sinh)),
    "cosh": (X, each(math.cosh)),
    "tanh": (X, each(math.tanh)),
    "asin": (UNIT, each(math.asin)),
    "acos": (UNIT, each(math.acos)),
    "atan": (X, each(math.atan)),
    "asinh": (X, each(math.asinh)),
    "acosh": (ABOVE_ONE, each(math.acosh)),
    "atanh": (UNIT, each(math.atanh)),
    "exp": (X, each(math.exp)),
    "exp2": (X, lambda x: 2.0**x),
    "expm1": (X, each(math.expm1)),
    "log": (POSITIVE, each(math.log)),
    "log2": (POSITIVE, each(math.log2)),
    "log10": (POSITIVE, each(math.log10)),
    "log1p": (POSITIVE, each(math.log1p)),
    "sqrt": (POSITIVE, each(math.sqrt)),
    "rsqrt": (POSITIVE, lambda x: x**-0.5),
    "cbrt": (X, lambda x: np.copysign(np.abs(x) ** (1 / 3), x)),
    "erf": (X, each(math.erf)),
    "erfc": (X, each(math.erfc)),
    "floor": (X, each(math.floor)),
    "ceil": (X, each(math.ceil)),
    "absf": (X, each(abs)),
    "round": (X, lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
    "roundeven": (X, each(round)),
}
OF_TWO: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "atan2": ("math.atan2", np.vectorize(math.atan2)),
    "copysign": ("math.copysign", np.vectorize(math.copysign)),
    "fmod": ("arith.remf", np.vectorize(math.fmod)),
    "pow": ("math.powf", lambda x, y: x**y),
}
TYPES = {"f64": (np.float64, 1e-15), "f32": (np.float32, 4e-7)}


def kernel(lines: list[str], rows: int, type_: str) -> str:
    """Line n makes `%yn` of `%x` and `%z`; row n of the result holds it."""
    stores = "\n".join(
        f"""    %c{n} = arith.constant {n} : index
    %x{n} = memref.load %A[%c{n}, %t] : memref<{rows}x32x{type_}>
    %z{n} = memref.load %B[%t] : memref<32x{type_}>
    %y{n} = {line.format(x=f"%x{n}", z=f"%z{n}")} : {type_}
    memref.store %y{n}, %Out[%c{n}, %t] : memref<{rows}x32x{type_}>"""
        for n, line in enumerate(lines)
    )
    return f"""
gpu.module @m {{
  gpu.func @k(%A: memref<{rows}x32x{type_}>, %B: memref<32x{type_}>,
      %Out: memref<{rows}x32x{type_}>) kernel attributes {{nvvm.reqntid = array<i32: 32, 1, 1>}} {{
    %t = gpu.thread_id x
{stores}
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("type_", TYPES)
def test_functions_of_one_number(type_: str) -> None:
    dtype, accuracy = TYPES[type_]
    inputs = np.stack([x for x, _ in FUNCTIONS.values()]).astype(dtype)
    text = kernel([f"math.{name} {{x}}" for name in FUNCTIONS], len(FUNCTIONS), type_)
    out = run(text, "k", inputs, inputs[0], np.zeros_like(inputs))[2]
    for row, (name, (_, function)) in enumerate(FUNCTIONS.items()):
        wanted = function(inputs[row].astype(np.float64))
        np.testing.assert_allclose(out[row], wanted, accuracy, accuracy, err_msg=name)


@pytest.mark.parametrize("type_", TYPES)
def test_functions_of_two_numbers(type_: str) -> None:
    dtype, accuracy = TYPES[type_]
    inputs = np.stack([POSITIVE if name == "pow" else X for name in OF_TWO]).astype(dtype)
    second = np.roll(X, 7).astype(dtype)
    text = kernel([f"{op} {{x}}, {{z}}" for op, _ in OF_TWO.values()], len(OF_TWO), type_)
    out = run(text, "k", inputs, second, np.zeros_like(inputs))[2]
    for row, (name, (_, function)) in enumerate(OF_TWO.items()):
        wanted = function(inputs[row].astype(np.float64), second.astype(np.float64))
        np.testing.assert_allclose(out[row], wanted, accuracy, accuracy, err_msg=name)
