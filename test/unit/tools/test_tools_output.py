"""Output files appear whole or not at all, and never in the place of the input."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest
from tcgen05_mlir.tools import output
from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.output import check_output, write_output


def test_text_and_bytes_are_written(tmp_path):
    write_output(str(tmp_path / "text"), "π\n")
    write_output(str(tmp_path / "raw"), b"\x7fELF")
    assert (tmp_path / "text").read_bytes() == "π\n".encode()
    assert (tmp_path / "raw").read_bytes() == b"\x7fELF"
    assert sorted(os.listdir(tmp_path)) == ["raw", "text"]


def test_the_mode_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_output(str(tmp_path / "out"), "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o640


@pytest.mark.parametrize("present", [True, False])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, present):
    out = tmp_path / "out"
    if present:
        out.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "replace", fail)
    with pytest.raises(OSError, match="No space left on device"):
        write_output(str(out), "new")
    assert os.listdir(tmp_path) == (["out"] if present else [])
    assert not present or out.read_text() == "old"


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_output(str(tmp_path / "link"), "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_stays_a_pipe(tmp_path):
    out, got = tmp_path / "out", []
    os.mkfifo(out)
    reader = threading.Thread(target=lambda: got.append(out.read_bytes()))
    reader.start()
    write_output(str(out), "gone")
    reader.join()
    assert got == [b"gone"]
    assert stat.S_ISFIFO(out.lstat().st_mode)


def test_stdout_gets_exactly_the_content(capfdbinary):
    write_output("-", b"\x7fELF")
    assert capfdbinary.readouterr().out == b"\x7fELF"


def test_the_input_is_not_an_output(tmp_path):
    source = tmp_path / "in.mlir"
    source.write_text("")
    (tmp_path / "other").symlink_to(source)
    message = rf"\A'{tmp_path}/other' is the input: it would be overwritten\Z"
    with pytest.raises(UsageError, match=message):
        check_output(str(tmp_path / "other"), str(source), binary=False)
    check_output(str(tmp_path / "new"), str(source), binary=False)
    check_output(str(source), "-", binary=False)


def test_raw_bytes_do_not_go_to_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    with pytest.raises(UsageError, match=r"\Aa cubin is not written to a terminal: give -o FILE\Z"):
        check_output("-", "in.mlir", binary=True)
    check_output("-", "in.mlir", binary=False)


def test_errors_name_what_the_user_gave(tmp_path):
    missing = str(tmp_path / "missing" / "out")
    with pytest.raises(FileNotFoundError) as error:
        write_output(missing, "x")
    assert (error.value.filename, error.value.strerror) == (missing, "No such file or directory")
    (tmp_path / "closed").symlink_to("/proc/self/fd/9999")
    with pytest.raises(OSError, match="Bad file descriptor") as error:
        write_output(str(tmp_path / "closed"), "x")
    assert error.value.filename == str(tmp_path / "closed")


@pytest.mark.parametrize(
    ("redirection", "name"), [("<&-", "<stdin>"), (">&-", "<stdout>"), (">/dev/full", "<stdout>")]
)
def test_closed_streams_are_ordinary_errors(tmp_path, redirection, name):
    (tmp_path / "k.mlir").write_text("gpu.module @m {}\n")
    file = "-" if name == "<stdin>" else str(tmp_path / "k.mlir")
    line = f'"$0" -m tcgen05_mlir.tools.main compile "$1" {redirection}'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable, file], capture_output=True, text=True, check=False
    )
    why = "No space left on device" if "full" in redirection else "is closed"
    assert (done.returncode, done.stderr) == (1, f"tcgen05: error: '{name}': {why}\n")
