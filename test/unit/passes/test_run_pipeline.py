"""run_pipeline: on a clone, all diagnostics in one exception, on any thread."""

from __future__ import annotations

import threading

import pytest
import throwaway_passes
from mlir import ir
from raising import raises
from tcgen05_mlir.passes import Diagnostic, PipelineError, run_pipeline
from tcgen05_mlir.passes.diagnostics import location_text
from tcgen05_mlir.passes.pipeline import anchored

SOURCE = """\
module {
  func.func @f() {
    return
  }
  func.func @g() {
    return
  }
}
"""


@pytest.fixture
def context():
    with ir.Context() as context:
        yield context


@pytest.fixture
def module(context):
    return ir.Module.parse(SOURCE)


def failure(module: ir.Module, pipeline: str, **options: object) -> PipelineError:
    """The error that the pipeline ends with; the input must be as before."""
    before = str(module)
    with pytest.raises(ir.MLIRError) as caught:
        run_pipeline(module, pipeline, **options)
    assert str(module) == before
    assert isinstance(caught.value, PipelineError)
    return caught.value


def test_the_result_is_a_clone(module):
    before = str(module)
    result = run_pipeline(module, "test-tag{path=inline-asm count=7}")
    assert str(module) == before == SOURCE
    expected = SOURCE.replace(
        "module {",
        'module attributes {test.tag = "test-tag{path=inline-asm count=7}"} {',
    )
    assert str(result) == expected


@pytest.mark.parametrize(
    ("pipeline", "text"),
    [
        ("cse", "builtin.module(cse)"),
        (" cse , canonicalize ", "builtin.module(cse , canonicalize)"),
        ("", "builtin.module()"),
        ("builtin.module(cse)", "builtin.module(cse)"),
        (" builtin.module ( cse ) ", "builtin.module ( cse )"),
        ("any(cse)", "any(cse)"),
        ("gpu.module(cse)", "builtin.module(gpu.module(cse))"),
        (
            "builtin.module(a),builtin.module(b)",
            "builtin.module(builtin.module(a),builtin.module(b))",
        ),
        ("builtin.module(a,b(c)),d", "builtin.module(builtin.module(a,b(c)),d)"),
        ("builtin.module(cse", "builtin.module(builtin.module(cse)"),
    ],
)
def test_the_anchor_may_be_left_out(pipeline, text):
    assert anchored(pipeline) == text


@pytest.mark.parametrize("pipeline", ["", "builtin.module()", "any(test-tag)"])
def test_every_anchor_runs(module, pipeline):
    assert ("test.tag" in str(run_pipeline(module, pipeline))) == ("test-tag" in pipeline)


def test_passes_run_in_order_mixed_with_upstream_s(module):
    throwaway_passes.RAN.clear()
    run_pipeline(module, "test-tag{count=1},canonicalize,func.func(cse),test-tag{count=2}")
    assert throwaway_passes.RAN == ["test-tag{count=1}", "test-tag{count=2}"]


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        (
            "test-tag{path=x}",
            "pass 'test-tag': option 'path' must be one of 'nvvm', 'inline-asm', got 'x'\n"
            "failed to add `test-tag` with options `path=x`",
        ),
        (
            "test-tag{count=many}",
            "pass 'test-tag': option 'count' must be an integer, got 'many'\n"
            "failed to add `test-tag` with options `count=many`",
        ),
        (
            "test-tag{count}",
            "pass 'test-tag': option 'count' needs a value\n"
            "failed to add `test-tag` with options `count`",
        ),
        (
            "test-tag{count=1 count=2}",
            "pass 'test-tag': option 'count' is given twice\n"
            "failed to add `test-tag` with options `count=1 count=2`",
        ),
        (
            "test-tag{nosuch=1}",
            "<Pass-Options-Parser>: no such option nosuch; pass 'test-tag' has 'path', 'label', "
            "'list-assumptions', 'count', 'level'\n"
            "failed to add `test-tag` with options `nosuch=1`",
        ),
        (
            "test-report{nosuch=1}",
            "<Pass-Options-Parser>: no such option nosuch; pass 'test-report' has no options\n"
            "failed to add `test-report` with options `nosuch=1`",
        ),
        (
            "nosuch",
            "MLIR Textual PassPipeline Parser:1:1: error: 'nosuch' does not refer to a registered "
            "pass or pass pipeline\nnosuch\n^",
        ),
        (
            "func.func(cse",
            "MLIR Textual PassPipeline Parser:1:11: error: encountered unbalanced parentheses "
            "while parsing pipeline\nfunc.func(cse\n          ^",
        ),
    ],
)
def test_a_pipeline_that_does_not_parse(module, pipeline, message):
    error = failure(module, pipeline)
    assert str(error) == message
    assert error.error_diagnostics == []
    assert error.module is None


