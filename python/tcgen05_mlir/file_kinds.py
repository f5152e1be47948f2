"""What a file of code holds, by its first bytes: its name and what lies beside it say nothing."""

from __future__ import annotations

import os
import re

BYTECODE = b"ML\xefR"
"""How MLIR's bytecode begins."""

_ELF = b"\x7fELF"
_PTX = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*\.version\s", re.DOTALL)
_HEAD = 1 << 16


def code_kind(data: bytes) -> str:
    """`cubin`, `PTX` or `MLIR`: what is neither of the others is taken for MLIR's text.

    `code_kind(b"//\\n.version 8.6\\n")` is `PTX`.
    """
    if data.startswith(_ELF):
        return "cubin"
    return "PTX" if _PTX.match(data[:_HEAD]) else "MLIR"


def file_kind(path: str) -> str:
    """That of a regular file; a pipe, which can be read only once, is taken for MLIR's text.

    Raises OSError for a file that cannot be read.
    """
    if not os.path.isfile(path):
        return "MLIR"
    with open(path, "rb") as file:
        return code_kind(file.read(_HEAD))


def shown(path: str) -> str:
    """A path as messages say it: bytes that are no UTF-8 as `\\xff`."""
    return os.fsencode(path).decode(errors="backslashreplace")
