"""Calls of functions without a body: LLVM's intrinsics by name, and libdevice's mathematics."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.texts import string_text, symbol_text
from tcgen05_mlir.simulator.engine import collectives
from tcgen05_mlir.simulator.lanes import floats
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.mbarrier_rules import one_look
from tcgen05_mlir.simulator.translate.registry import SELDOM_WAITING, Meeting, rule, waiting_rule
from tcgen05_mlir.simulator.translate.types import Pointer

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
    name = symbol_text(e.op.attributes["callee"])
    bare = name.removeprefix("__nv_").removeprefix("fast_")
    single = bool(len(e.op.results)) and str(e.op.results[0].type) == "f32"
    if single and bare not in _LIBRARY:
        bare = bare.removesuffix("f")
    if not name.startswith("__nv_") or bare not in _LIBRARY:
        raise e.refuse(f"calls '{name}', which has no body and is not known to the simulator")
    e.result(f"{e.function(_LIBRARY[bare])}({', '.join(e.operands())})")


_MBARRIERS = "llvm.nvvm.mbarrier."
_TEST = _MBARRIERS + "test.wait"


def _intrinsic_name(op: ir.Operation) -> str:
    return string_text(op.attributes["intrin"])


@rule("llvm.call_intrinsic")
def intrinsic(e: Emitter) -> None:
    name = _intrinsic_name(e.op)
    if re.fullmatch(r"llvm\.nvvm\.move\.\w+", name):
        e.result(e.name(e.op.operands[0]))
    elif name == "llvm.nvvm.activemask":
        e.result(f"{e.function(collectives.active)}(m)")
    elif name.removesuffix(".shared") == f"{_MBARRIERS}arrive.drop":
        call = f"h.mbarrier_arrive({e.lanes(0)}, m, {e.site()}, drop=True, space={_space(e)})"
        e.result(call)
    else:
        raise e.refuse(f"calls '{name}', which is not known to the simulator")


SELDOM_WAITING["llvm.call_intrinsic"] = lambda op: _intrinsic_name(op).startswith(_TEST)


@waiting_rule("llvm.call_intrinsic")
def test(e: Emitter) -> Meeting:
    """An mbarrier's test by state."""
    look = f"h.mbarrier_test(spread(a0), m, {e.site()}, state=spread(a1), space={_space(e)})"
    return one_look(e, look)


def _space(e: Emitter) -> int:
    pointer = e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    return pointer.space
