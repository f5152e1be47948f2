"""`Artifact`: compiled kernels with their manifest, in memory or in two files."""

from __future__ import annotations

import errno
import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from .files import is_replaceable, replace_files
from .manifest import Manifest, looks_like_manifest

_ELF = b"\x7fELF"
_KINDS = {"cubin": "a cubin (an ELF file)", "ptx": "PTX (text)"}


@dataclass(frozen=True)
class Artifact:
    """`code`: PTX or a cubin, as the manifest says; `name`: what messages call it.

    Raises ValueError where the code is not the one that the manifest describes, TypeError where it
    is no bytes.
    """

    code: bytes
    manifest: Manifest
    name: str = field(default="artifact", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.code, bytes):
            raise TypeError(f"'code' of an artifact must be bytes, got {type(self.code).__name__}")
        self._check_kind()
        found = hashlib.sha256(self.code).hexdigest()
        if found != self.manifest.sha256:
            raise ValueError(
                f"'{self.name}' must have the sha256 {self.manifest.sha256} that its manifest "
                f"states, got {found}"
            )
        target = _ptx_target(self.code) if self.manifest.emit == "ptx" else None
        if target not in (None, self.manifest.chip):
            raise ValueError(
                f"'{self.name}' must be PTX for {self.manifest.chip}, which its manifest states, "
                f"got '.target {target}'"
            )

    def _check_kind(self) -> None:
        """ValueError for PTX that is called a cubin, and for a cubin that is called PTX."""
        found = "cubin" if self.code.startswith(_ELF) else "ptx"
        if found != self.manifest.emit:
            wanted, got = _KINDS.get(self.manifest.emit, "code"), _KINDS[found]
            raise ValueError(
                f"'{self.name}' must be {wanted}, which its manifest states, got {got}"
            )

    def write(self, path: str | bytes | os.PathLike[str]) -> None:
        """Write the code to `path` and the manifest to `path`.json, both or neither.

        Raises OSError; FileExistsError where one of them is a device or a pipe, and where
        `path`.json is there and is no manifest.
        """
        code = os.fsdecode(path)
        _check_manifest_place(manifest_path(code))
        text = self.manifest.to_json().encode()
        replace_files({code: self.code, manifest_path(code): text})

    @staticmethod
    def read(path: str | bytes | os.PathLike[str]) -> Artifact:
        """What `write` wrote. Raises OSError; ValueError for a file that is not as it was."""
        code = os.fsdecode(path)
        try:
            manifest = Manifest.from_json(Path(manifest_path(code)).read_bytes())
        except ValueError as error:
            raise ValueError(f"'{manifest_path(code)}': {error}") from None
        return Artifact(Path(code).read_bytes(), manifest, code)


def manifest_path(path: str) -> str:
    """Where the manifest of the code in `path` is: `copy.cubin.json` for `copy.cubin`."""
    return f"{path}.json"


def _check_manifest_place(path: str) -> None:
    """FileExistsError for a file that was there before there were manifests beside code."""
    if not os.path.isfile(path) or not is_replaceable(path):
        return
    there = Path(path).read_bytes()
    if there and not looks_like_manifest(there):
        why = "is there and is no manifest: it is not overwritten; give the code another name"
        raise FileExistsError(errno.EEXIST, why, path)


def _ptx_target(code: bytes) -> str | None:
    match = re.search(rb"^\s*\.target\s+(\w+)", code, re.MULTILINE)
    return match[1].decode() if match else None
