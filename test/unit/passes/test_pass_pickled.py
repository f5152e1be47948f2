"""Diagnostics, and the errors that hold them, go through pickle to other processes."""

from __future__ import annotations

import multiprocessing
import pickle

import pytest
import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.passes.adaptor import ErasedOperation
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure

WRONG = {
    "parse": "gpu.module @m {\n  gpu.func @k() kernel { gpu.nothing }\n}",
    "verify": "gpu.module @m {\n  func.func @f() { func.call @none() : () -> () return }\n}",
    "pass": "gpu.module @m {\n  gpu.func @k(%t: !llvm.ptr<6>) kernel { nvvm.tcgen05.fence <after>\n"
    "    gpu.return }\n}",
}
PLACES = [
    'loc("a \\22b\\22.mlir":1:2)',
    "loc(unknown)",
    'loc("a.mlir":1:2 to :5)',
    'loc(callsite("f"("a.mlir":1:2) at fused<"m">["b.mlir":3:4]))',
]


def _same(found: BaseException, wanted: BaseException) -> None:
    assert type(found) is type(wanted)
    assert str(found) == str(wanted)


@pytest.mark.parametrize("text", PLACES)
def test_a_diagnostic(text: str) -> None:
    with ir.Context() as context:
        place = ir.Location.from_attr(ir.Attribute.parse(text), context)
    made = Diagnostic(place, "is wrong", (Note(place, "mend it"),), ir.DiagnosticSeverity.WARNING)
    found = pickle.loads(pickle.dumps(made))
    assert str(found) == str(made)
    assert str(found.location) == str(found.notes[0].location) == text
    assert found.severity is ir.DiagnosticSeverity.WARNING


def test_a_place_that_only_its_context_understands() -> None:
    with ir.Context() as context:
        made = Note(ir.Location.unknown(context), "a")
    kind, (_, message) = made.__reduce__()
    found = kind("loc(fused<#nobody<knows", message)
    assert (str(found.location), found.message) == ('loc("loc(fused<#nobody<knows")', "a")


def test_failures_of_passes() -> None:
    with ir.Context() as context:
        place = ir.Location.file("a.mlir", 1, 2, context=context)
    for made in (
        PassFailure(Diagnostic(place, "a"), Diagnostic(place, "b")),
        ErasedOperation("p", place, is_root=True),
    ):
        found = pickle.loads(pickle.dumps(made))
        _same(found, made)
        assert list(map(str, found.diagnostics)) == list(map(str, made.diagnostics))
        assert getattr(found, "is_root", None) == getattr(made, "is_root", None)


def _compile(kind: str) -> None:
    tcgen05_mlir.compile(WRONG[kind], chip="sm_90")


def _error(kind: str) -> tcgen05_mlir.MLIRError:
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        _compile(kind)
    return error.value


@pytest.mark.parametrize("kind", WRONG)
def test_the_error_of_a_module(kind: str) -> None:
    made = _error(kind)
    found = pickle.loads(pickle.dumps(made))
    _same(found, made)
    assert found.error_diagnostics[0].location.start_line == 2
    assert found.module is None
    _same(pickle.loads(pickle.dumps(found)), made)


def test_from_another_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        result = pool.apply_async(_compile, ("pass",))
        with pytest.raises(tcgen05_mlir.MLIRError) as error:
            result.get(timeout=60)
    _same(error.value, _error("pass"))