def test_c07_an_exception_becomes_one_diagnostic_and_the_cause(module):
    throwaway_passes.RAN.clear()
    error = failure(module, "test-raise,test-tag")
    assert str(error) == (
        "Failure while executing pass pipeline:\n"
        "error: \"-\":1:1: pass 'test-raise' failed: ValueError: boom"
    )
    assert isinstance(error.__cause__, ValueError)
    assert str(error.__cause__) == "boom"
    assert throwaway_passes.RAN == []
    assert error.module is not None
    assert "test.half" in str(error.module)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("silent", "AssertionError"),
        ("empty", "PassFailure"),
        ("nul", r"ValueError: a\x00b"),
        ("surrogate", "ValueError: a\\udcffb\u00e9"),
        ("no-str", "NoStr: NoStr('boom')"),
        ("no-repr", "NoRepr: its text cannot be shown, __str__ raised RuntimeError"),
        ("bare", "BareFailure: boom"),
    ],
)
def test_an_exception_without_words_or_with_strange_ones(module, kind, text):
    error = failure(module, f"test-raise{{kind={kind}}}")
    assert [d.message for d in error.error_diagnostics] == [f"pass 'test-raise' failed: {text}"]


def test_a_report_with_characters_that_mlir_cannot_hold(module):
    error = failure(module, "test-raise{kind=report-nul}")
    assert [str(d) for d in error.error_diagnostics] == [
        r""""-":1:1: error: \x00
"-":1:1: note: \ud800"""
    ]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_stays_one(module, kind):
    with pytest.raises(kind):
        run_pipeline(module, f"test-raise{{kind={kind.__name__}}}")
    assert str(module) == SOURCE
    assert "test.tag" in str(run_pipeline(module, "test-tag"))


def test_a_failure_reports_every_diagnostic_with_its_notes(module):
    error = failure(module, "test-report")
    assert str(error) == (
        "Failure while executing pass pipeline:\n"
        "error: \"-\":2:3: 'func.func' op 'sym_name' is bad, got 1\n"
        ' note: "-":2:3: use 2\n'
        ' note: "other.mlir":7:8: declared here\n'
        'error: "-":2:3: and worse\n'
        "error: \"-\":5:3: 'func.func' op 'sym_name' is bad, got 1\n"
        ' note: "-":5:3: use 2\n'
        ' note: "other.mlir":7:8: declared here\n'
        'error: "-":5:3: and worse'
    )
    assert str(error.error_diagnostics[0]) == (
        "\"-\":2:3: error: 'func.func' op 'sym_name' is bad, got 1\n"
        '"-":2:3: note: use 2\n'
        '"other.mlir":7:8: note: declared here'
    )


def test_a_traceback_on_request(module, monkeypatch, capsys):
    failure(module, "test-raise")
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("TCGEN05_MLIR_TRACEBACK", "1")
    failure(module, "test-raise")
    text = capsys.readouterr().err
    assert text.startswith("Traceback (most recent call last):\n")
    assert "throwaway_passes.py" in text
    assert text.endswith("ValueError: boom\n")


def test_the_verifier_runs_after_each_pass_unless_told_not_to(module):
    error = failure(module, "test-break,test-tag")
    assert [(location_text(d.location), d.message) for d in error.error_diagnostics] == [
        ('"-":2:3', "'func.func' op requires attribute 'function_type'"),
        ('"-":5:3', "'func.func' op requires attribute 'function_type'"),
    ]
    assert error.__cause__ is None
    broken = run_pipeline(module, "test-break", verify=False)
    assert "function_type" not in broken.operation.get_asm(print_generic_op_form=True)


def test_all_diagnostics_go_to_the_callback_in_order(module):
    seen: list[Diagnostic] = []
    pipeline = "test-remark,test-remark{severity=warning},test-remark{severity=error}"
    run_pipeline(module, pipeline, on_diagnostic=seen.append)
    assert [str(d) for d in seen] == [
        '"-":1:1: remark: a remark\n"-":1:1: note: a note',
        '"-":1:1: warning: a warning\n"-":1:1: note: a note',
        '"-":1:1: error: a error\n"-":1:1: note: a note',
    ]
    seen.clear()
    failure(module, pipeline + ",test-raise", on_diagnostic=seen.append)
    assert [d.severity.name.lower() for d in seen] == ["remark", "warning", "error", "error"]


def test_without_a_callback_they_go_to_the_context_s_handlers(context, module):
    seen: list[tuple[str, str, int]] = []

    def handle(diagnostic: ir.Diagnostic) -> bool:
        seen.append((diagnostic.severity.name, diagnostic.message, len(diagnostic.notes)))
        return True

    handler = context.attach_diagnostic_handler(handle)
    run_pipeline(module, "test-remark,test-remark{severity=error}")
    assert seen == [("REMARK", "a remark", 1), ("ERROR", "a error", 1)]
    seen.clear()
    failure(module, "test-remark{severity=warning},test-raise")
    assert seen == [("WARNING", "a warning", 1)]
    handler.detach()


