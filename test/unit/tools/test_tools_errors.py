"""Errors on stderr are placed and worded as mlir-opt does."""

from __future__ import annotations

import os

import pytest
import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.cuda_tools import ToolError
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note
from tcgen05_mlir.passes.pipeline import PipelineError
from tcgen05_mlir.tools.errors import report


def reported(error: Exception, capsys) -> str:
    report(error)
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.fixture
def context():
    with ir.Context() as context:
        yield context


def at(file: str, line: int, column: int) -> ir.Location:
    return ir.Location.file(file, line, column)


def failure(location: ir.Location, *notes: Note) -> PipelineError:
    return PipelineError("failed", [Diagnostic(location, "it is wrong", notes)])


def test_the_source_line_and_a_caret_follow(context, tmp_path, capsys):
    file = tmp_path / "k.mlir"
    file.write_text("first\n\top two\n")
    error = failure(at(str(file), 2, 5), Note(at(str(file), 1, 1), "look here"))
    assert reported(error, capsys) == (
        f"{file}:2:5: error: it is wrong\n\top two\n\t   ^\n{file}:1:1: note: look here\nfirst\n^\n"
    )


def test_a_file_that_is_gone_has_no_source_line(context, capsys):
    assert reported(failure(at("gone.mlir", 3, 4)), capsys) == "gone.mlir:3:4: error: it is wrong\n"


def test_a_line_that_is_gone_has_no_source_line(context, tmp_path, capsys):
    file = tmp_path / "k.mlir"
    file.write_text("first\n")
    assert reported(failure(at(str(file), 9, 1)), capsys) == f"{file}:9:1: error: it is wrong\n"


@pytest.mark.parametrize("line", [0, 2])
def test_a_line_that_no_file_has(context, tmp_path, capsys, line):
    file = tmp_path / "k.mlir"
    file.write_text("first\n")
    error = failure(at(str(file), line, 1))
    assert reported(error, capsys) == f"{file}:{line}:1: error: it is wrong\n"


def test_a_location_may_name_what_is_no_file(context, tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    for name in (str(tmp_path / "pipe"), str(tmp_path)):
        assert reported(failure(at(name, 1, 1)), capsys) == f"{name}:1:1: error: it is wrong\n"


@pytest.mark.parametrize(("escape", "shown"), [("\\FF", "\\xff"), ("\\00", "\0")])
def test_a_location_may_hold_any_bytes(context, capsys, escape, shown):
    module = ir.Module.parse(f'module {{\n}} loc("k{escape}.mlir":1:2)')
    error = failure(module.operation.location)
    assert reported(error, capsys) == f"k{shown}.mlir:1:2: error: it is wrong\n"


def test_the_place_is_found_inside_names_calls_and_fusions(context, capsys):
    place = at("f.mlir", 1, 2)
    for location in (
        ir.Location.name("n", place),
        ir.Location.callsite(place, [at("g.mlir", 3, 4)]),
        ir.Location.fused([ir.Location.name("m"), place]),
    ):
        assert reported(failure(location), capsys) == "f.mlir:1:2: error: it is wrong\n"


def test_no_place_at_all(context, capsys):
    assert reported(failure(ir.Location.unknown()), capsys) == "error: it is wrong\n"
    assert reported(failure(ir.Location.name("n")), capsys) == '"n": error: it is wrong\n'


def test_text_from_stdin_is_called_so(context, capsys):
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        ir.Module.parse("foo")
    assert reported(error.value, capsys) == (
        "<stdin>:1:1: error: custom op 'foo' is unknown (tried 'builtin.foo' as well)\n"
    )


@pytest.mark.parametrize(
    "error", [ValueError("no"), ToolError("no"), ir.MLIRError("no", []), ImportError("no")]
)
def test_faults_of_the_input_or_the_machine_are_one_line(error, capsys):
    assert reported(error, capsys).splitlines()[0] in ("tcgen05: error: no", "tcgen05: error: no:")


def test_a_file_that_cannot_be_read_is_named(capsys):
    error = FileNotFoundError(2, "No such file or directory", "k.mlir")
    assert reported(error, capsys) == "tcgen05: error: 'k.mlir': No such file or directory\n"


def test_a_bug_is_called_one_and_shows_no_traceback(capsys):
    assert reported(AssertionError("both sides"), capsys) == (
        "tcgen05: internal error: AssertionError: both sides; please report it "
        "(TCGEN05_MLIR_TRACEBACK=1 in the environment shows where)\n"
    )
