"""`tcgen05-spell-math`: code in the llvm dialect compiles, whatever arithmetic it has."""

from __future__ import annotations

import re

import pytest
import tcgen05_mlir
from device_text import diagnostics, gpu_module, kernel, run

PTX = {
    "ceil": "cvt.rpi.f32.f32",
    "fabs": "abs.f32",
    "floor": "cvt.rmi.f32.f32",
    "round": "cvt.rzi.f32.f32",
    "roundeven": "cvt.rni.f32.f32",
    "sqrt": "sqrt.rn.f32",
}
ARGUMENTS = "%a: f32, %b: f32, %p: !llvm.ptr"


def computed(expression: str, arguments: str = ARGUMENTS, kind: str = "f32") -> str:
    """A kernel that stores what the operation gives."""
    body = f"%0 = {expression}\nllvm.store %0, %p : {kind}, !llvm.ptr"
    return gpu_module(kernel(body, arguments))


@pytest.mark.parametrize("name", PTX)
def test_a_function_that_llvm_has_becomes_its_instruction(name):
    ptx = tcgen05_mlir.compile(computed(f"llvm.intr.{name}(%a) : (f32) -> f32"), chip="sm_90")
    assert isinstance(ptx, str)
    assert PTX[name] in ptx


def test_copysign_is_one_of_them():
    text = computed("llvm.intr.copysign(%a, %b) : (f32, f32) -> f32")
    ptx = tcgen05_mlir.compile(text, chip="sm_90")
    assert isinstance(ptx, str)
    assert "copysign.f32" in ptx


def test_flags_and_vectors_stay():
    flags = "{fastmathFlags = #llvm.fastmath<fast>}"
    text = computed(
        f"llvm.intr.sqrt(%v) {flags} : (vector<2xf64>) -> vector<2xf64>",
        "%v: vector<2xf64>, %p: !llvm.ptr",
        "vector<2xf64>",
    )
    assert (
        '%0 = llvm.call_intrinsic "llvm.sqrt"(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : '
        "(vector<2xf64>) -> vector<2xf64>"
    ) in run(text, "tcgen05-spell-math")
    ptx = tcgen05_mlir.compile(text, chip="sm_90")
    assert isinstance(ptx, str)
    assert len(re.findall(r"\bsqrt\.rn\.f64\b", ptx)) == 2


def test_a_function_that_llvm_has_not_is_refused():
    text = computed("llvm.intr.exp(%a) : (f32) -> f32")
    assert diagnostics(text, "tcgen05-to-ptx{chip=sm_90}")[0] == (
        "3:6: error: failed to legalize operation 'llvm.intr.exp' that was explicitly marked "
        "illegal"
    )
