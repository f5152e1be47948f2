"""Artifacts: what is written is what is read, both files or none."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tcgen05_mlir.runtime import Artifact, KernelInfo, Manifest
from whole import whole

PTX = b".version 8.6\n.target sm_100a\n.address_size 64\n"


def artifact(code: bytes = PTX, emit: str = "ptx", chip: str = "sm_100a") -> Artifact:
    digest = hashlib.sha256(code).hexdigest()
    return Artifact(code, Manifest("test", {}, chip, (8, 6), emit, digest, (KernelInfo("copy"),)))


def test_written_and_read(tmp_path: Path) -> None:
    made = artifact()
    made.write(tmp_path / "copy.ptx")
    assert sorted(os.listdir(tmp_path)) == ["copy.ptx", "copy.ptx.json"]
    assert (tmp_path / "copy.ptx").read_bytes() == PTX
    read = Artifact.read(tmp_path / "copy.ptx")
    assert read == made
    assert read.name == str(tmp_path / "copy.ptx")


def test_code_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "copy.ptx"
    artifact().write(path)
    path.write_bytes(PTX + b"\n")
    wanted, found = (hashlib.sha256(code).hexdigest() for code in (PTX, PTX + b"\n"))
    with pytest.raises(
        ValueError,
        match=whole(
            f"'{path}' must have the sha256 {wanted} that its manifest states, got {found}"
        ),
    ):
        Artifact.read(path)


def test_ptx_for_another_chip_than_its_manifest_states() -> None:
    with pytest.raises(
        ValueError,
        match=whole(
            "'artifact' must be PTX for sm_90, which its manifest states, got '.target sm_100a'"
        ),
    ):
        artifact(chip="sm_90")
    assert artifact(b"\x7fELF .target sm_100a", "cubin", "sm_90").manifest.chip == "sm_90"


@pytest.mark.parametrize(
    ("code", "emit", "message"),
    [
        (PTX, "cubin", "a cubin (an ELF file), which its manifest states, got PTX (text)"),
        (b"\x7fELF", "ptx", "PTX (text), which its manifest states, got a cubin (an ELF file)"),
    ],
)
def test_code_of_the_other_kind(code: bytes, emit: str, message: str) -> None:
    with pytest.raises(ValueError, match=whole(f"'artifact' must be {message}")):
        artifact(code, emit)


def test_code_that_is_no_bytes() -> None:
    with pytest.raises(TypeError, match=whole("'code' of an artifact must be bytes, got str")):
        Artifact(PTX.decode(), artifact().manifest)  # type: ignore[arg-type]


def test_a_path_of_bytes(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "copy.ptx")
    artifact().write(path)
    assert Artifact.read(path) == artifact()
    assert sorted(os.listdir(tmp_path)) == ["copy.ptx", "copy.ptx.json"]


def test_a_manifest_that_is_wrong_is_named(tmp_path: Path) -> None:
    path = tmp_path / "copy.ptx"
    artifact().write(path)
    Path(f"{path}.json").write_text("{}")
    with pytest.raises(ValueError, match=rf"^'{path}.json': 'format_version' of a manifest must "):
        Artifact.read(path)


@pytest.mark.parametrize("missing", ["copy.ptx", "copy.ptx.json"])
def test_a_file_that_is_missing(tmp_path: Path, missing: str) -> None:
    artifact().write(tmp_path / "copy.ptx")
    (tmp_path / missing).unlink()
    with pytest.raises(FileNotFoundError) as error:
        Artifact.read(tmp_path / "copy.ptx")
    assert error.value.filename == str(tmp_path / missing)


@pytest.mark.parametrize("old", [None, b"old code"])
def test_where_the_manifest_cannot_be_written_the_code_is_not(
    tmp_path: Path, old: bytes | None
) -> None:
    path, manifest = tmp_path / "copy.ptx", tmp_path / "copy.ptx.json"
    if old is not None:
        path.write_bytes(old)
    manifest.mkdir()
    with pytest.raises(IsADirectoryError) as error:
        artifact().write(path)
    assert error.value.filename == str(manifest)
    assert (path.read_bytes() if path.exists() else None) == old
    assert sorted(os.listdir(tmp_path)) == ["copy.ptx"] * (old is not None) + ["copy.ptx.json"]


def test_old_files_are_replaced_together(tmp_path: Path) -> None:
    path = tmp_path / "copy.ptx"
    artifact().write(path)
    other = artifact(PTX + b"// other\n")
    other.write(path)
    assert Artifact.read(path) == other
    assert sorted(os.listdir(tmp_path)) == ["copy.ptx", "copy.ptx.json"]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        artifact().write(tmp_path / "no" / "copy.ptx")
    assert error.value.filename == str(tmp_path / "no" / "copy.ptx")


def test_names_do_not_make_artifacts_differ() -> None:
    assert replace(artifact(), name="a") == replace(artifact(), name="b")
