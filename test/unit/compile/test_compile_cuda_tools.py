"""Finding ptxas and nvdisasm (case B05), and what their failures say."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path

import pytest
from device_text import whole
from tcgen05_mlir import cuda_tools
from tcgen05_mlir.cuda_tools import Tool, ToolError

VERSION_TEXT = """\
ptxas: NVIDIA (R) Ptx optimizing assembler
Cuda compilation tools, release 13.0, V13.0.88
Build cuda_13.0.r13.0/compiler.36424714_0"""


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine without any CUDA tool: the tests put there what they are about."""
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    for variable in cuda_tools.CUDA_FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(cuda_tools, "_in_wheel", lambda wheel, name: None)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def script(path: Path, python: str) -> Path:
    """An executable that runs a line of Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\nimport sys\n{python}\n")
    path.chmod(0o755)
    return path


def working(path: Path, python: str = "") -> Path:
    """A ptxas that tells its version and else runs `python`."""
    return script(
        path, f"if sys.argv[1:] == ['--version']: sys.exit(print({VERSION_TEXT!r}))\n{python}"
    )


def test_b05_no_ptxas_names_what_was_looked_for_and_where(machine, monkeypatch):
    monkeypatch.setenv("CUDA_HOME", str(machine / "empty"))
    (machine / "empty").mkdir()
    message = f"""\
ptxas not found; looked for:
  'ptxas' in PATH ({machine}/path)
  CUDA_HOME: '{machine}/empty/bin/ptxas'
  CUDA_PATH: not set
  the wheels nvidia-cuda-nvcc and nvidia-cuda-nvcc-cu12: not installed, or without ptxas
