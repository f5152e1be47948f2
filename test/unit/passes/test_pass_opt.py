"""tcgen05-opt with Python passes, each run a process of its own."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest
import throwaway_passes

SOURCE = "module {\n  gpu.module @m {\n  }\n}\n"


def tagged(*pairs: tuple[str, str], source: str = SOURCE) -> str:
    """``source`` after `test-tag`, with the tag after each given text."""
    for text, tag in pairs:
        source = source.replace(text, f'{text} attributes {{test.tag = "{tag}"}}', 1)
    return source


def test_help_lists_passes_pipelines_and_their_options(opt):
    done = opt("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("OVERVIEW: mlir-opt with the tcgen05 dialect and Python passes\n")
    lines = [re.sub(" +", " ", line.strip()) for line in done.stdout.splitlines()]
    start = lines.index("--test-tag - Tag the operation with the pass's options.")
    assert lines[start + 1 : start + 6] == [
        "--count=<int> - how many (default: 3)",
        "--label=<string> - any text (default: )",
        "--level=<0|1|2|3> - the level (default: 2)",
        "--list-assumptions - list them (default: false)",
        "--path=<nvvm|inline-asm> - the path (default: nvvm)",
    ]
    start = lines.index("--test-pipeline - Tag twice.")
    assert lines[start + 1 : start + 3] == [
        "--count=<int> - how often (default: 1)",
        "--ending=<good|bad|raise|int|no-str|nul> - how it ends (default: good)",
    ]
    assert (
        "--load-python-passes=<module or file> - Import a Python module or run a .py file that "
        "registers passes; may be given more than once"
    ) in lines


def test_every_dialect_is_available(opt):
    done = opt("--show-dialects")
    assert done.returncode == 0
    assert "tcgen05" in done.stdout
    assert "nvvm" in done.stdout


def test_a_pass_by_flag_and_by_pipeline(opt):
    expected = tagged(("module", "test-tag{path=inline-asm list-assumptions=true}"))
    by_flag = opt("--test-tag=path=inline-asm list-assumptions", input=SOURCE)
    assert (by_flag.returncode, by_flag.stderr) == (0, "")
    assert by_flag.stdout.rstrip() == expected.rstrip()
    pipeline = "builtin.module(test-tag{path=inline-asm list-assumptions=1})"
    by_pipeline = opt(f"--pass-pipeline={pipeline}", input=SOURCE)
    assert (by_pipeline.returncode, by_pipeline.stderr) == (0, "")
    assert by_pipeline.stdout == by_flag.stdout


def test_a_named_pipeline(opt):
    done = opt("--test-pipeline=count=4", input=SOURCE)
    assert (done.returncode, done.stderr) == (0, "")
    expected = tagged(
        ("module", "test-tag{count=4}"), ("gpu.module @m", "test-tag{path=inline-asm}")
    )
    assert done.stdout.rstrip() == expected.rstrip()


def test_the_pipeline_dump_shows_every_option(opt):
    done = opt("--test-tag=count=1", "--dump-pass-pipeline", input=SOURCE)
    assert done.returncode == 0
    assert done.stderr == (
        "Pass Manager with 1 passes:\nbuiltin.module(\n"
        "  test-tag{count=1 label= level=2 list-assumptions=false path=nvvm}\n)\n\n"
    )


def test_ir_is_printed_after_a_pass_by_name(opt):
    done = opt("--test-tag", "--cse", "--mlir-print-ir-after=test-tag", input=SOURCE)
    assert done.returncode == 0
    headings = [line for line in done.stderr.splitlines() if line.startswith("// --")]
    assert headings == ["// -----// IR Dump After TestTag (test-tag) //----- //"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("path=x", "pass 'test-tag': option 'path' must be one of 'nvvm', 'inline-asm', got 'x'"),
        ("count=", "pass 'test-tag': option 'count' must be an integer, got ''"),
        (
            "nosuch",
            "<Pass-Options-Parser>: no such option nosuch; pass 'test-tag' has 'path', 'label', "
            "'list-assumptions', 'count', 'level'",
        ),
    ],
)
def test_a_bad_option_is_one_error(opt, option, message):
    done = opt(f"--test-tag={option}", input=SOURCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"<unknown>:0: error: {message}\n"


def test_c07_an_exception_is_one_error_at_the_operation(opt):
    done = opt("--test-raise", "--test-tag", "-mlir-print-ir-after-failure", input=SOURCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "<stdin>:1:1: error: pass 'test-raise' failed: ValueError: boom\nmodule {\n^\n"
    )
    assert "IR Dump After TestRaise Failed (test-raise)" in done.stderr
    assert "test.tag" not in done.stderr


def test_a_failure_with_notes(opt):
    source = "func.func @f() {\n  return\n}\n"
    done = opt("--test-report", input=source)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "<stdin>:1:1: error: 'func.func' op 'sym_name' is bad, got 1\n"
        "func.func @f() {\n^\n"
        "<stdin>:1:1: note: use 2\n"
        "other.mlir:7:8: note: declared here\n"
        "<stdin>:1:1: error: and worse\n"
        "func.func @f() {\n^\n"
    )


def test_a_traceback_on_request(opt, monkeypatch):
    monkeypatch.setenv("TCGEN05_MLIR_TRACEBACK", "1")
    done = opt("--test-raise", input=SOURCE)
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert "throwaway_passes.py" in done.stderr


def test_verify_diagnostics_in_three_hundred_chunks(opt):
    chunk = (
        "// expected-error @+3 {{pass 'test-raise' failed: ValueError: boom}}\n"
        "// An empty line keeps the marker apart.\n\n"
        "module {}\n"
    )
    source = "// -----\n".join([chunk] * 300)
    done = opt("--test-raise", "--split-input-file", "--verify-diagnostics", input=source)
    assert (done.returncode, done.stderr) == (0, "")


def test_three_hundred_chunks_are_rewritten(opt):
    source = "// -----\n".join([SOURCE] * 300)
    done = opt("--test-tag", "--test-build", "--split-input-file", input=source)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count('test.tag = "test-tag"') == 300
    assert done.stdout.count("index.constant 1") == 300


def test_verify_diagnostics_sees_what_was_not_expected(opt):
    done = opt("--test-raise", "--verify-diagnostics", input=SOURCE)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "<stdin>:1:1: error: unexpected error: pass 'test-raise' failed: ValueError: boom\n"
    )


def test_bytecode_in_and_out(opt, tmp_path):
    done = opt("--test-tag", "--emit-bytecode", "-o", "out.mlirbc", input=SOURCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out.mlirbc").read_bytes()[:4] == b"ML\xefR"
    back = opt("out.mlirbc", "--test-build")
    assert (back.returncode, back.stderr) == (0, "")
    assert 'test.tag = "test-tag"' in back.stdout
    assert "index.constant 1" in back.stdout


def test_a_dependent_dialect_is_loaded(opt):
    done = opt("--test-build", input="module {}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:2] == [
        "module attributes {test.desc = #tcgen05.smem_desc<ldo = 16, sdo = 128>} {",
        "  %idx1 = index.constant 1",
    ]


def test_a_dialect_that_nobody_registers(opt):
    done = opt("--test-needs-unknown-dialect", input="module {}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "<unknown>:0: error: pass 'test-needs-unknown-dialect' needs the dialect 'nosuch', "
        "which is not registered in this context\n"
    )


def test_a_reproducer_makes_the_round_trip(opt, tmp_path):
    flags = ("--test-tag=count=9 label={two words}", "--test-raise")
    first = opt(*flags, "--mlir-pass-pipeline-crash-reproducer=repro.mlir", input=SOURCE)
    assert first.returncode == 1
    assert "reproducer generated at `repro.mlir`" in first.stderr
    assert (
        "builtin.module(test-tag{count=9 label={two words} level=2 list-assumptions=false "
        "path=nvvm}, test-raise{kind=ValueError})"
    ) in (tmp_path / "repro.mlir").read_text()
    again = opt("repro.mlir", "--run-reproducer")
    assert again.returncode == 1
    assert "error: pass 'test-raise' failed: ValueError: boom" in again.stderr


def test_a_nested_pass_runs_over_fifty_modules(opt):
    source = "".join(f"gpu.module @m{i} {{}}\n" for i in range(50))
    pipeline = "builtin.module(test-tag,gpu.module(cse,test-tag{count=1}),canonicalize)"
    done = opt(f"--pass-pipeline={pipeline}", input=source)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count('test.tag = "test-tag{count=1}"') == 50


def test_no_input_file(opt):
    done = opt("nosuch.mlir")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "cannot open input file 'nosuch.mlir': No such file or directory\n"


def test_an_unknown_flag(opt):
    done = opt("--no-such-flag", input=SOURCE)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Unknown command line argument '--no-such-flag'" in done.stderr


def test_a_second_call_in_a_process_is_an_error(python):
    done = python(
        "from tcgen05_mlir.tools import lsp, opt\n"
        "assert opt.main(['--verify-roundtrip']) == 0\n"
        "for tool in opt, lsp:\n"
        "    try: tool.main([])\n"
        "    except RuntimeError as error: print(error)\n"
        "print('alive')",
        input="module {}",
    )
    assert (done.returncode, done.stderr) == (0, "")
    message = "opt_main and lsp_server_main can run once in a process; start another process\n"
    assert done.stdout.endswith(message * 2 + "alive\n")


def test_a_closed_pipe_ends_the_process_quietly(tmp_path):
    command = [sys.executable, "-m", "tcgen05_mlir.tools.opt", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == -signal.SIGPIPE


def test_an_interrupt_ends_the_process(tmp_path):
    flags = [f"--load-python-passes={throwaway_passes.__file__}", "--test-wait"]
    command = [sys.executable, "-m", "tcgen05_mlir.tools.opt", *flags]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as child:
        child.stdin.write(b"module {}")
        child.stdin.close()
        assert child.stderr.readline() == b"waiting\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == b""
    assert child.returncode == -signal.SIGINT


def test_an_exception_whose_text_cannot_be_shown(opt):
    done = opt("--test-raise=kind=no-str", input="module {}")
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: pass 'test-raise' failed: NoStr: NoStr('boom')\n" in done.stderr
    assert "internal error" not in done.stderr
