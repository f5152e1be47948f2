"""Ordinary files are replaced, both or neither; all else is written to or refused, and stays."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tcgen05_mlir.runtime.files import descriptor, is_replaceable, replace_files, write_through
from test_runtime_artifact import artifact
from whole import whole


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def is_pipe(path: Path) -> bool:
    return stat.S_ISFIFO(path.lstat().st_mode)


def test_what_is_replaced(tmp_path: Path, pipe: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "to_file").symlink_to("file")
    (tmp_path / "to_new").symlink_to("new")
    (tmp_path / "to_pipe").symlink_to(pipe)
    (tmp_path / "to_open").symlink_to("/proc/self/fd/1")
    (tmp_path / "twice").symlink_to("to_open")
    (tmp_path / "loop").symlink_to("loop")
    ordinary = [name for name in os.listdir(tmp_path) if is_replaceable(str(tmp_path / name))]
    assert sorted(ordinary) == ["file", "loop", "to_file", "to_new"]
    assert is_replaceable(str(tmp_path / "new"))
    assert not is_replaceable(str(tmp_path))


def test_open_files_have_no_name(tmp_path: Path) -> None:
    own = f"/proc/{os.getpid()}/fd/1"
    (tmp_path / "link").symlink_to("/dev/stdout")
    for path in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/self/../self/fd/1"):
        assert descriptor(path) == own
    assert descriptor(str(tmp_path / "link")) == own
    assert descriptor(str(tmp_path / "none")) is None
    assert descriptor("/proc/self/status") is None


@pytest.mark.parametrize("place", ["copy.ptx", "copy.ptx.json"])
def test_a_pipe_in_the_place_of_one_file_is_refused_for_both(
    tmp_path: Path, pipe: Path, place: str
) -> None:
    (tmp_path / place).symlink_to(pipe)
    with pytest.raises(FileExistsError) as error:
        artifact().write(tmp_path / "copy.ptx")
    wanted = (str(tmp_path / place), "is no ordinary file: it is not replaced")
    assert (error.value.filename, error.value.strerror) == wanted
    assert is_pipe(pipe)
    assert sorted(os.listdir(tmp_path)) == [place, "pipe"]


def test_a_pipe_is_not_replaced(pipe: Path) -> None:
    with pytest.raises(FileExistsError):
        replace_files({str(pipe): b"new"})
    assert is_pipe(pipe)


def test_a_pipe_is_written_to(tmp_path: Path, pipe: Path) -> None:
    (tmp_path / "link").symlink_to(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_through(str(tmp_path / "link"), b"new")
    reader.join()
    assert got == [b"new"]
    assert is_pipe(pipe)


def test_an_open_file_goes_on_where_it_is(tmp_path: Path) -> None:
    with open(tmp_path / "log", "wb", buffering=0) as log:
        log.write(b"before ")
        write_through(f"/proc/self/fd/{log.fileno()}", b"new")
        log.write(b" behind")
    assert (tmp_path / "log").read_bytes() == b"before new behind"


def test_a_redirected_stdout_keeps_its_file(tmp_path: Path) -> None:
    """As `-o /dev/stdout > log`: others have the file open."""
    (tmp_path / "out").symlink_to("/proc/self/fd/1")
    (tmp_path / "in.mlir").write_text("gpu.module @m { gpu.func @k() kernel { gpu.return } }\n")
    with open(tmp_path / "log", "w+") as log:
        command = [sys.executable, "-m", "tcgen05_mlir.tools.main", "compile", "in.mlir"]
        print("before", file=log, flush=True)
        subprocess.run([*command, "-o", "out"], cwd=tmp_path, stdout=log, check=True)
        log.seek(0)
        text = log.read()
    assert text.startswith("before\n")
    assert ".target sm_100a" in text
    assert sorted(os.listdir(tmp_path)) == ["in.mlir", "log", "out"]


@pytest.mark.parametrize(
    "text",
    ["{}", '{"name": "left-pad", "format_version": 1}', "[" * 100_000, "no JSON", "\0"],
    ids=["empty", "package", "deep", "text", "binary"],
)
def test_a_file_that_is_no_manifest_is_not_overwritten(tmp_path: Path, text: str) -> None:
    (tmp_path / "package.json").write_text(text)
    (tmp_path / "package").write_text("old")
    why = "is there and is no manifest: it is not overwritten; give the code another name"
    with pytest.raises(
        FileExistsError, match=whole(f"[Errno 17] {why}: '{tmp_path}/package.json'")
    ):
        artifact().write(tmp_path / "package")
    assert (tmp_path / "package.json").read_text() == text
    assert (tmp_path / "package").read_text() == "old"


def test_an_empty_file_and_manifests_of_other_versions_are_overwritten(tmp_path: Path) -> None:
    made = artifact()
    later = made.manifest.to_json().replace('"format_version": 1', '"format_version": 2')
    for text in ("", later):
        (tmp_path / "copy.ptx.json").write_text(text)
        made.write(tmp_path / "copy.ptx")
        assert type(made).read(tmp_path / "copy.ptx") == made