install a CUDA toolkit, or the wheels: pip install 'tcgen05-mlir[cuda]'"""
    with pytest.raises(ToolError, match=whole(message)):
        cuda_tools.find_tool("ptxas")


def test_b05_path_comes_first_then_the_folders_then_the_wheels(machine, monkeypatch):
    wheel = working(machine / "wheel" / "ptxas")
    monkeypatch.setattr(cuda_tools, "_in_wheel", lambda name, tool: wheel)
    found = [cuda_tools.find_tool("ptxas")]
    for variable, folder in (("CUDA_PATH", "second"), ("CUDA_HOME", "first")):
        working(machine / folder / "bin" / "ptxas")
        monkeypatch.setenv(variable, str(machine / folder))
        found.append(cuda_tools.find_tool("ptxas"))
    working(machine / "path" / "ptxas")
    found.append(cuda_tools.find_tool("ptxas"))
    assert found == [
        Tool("ptxas", wheel, "13.0.88", "wheel nvidia-cuda-nvcc"),
        Tool("ptxas", machine / "second/bin/ptxas", "13.0.88", "CUDA_PATH"),
        Tool("ptxas", machine / "first/bin/ptxas", "13.0.88", "CUDA_HOME"),
        Tool("ptxas", machine / "path/ptxas", "13.0.88", "PATH"),
    ]


def test_b05_the_choice_is_logged_with_path_and_version(machine, caplog):
    path = working(machine / "path" / "ptxas")
    with caplog.at_level(logging.INFO, "tcgen05_mlir"):
        cuda_tools.find_tool("ptxas")
    assert caplog.messages == [f"using ptxas 13.0.88 at {path} (PATH)"]


def test_b05_a_stub_first_on_path_is_reported_not_passed_over(machine, monkeypatch):
    stub = script(machine / "path" / "ptxas", "print('install the toolkit first'); sys.exit(3)")
    working(machine / "toolkit" / "bin" / "ptxas")
    monkeypatch.setenv("CUDA_HOME", str(machine / "toolkit"))
    message = (
        f"'{stub}' is not a working ptxas: '--version' ended with exit code 3 and printed:\n"
        "install the toolkit first"
    )
    with pytest.raises(ToolError, match=whole(message)):
        cuda_tools.find_tool("ptxas")


def test_b05_a_stub_that_prints_nothing(machine):
    stub = script(machine / "path" / "ptxas", "")
    message = (
        f"'{stub}' is not a working ptxas: '--version' ended with exit code 0 and printed:\nnothing"
    )
    with pytest.raises(ToolError, match=whole(message)):
        cuda_tools.find_tool("ptxas")


def test_b05_a_file_that_is_no_program(machine):
    stub = script(machine / "path" / "ptxas", "")
    stub.write_bytes(b"\x7fELF, but not quite")
    message = rf"\A'{re.escape(str(stub))}' cannot be run as ptxas: .*Exec format error"
    with pytest.raises(ToolError, match=message):
        cuda_tools.find_tool("ptxas")


def test_the_tool_of_an_installed_wheel_is_found(tmp_path, monkeypatch):
    path = working(tmp_path / "nvidia" / "cu13" / "bin" / "ptxas")
    info = tmp_path / "nvidia_cuda_nvcc-13.0.88.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: nvidia-cuda-nvcc\nVersion: 13.0.88\n"
    )
    (info / "RECORD").write_text("nvidia/cu13/bin/ptxas,,\nnvidia/cu13/bin/nvcc,,\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", "")
    for variable in cuda_tools.CUDA_FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    assert cuda_tools.find_tool("ptxas") == Tool("ptxas", path, "13.0.88", "wheel nvidia-cuda-nvcc")


def test_a_refusal_shows_the_whole_log_and_keeps_the_ptx(machine):
    working(machine / "path" / "ptxas", "print('line 9; error   : no'); sys.exit('fatal')")
    with pytest.raises(ToolError) as error:
        cuda_tools.assemble("the ptx", "sm_100a")
    (kept,) = machine.glob("tcgen05-*.ptx")
    assert kept.read_text() == "the ptx"
    assert str(error.value) == (
        f"ptxas 13.0.88 at {machine}/path/ptxas (PATH) failed with exit code 1; the PTX is kept in "
        f"'{kept}':\nline 9; error   : no\nfatal"
    )


@pytest.mark.parametrize(
    ("chip", "level", "arch"), [("sm_100a", 3, "sm_100a"), ("sm_101a", 0, "sm_110a")]
)
def test_ptxas_is_told_its_own_name_of_the_chip(machine, chip, level, arch):
    working(machine / "path" / "ptxas", "open(sys.argv[5], 'w').write(' '.join(sys.argv[1:3]))")
    assert cuda_tools.assemble("", chip, level) == f"-arch={arch} -O{level}".encode()
    assert list(machine.glob("tcgen05-*")) == []


def test_a_ptxas_from_before_the_renaming_is_told_the_old_name(machine):
    script(
        machine / "path" / "ptxas",
        "if sys.argv[1:] == ['--version']: sys.exit(print('ptxas: release 12.9, V12.9.86'))\n"
        "open(sys.argv[5], 'w').write(sys.argv[1])",
    )
    assert cuda_tools.assemble("", "sm_101a") == b"-arch=sm_101a"


def test_what_ptxas_warns_of_is_logged(machine, caplog):
    working(
        machine / "path" / "ptxas",
        "print('ptxas warning : odd', file=sys.stderr); open(sys.argv[5], 'w')",
    )
    with caplog.at_level(logging.WARNING, "tcgen05_mlir"):
        assert cuda_tools.assemble("", "sm_100a") == b""
    assert caplog.messages == ["ptxas warning : odd"]


def test_a_ptxas_that_writes_nothing_has_failed(machine):
    working(machine / "path" / "ptxas")
    with pytest.raises(ToolError, match="failed with exit code 0; the PTX is kept in"):
        cuda_tools.assemble("", "sm_100a")


def test_nvdisasm_says_why_it_refuses(machine):
    script(
        machine / "path" / "nvdisasm",
        "if sys.argv[1:] == ['--version']: sys.exit(print('nvdisasm: NVIDIA V13.2.51'))\n"
        "sys.exit('not an Elf file')",
    )
    message = (
        f"nvdisasm 13.2.51 at {machine}/path/nvdisasm (PATH) failed with exit code 1:\n"
        "not an Elf file"
    )
    with pytest.raises(ToolError, match=whole(message)):
        cuda_tools.disassemble(b"")