@pytest.mark.parametrize("thing", [None, "module {}", 3])
def test_what_is_no_module_is_refused(thing):
    message = f"'module' must be an mlir.ir.Module, got {type(thing).__name__}"
    with raises(TypeError, message):
        run_pipeline(thing, "cse")


def test_a_pipeline_that_is_no_text_is_refused(module):
    with raises(TypeError, "'pipeline' must be a str, got list"):
        run_pipeline(module, ["cse"])


def test_an_operation_is_no_module(module):
    with raises(TypeError, "'module' must be an mlir.ir.Module, got Operation"):
        run_pipeline(module.operation, "cse")


def many_modules(count: int) -> str:
    return "".join(f"gpu.module @m{i} {{}}\n" for i in range(count))


def test_a_nested_pass_runs_on_all_threads(context):
    module = ir.Module.parse(many_modules(50))
    result = run_pipeline(module, "gpu.module(test-tag{count=9},cse,test-tag)")
    tags = [op.attributes["test.tag"].value for op in result.body.operations]
    assert tags == ["test-tag"] * 50
    assert "test.tag" not in str(module)


def test_a_nested_pass_that_fails_reports_in_order(context):
    module = ir.Module.parse(many_modules(50))
    error = failure(module, "gpu.module(test-raise)")
    first = error.error_diagnostics[0]
    assert str(first) == "\"-\":1:1: error: pass 'test-raise' failed: ValueError: boom"
    assert isinstance(error.__cause__, ValueError)
    # The context's thread bookkeeping is sound again.
    context.enable_multithreading(False)
    context.enable_multithreading(True)


def test_diagnostics_of_all_threads_keep_the_order_of_the_operations(context):
    module = ir.Module.parse(many_modules(50))
    seen: list[Diagnostic] = []
    run_pipeline(module, "gpu.module(test-remark)", on_diagnostic=seen.append)
    lines = [location_text(diagnostic.location) for diagnostic in seen]
    assert lines == [f'"-":{line}:1' for line in range(1, 51)]


def test_two_threads_with_a_context_each():
    results: list[str] = []

    def work() -> None:
        with ir.Context():
            module = ir.Module.parse(many_modules(20))
            for _ in range(10):
                module = run_pipeline(module, "gpu.module(test-tag),test-tag,canonicalize")
            results.append(str(module))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 2
    assert results[0] == results[1]
    assert results[0].count("test.tag") == 21


def test_dependent_dialects_are_loaded(module):
    result = run_pipeline(module, "test-build")
    assert "index.constant 1" in str(result)


def test_a_dialect_that_nobody_registers(module):
    throwaway_passes.RAN.clear()
    error = failure(module, "test-needs-unknown-dialect")
    assert [str(d) for d in error.error_diagnostics] == [
        "unknown: error: pass 'test-needs-unknown-dialect' needs the dialect 'nosuch', "
        "which is not registered in this context"
    ]
    assert throwaway_passes.RAN == []


@pytest.mark.parametrize("then", ["return", "raise"])
@pytest.mark.parametrize(
    ("source", "pipeline", "is_kept"),
    [
        ("module {}", "{}", False),
        ("gpu.module @m0 {} gpu.module @m1 {}", "gpu.module({})", True),
        ("gpu.module @m0 {} gpu.module @m1 {}", "builtin.module(gpu.module({}),cse)", True),
    ],
)
def test_a_pass_that_erases_its_own_operation(python, then, source, pipeline, is_kept):
    pipeline = pipeline.format(f"test-erase-itself{{then={then}}}")
    done = python(
        "import gc, throwaway_passes\n"
        "from mlir import ir\n"
        "from tcgen05_mlir.passes import run_pipeline\n"
        "with ir.Context():\n"
        f"    module = ir.Module.parse({source!r})\n"
        "    try:\n"
        f"        run_pipeline(module, {pipeline!r})\n"
        "    except ir.MLIRError as error:\n"
        "        print(error.error_diagnostics[0], error.module is not None)\n"
        "    gc.collect()\n"
        "    module.operation.verify()\n"
    )
    text = (
        "\"-\":1:1: error: pass 'test-erase-itself' erased the operation that it ran on\n"
        '"-":1:1: note: erase what is inside of it, or run the pass on the operation around it'
    )
    assert (done.returncode, done.stdout) == (0, f"{text} {is_kept}\n")
    assert (text in done.stderr) == is_kept  # MLIR may end the process where it has no threads
