"""Mathematical functions for which LLVM would call a library that device code does not have."""

from __future__ import annotations

import re

from mlir import ir

_FUNCTIONS = (
    *("acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "llrint", "llround", "log"),
    *("log10", "log2", "lrint", "lround", "modf", "pow", "powi", "sin", "sincos", "sincospi"),
    *("sinh", "tan", "tanh"),
)
_APPROXIMATED = ("cos", "sin", "sincos", "tanh")
"""Of these a GPU has approximations up to f32, which `afn` asks for."""

_OPERATION = re.compile(r"llvm\.intr\.(\w+)")
_INTRINSIC = re.compile(r'"?@?llvm\.(\w+)(?:\.[\w.]+)?"?')
_CALLS = {"llvm.call_intrinsic": "intrin", "llvm.call": "callee"}


def library_function(op: ir.Operation) -> str | None:
    """The name of the function that `op` computes where no chip has it: `tan` of `llvm.intr.tan`.

    LLVM 22.1.8 was asked for each of them and each type; it ends the process.
    """
    if op.name in _CALLS:
        match = _INTRINSIC.fullmatch(str(op.attributes.get(_CALLS[op.name], "")))
    else:
        match = _OPERATION.fullmatch(op.name)
    name = match[1] if match else ""
    if name not in _FUNCTIONS or (name in _APPROXIMATED and _may_approximate(op)):
        return None
    return name


def _may_approximate(op: ir.Operation) -> bool:
    flags = str(op.attributes.get("fastmathFlags", ""))
    return ("afn" in flags or "fast" in flags.split("<")[-1]) and "f64" not in str(
        op.operands[0].type
    )
