"""`tcgen05 compile`: exit codes, output files, what is said on stderr."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir
from tcgen05_mlir import cuda_tools
from tcgen05_mlir.tools.main import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ACCEPTED = "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f"
PLAIN = """\
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr, %v: i32) attributes {nvvm.kernel} {
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }
}
"""


@pytest.fixture
def plain(tmp_path) -> Path:
    """A file with a kernel that every chip can run."""
    file = tmp_path / "plain.mlir"
    file.write_text(PLAIN)
    return file


def usage_error(*arguments: str) -> int:
    with pytest.raises(SystemExit) as error:
        main(["compile", *arguments])
    assert isinstance(error.value.code, int)
    return error.value.code


def test_ptx_goes_to_stdout(plain, capfd):
    assert main(["compile", str(plain)]) == 0
    captured = capfd.readouterr()
    assert captured.out == tcgen05_mlir.compile(PLAIN)
    assert captured.err == ""


@pytest.mark.parametrize("emit", ["mlir", "llvm", "ptx"])
def test_output_goes_to_a_file(plain, tmp_path, capfd, emit):
    out = tmp_path / "out"
    arguments = ["--chip", "sm_103a", "--emit", emit, "--opt-level", "1", "-o", str(out)]
    assert main(["compile", str(plain), *arguments]) == 0
    assert capfd.readouterr() == ("", "")
    expected = tcgen05_mlir.compile(PLAIN, chip="sm_103a", emit=emit, opt_level=1)
    assert out.read_text() == expected


def test_stdin_is_a_source(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    assert main(["compile", "-"]) == 0
    assert ".visible .entry k(" in capfd.readouterr().out


def test_the_files_own_target_is_kept(tmp_path, capfd):
    file = tmp_path / "k.mlir"
    file.write_text(PLAIN.replace("@m {", '@m [#nvvm.target<chip = "sm_90a">] {'))
    assert main(["compile", str(file)]) == 0
    assert ".target sm_90a\n" in capfd.readouterr().out
    assert main(["compile", str(file), "--chip", "sm_110f"]) == 0
    assert ".target sm_110f\n" in capfd.readouterr().out


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("chip", ["sm_100", "sm_120a", "sm_90a"])
def test_a21_a_chip_without_tcgen05_leaves_no_file(tmp_path, capfd, chip, path):
    out = tmp_path / "out.ptx"
    arguments = ["--chip", chip, "--path", path, "-o", str(out)]
    assert main(["compile", str(EXAMPLE), *arguments]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    source = EXAMPLE.read_text().splitlines()
    (line,) = [n for n, text in enumerate(source, 1) if text.lstrip().startswith("nvvm.tcgen05.al")]
    excerpt = f"{source[line - 1]}\n      ^\n"
    assert captured.err == (
        f"{EXAMPLE}:{line}:7: error: 'nvvm.tcgen05.alloc' op chip '{chip}' has no tcgen05 "
        f"instructions, wanted one of {ACCEPTED} [T1]\n{excerpt}"
        f"{EXAMPLE}:{line}:7: note: emulate it there: --emulate, or emulate=true in a pipeline, "
        f"emulate=True in Python\n{excerpt}"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_a21_an_unknown_chip_leaves_no_file(tmp_path, capfd, path):
    out = tmp_path / "out.ptx"
    arguments = ["--chip", "sm_999z", "--path", path, "-o", str(out)]
    assert main(["compile", str(EXAMPLE), *arguments]) == 1
    assert capfd.readouterr().err == (
        f"tcgen05: error: chip 'sm_999z' is unknown, wanted one with tcgen05 ({ACCEPTED}) or, for "
        "kernels that do not use it or are emulated, one of sm_75, sm_80, sm_86, sm_87, sm_88, "
        "sm_89, sm_90, sm_90a, sm_100, sm_101, sm_103, sm_110, sm_120, sm_120a, sm_120f, sm_121, "
        "sm_121a, sm_121f [T1]\n"
    )
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_a21_a_chip_with_tcgen05_compiles(tmp_path, capfd, path):
    out = tmp_path / "out.ptx"
    arguments = ["--chip", "sm_100a", "--path", path, "-o", str(out)]
    assert main(["compile", str(EXAMPLE), *arguments]) == 0
    assert out.read_text() == tcgen05_mlir.compile(EXAMPLE, path=path)


def test_an_error_leaves_the_old_output(tmp_path, plain, capfd):
    out = tmp_path / "out.ptx"
    out.write_text("old")
    assert main(["compile", str(plain), "--kernel", "other", "-o", str(out)]) == 1
    assert capfd.readouterr().err == (
        "tcgen05: error: kernel 'other' is not there; the kernels are 'k' in gpu.module @m\n"
    )
    assert out.read_text() == "old"


def test_text_that_does_not_parse(tmp_path, capfd):
    file = tmp_path / "bad.mlir"
    file.write_text("gpu.module @m {\n  tcgen05.copy\n}\n")
    assert main(["compile", str(file)]) == 1
    assert capfd.readouterr().err.splitlines()[0].startswith(f"{file}:2:3: error: custom op 'tcgen")


def test_text_on_stdin_that_does_not_parse(capfd, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"module {\n  foo\n}\n")))
    assert main(["compile", "-"]) == 1
    assert capfd.readouterr().err == (
        "<stdin>:2:3: error: custom op 'foo' is unknown (tried 'builtin.foo' as well)\n  foo\n  ^\n"
    )


def test_an_interrupt_is_no_traceback(plain, monkeypatch, capfd):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tcgen05_mlir.compiler.load", interrupt)
    assert main(["compile", str(plain)]) == 130
    assert capfd.readouterr() == ("", "")


def test_a_file_that_is_not_there(capfd):
    assert main(["compile", "nowhere.mlir"]) == 1
    assert capfd.readouterr().err == "tcgen05: error: 'nowhere.mlir': No such file or directory\n"


def test_a_folder_that_is_not_there(plain, tmp_path, capfd):
    assert main(["compile", str(plain), "-o", str(tmp_path / "no" / "out")]) == 1
    assert "No such file or directory" in capfd.readouterr().err


def test_the_input_is_never_overwritten(plain, capfd):
    assert usage_error(str(plain), "-o", str(plain)) == 2
    assert capfd.readouterr().err == (
        f"tcgen05: error: '{plain}' is the input: it would be overwritten\n"
    )
    assert plain.read_text() == PLAIN


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--opt-level", "9"], "argument --opt-level: invalid choice: "),
        (["--emit", "foo"], "argument --emit: invalid choice: 'foo'"),
        (["--path", "foo"], "argument --path: invalid choice: 'foo'"),
        (["--fast"], "unrecognized arguments: --fast"),
    ],
)
def test_b06_values_that_llvm_would_end_the_process_over_are_wrong_usage(
    plain, capfd, arguments, message
):
    assert usage_error(str(plain), *arguments) == 2
    assert message in capfd.readouterr().err


def test_no_subcommand_is_wrong_usage(capfd):
    with pytest.raises(SystemExit) as error:
        main([])
    assert error.value.code == 2


def test_b05_ptx_needs_no_ptxas_and_a_cubin_says_so(plain, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    for variable in cuda_tools.CUDA_FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(cuda_tools, "_in_wheel", lambda wheel, name: None)
    assert main(["compile", str(plain), "-o", str(tmp_path / "out.ptx")]) == 0
    assert main(["compile", str(plain), "--emit", "cubin", "-o", str(tmp_path / "cubin")]) == 1
    assert capfd.readouterr().err.startswith("tcgen05: error: ptxas not found; looked for:\n")
    assert sorted(os.listdir(tmp_path)) == ["out.ptx", "out.ptx.json", "plain.mlir"]


def test_b05_verbose_says_which_ptxas(plain, tmp_path, monkeypatch, capfd):
    ptxas = tmp_path / "bin" / "ptxas"
    ptxas.parent.mkdir()
    ptxas.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "if sys.argv[1] == '--version': sys.exit(print('ptxas: release 13.0, V13.0.88'))\n"
        "open(sys.argv[5], 'w').write('\\x7fELF')\n"
    )
    ptxas.chmod(0o755)
    monkeypatch.setenv("PATH", str(ptxas.parent))
    arguments = ["compile", str(plain), "--emit", "cubin", "-o", str(tmp_path / "out")]
    assert main([*arguments, "--verbose"]) == 0
    assert capfd.readouterr().err == f"tcgen05: using ptxas 13.0.88 at {ptxas} (PATH)\n"
    assert main(arguments) == 0
    assert capfd.readouterr().err == ""
    assert (tmp_path / "out").read_bytes() == b"\x7fELF"


def test_version(capfd):
    with pytest.raises(SystemExit) as error:
        main(["--version"])
    assert error.value.code == 0
    assert capfd.readouterr().out == f"tcgen05 {tcgen05_mlir.__version__}\n"


def test_a_reader_that_is_gone_is_no_traceback(plain):
    command = [sys.executable, "-m", "tcgen05_mlir.tools.main", "compile", str(plain)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def test_plugin_and_cmake_files_are_found(capfd):
    assert main(["plugin-path"]) == 0
    assert Path(capfd.readouterr().out.strip()).is_file()
    assert main(["cmake-dir"]) == 0
    assert (Path(capfd.readouterr().out.strip()) / "Tcgen05Config.cmake").is_file()
