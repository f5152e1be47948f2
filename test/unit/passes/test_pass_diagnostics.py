"""Diagnostics as values."""

from __future__ import annotations

import pytest
import throwaway_passes  # noqa: F401
from mlir import ir
from raising import raises
from tcgen05_mlir.passes import Diagnostic, Note, PassFailure, op_error, run_pipeline


@pytest.fixture
def location():
    with ir.Context():
        yield ir.Location.file("f.mlir", 3, 5)


def test_a_diagnostic_prints_with_its_notes(location):
    note = Note(ir.Location.unknown(), "do this")
    assert str(Diagnostic(location, "bad", (note,), ir.DiagnosticSeverity.WARNING)) == (
        '"f.mlir":3:5: warning: bad\nunknown: note: do this'
    )


def test_op_error_reads_like_a_verifier(location):
    op = ir.Module.parse("func.func private @f()").body.operations[0]
    other = Note(location, "seen here")
    expected = Diagnostic(
        op.location, "'func.func' op is bad [X1]", (Note(op.location, "do this"), other)
    )
    assert op_error(op, "is bad [X1]", "do this", other) == expected
    assert op_error(op.operation, "is bad [X1]", "do this", other) == expected


def test_a_failure_prints_all_of_its_diagnostics(location):
    failure = PassFailure(Diagnostic(location, "bad"), Diagnostic(location, "worse"))
    assert str(failure) == '"f.mlir":3:5: error: bad\n"f.mlir":3:5: error: worse'


def test_a_failure_takes_diagnostics_alone():
    with raises(TypeError, "PassFailure takes Diagnostic objects, got 'bad'"):
        PassFailure("bad")  # type: ignore[arg-type]


def test_every_field_has_its_type(location):
    with raises(TypeError, "'location' of Note must be of type Location, got None"):
        Note(None, "text")  # type: ignore[arg-type]
    with raises(TypeError, "'message' of Diagnostic must be of type str, got 3"):
        Diagnostic(location, 3)  # type: ignore[arg-type]
    with raises(TypeError, "'notes' of Diagnostic must be of type tuple, got 'text'"):
        Diagnostic(location, "bad", "text")  # type: ignore[arg-type]
    with raises(TypeError, "'notes' of Diagnostic must be Note objects, got 'text'"):
        Diagnostic(location, "bad", ("text",))  # type: ignore[arg-type]
    message = "'severity' of Diagnostic must be of type DiagnosticSeverity, got 'error'"
    with raises(TypeError, message):
        Diagnostic(location, "bad", (), "error")  # type: ignore[arg-type]
    message = "'severity' of Diagnostic must not be NOTE: attach a Note to another"
    with raises(ValueError, message):
        Diagnostic(location, "bad", (), ir.DiagnosticSeverity.NOTE)


def flat(info) -> list[tuple[ir.DiagnosticSeverity, str, str]]:
    """A handler as one writes it for upstream's DiagnosticInfo."""
    rest = [part for note in info.notes for part in flat(note)]
    return [(info.severity, str(info.location), info.message), *rest]


def test_one_handler_serves_parse_failures_and_pass_failures():
    with ir.Context():
        with pytest.raises(ir.MLIRError) as parsing:
            ir.Module.parse("func.func @f() { func.call @g() : () -> () }")
        module = ir.Module.parse("func.func private @f()")
        with pytest.raises(ir.MLIRError) as running:
            run_pipeline(module, "test-report")
        error, note = ir.DiagnosticSeverity.ERROR, ir.DiagnosticSeverity.NOTE
        found = [part for info in parsing.value.error_diagnostics for part in flat(info)]
        assert [severity for severity, _, _ in found] == [error, note]
        found = [part for info in running.value.error_diagnostics for part in flat(info)]
        assert found == [
            (error, 'loc("-":1:1)', "'func.func' op 'sym_name' is bad, got 1"),
            (note, 'loc("-":1:1)', "use 2"),
            (note, 'loc("other.mlir":7:8)', "declared here"),
            (error, 'loc("-":1:1)', "and worse"),
        ]
