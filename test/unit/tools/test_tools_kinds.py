"""What a file is decides what is done with it: not its name, and not what lies beside it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tcgen05_mlir.file_kinds import code_kind, file_kind, shown
from tcgen05_mlir.tools import lsp, main, opt

KERNEL = """
gpu.module @m {
  gpu.func @k(%out: memref<1xi32>) kernel attributes {nvvm.reqntid = array<i32: 1, 1, 1>} {
    gpu.return
  }
}
"""
NAME = os.fsdecode(b"k\xff.mlir")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current one, with k.mlir and its PTX and cubin."""
    monkeypatch.chdir(tmp_path)
    Path("k.mlir").write_text(KERNEL)
    return tmp_path


@pytest.fixture
def ptx(folder: Path) -> str:
    assert main.main(["compile", "k.mlir", "-o", "c.ptx"]) == 0
    return "c.ptx"


def tcgen05(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main.main(arguments)
    except SystemExit as ended:
        code = int(str(ended.code))
    return code, *capfd.readouterr()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x7fELF\x02\x01", "cubin"),
        (b".version 8.6\n", "PTX"),
        (b"\n//\n// Generated\n//\n\n.version 8.6\n.target sm_100a\n", "PTX"),
        (b"/* by hand\n */ .version\t8.6", "PTX"),
        (b"// .version 8.6\nmodule {\n}\n", "MLIR"),
        (b".versions", "MLIR"),
        (b"ML\xefR\x0d", "MLIR"),
        (b"", "MLIR"),
    ],
)
def test_the_first_bytes(data: bytes, kind: str, tmp_path: Path) -> None:
    assert code_kind(data) == kind
    (tmp_path / "x").write_bytes(data)
    assert file_kind(str(tmp_path / "x")) == kind


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert file_kind(str(tmp_path / "pipe")) == "MLIR"


def test_mlir_with_any_json_beside_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("k.mlir.json").write_text("{}")
    flags = ["--arg=new:1xi32", "--equal=0:0", "--device=simulator"]
    wanted = (0, "", "argument 0 equals argument 0 as given: 1xi32\n")
    assert tcgen05(capfd, "run", "k.mlir", *flags) == wanted


def test_ptx_without_its_manifest(ptx: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("c.ptx.json").unlink()
    assert tcgen05(capfd, "run", ptx, "--arg=new:1xi32") == (
        1,
        "",
        "tcgen05: error: 'c.ptx' is PTX without its manifest 'c.ptx.json', which "
        "`tcgen05 compile -o` writes beside it\n",
    )


def test_a_cubin_without_its_manifest(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("c").write_bytes(b"\x7fELF")
    assert tcgen05(capfd, "run", "c", "--arg=new:1xi32") == (
        1,
        "",
        "tcgen05: error: 'c' is a cubin without its manifest 'c.json', which "
        "`tcgen05 compile -o` writes beside it\n",
    )


def test_what_is_compiled_is_not_compiled_again(
    ptx: str, capfd: pytest.CaptureFixture[str]
) -> None:
    message = "tcgen05: error: '{}' must be MLIR text or bytecode, got {}\n"
    assert tcgen05(capfd, "compile", ptx) == (1, "", message.format("c.ptx", "PTX"))
    Path("c").write_bytes(b"\x7fELF\xff")
    assert tcgen05(capfd, "compile", "c") == (1, "", message.format("c", "a cubin"))


def test_a_module_of_the_kernel(ptx: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert tcgen05(capfd, "run", ptx, "--arg=new:1xi32", "--kernel=wrong::k") == (
        2,
        "",
        "tcgen05: error: argument --kernel: 'c.ptx' has the kernels of one gpu.module: expected "
        "KERNEL, got 'wrong::k'\n",
    )


@pytest.mark.parametrize("name", ["c.ptx", "c.ptx.json"])
def test_no_result_replaces_the_input(
    ptx: str, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = Path(name).read_bytes()
    assert tcgen05(capfd, "run", ptx, "--arg=new:1xi32", f"--out=0:{name}") == (
        2,
        "",
        f"tcgen05: error: '{name}' is the input: it would be overwritten\n",
    )
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize("command", ["compile", "run"])
def test_a_name_that_is_no_utf8(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("k.mlir").rename(NAME)
    assert tcgen05(capfd, command, NAME) == (
        1,
        "",
        "tcgen05: error: the name of 'k\\xff.mlir' must be UTF-8: rename the file, or give its "
        "text\n",
    )


def test_arguments_of_mlirs_tools_are_utf8(capfd: pytest.CaptureFixture[str]) -> None:
    words = "argument 'k\\xff.mlir' must be UTF-8: rename the file, or give it on stdin\n"
    assert opt.main(["--verify-each", NAME]) == 1
    assert capfd.readouterr() == ("", f"tcgen05-opt: error: {words}")
    assert lsp.main([NAME]) == 1
    assert capfd.readouterr() == ("", f"tcgen05-lsp-server: error: {words}")


def test_a_name_as_messages_say_it() -> None:
    assert shown(NAME) == "k\\xff.mlir"
    assert shown("ä.mlir") == "ä.mlir"
