"""`Artifact`: compiled kernels with their manifest, in memory or in two files."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from .files import replace_files
from .manifest import Manifest


@dataclass(frozen=True)
class Artifact:
    """`code`: PTX or a cubin, as the manifest says; `name`: what messages call it.

    Raises ValueError where the code is not the one that the manifest describes.
    """

    code: bytes
    manifest: Manifest
    name: str = field(default="artifact", compare=False)

    def __post_init__(self) -> None:
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

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the code to `path` and the manifest to `path`.json, both or neither; OSError."""
        code = os.fspath(path)
        text = self.manifest.to_json().encode()
        replace_files({code: self.code, manifest_path(code): text})

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Artifact:
        """What `write` wrote. Raises OSError; ValueError for a file that is not as it was."""
        code = os.fspath(path)
        try:
            manifest = Manifest.from_json(Path(manifest_path(code)).read_bytes())
        except ValueError as error:
            raise ValueError(f"'{manifest_path(code)}': {error}") from None
        return Artifact(Path(code).read_bytes(), manifest, code)


def manifest_path(path: str) -> str:
    """Where the manifest of the code in `path` is: `copy.cubin.json` for `copy.cubin`."""
    return f"{path}.json"


def _ptx_target(code: bytes) -> str | None:
    match = re.search(rb"^\s*\.target\s+(\w+)", code, re.MULTILINE)
    return match[1].decode() if match else None
