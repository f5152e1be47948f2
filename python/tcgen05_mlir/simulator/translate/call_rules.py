"""Calls of functions without a body: LLVM's intrinsics by name, and libdevice's mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from mlir import ir

from tcgen05_mlir.simulator.lanes import floats
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import rule

_LIBRARY: dict[str, Callable[..., Lanes]] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, name) for name in ("exp", "exp2", "expm1", "log", "log2", "log10")},
    **{name: getattr(np, name) for name in ("log1p", "sqrt", "cbrt", "floor", "ceil", "trunc")},
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "atan2": np.arctan2,
    "pow": np.power,
    "fabs": np.abs,
    "fmod": np.fmod,
    "fma": floats.fma,
    "fmin": floats.minimum_number,
    "fmax": floats.maximum_number,
    "rint": np.rint,
    "nearbyint": np.rint,
    "round": floats.round_away,
    "copysign": np.copysign,
    "hypot": np.hypot,
    "rsqrt": floats.reciprocal_root,
    "erf": floats.error_function,
    "erfc": floats.complementary_error_function,
}
"""libdevice's functions without `__nv_` and the `f` of single precision: to numpy's accuracy."""


@rule("llvm.call")
def call(e: Emitter) -> None:
    name = ir.FlatSymbolRefAttr(e.op.attributes["callee"]).value
    bare = name.removeprefix("__nv_").removeprefix("fast_")
    single = bool(len(e.op.results)) and str(e.op.results[0].type) == "f32"
    if single and bare not in _LIBRARY:
        bare = bare.removesuffix("f")
    if not name.startswith("__nv_") or bare not in _LIBRARY:
        raise e.refuse(f"calls '{name}', which has no body and is not known to the simulator")
    e.result(f"{e.function(_LIBRARY[bare])}({', '.join(e.operands())})")


@rule("llvm.call_intrinsic")
def intrinsic(e: Emitter) -> None:
    name = ir.StringAttr(e.op.attributes["intrin"]).value
    if re.fullmatch(r"llvm\.nvvm\.move\.\w+", name):
        e.result(e.name(e.op.operands[0]))
        return
    raise e.refuse(f"calls '{name}', which is not known to the simulator")
