"""Errors on stderr, worded and placed as mlir-opt does: never a traceback."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

STDIN_NAME = "<stdin>"
"""What the text read from `-` is called; MLIR calls it `-`."""


_USERS = {
    *("ValueError", "OSError", "ImportError", "MLIRError", "ToolError"),
    *("CudaError", "DriverMissing", "MemoryError"),
}
"""Faults of the input or the machine, not of this program."""

_KERNELS = {"SimulationError", "EmulationError"}
"""What a kernel does wrong: the message begins with the place in the source."""


class UsageError(Exception):
    """The command line is wrong in a way that argparse does not see: exit code 2."""


class _Place(NamedTuple):
    file: str
    line: int
    column: int


def report(error: Exception, stdin: bytes = b"") -> None:
    """Print one error: the diagnostics of an MLIRError, else one line for what went wrong.

    `stdin` is what was read there: source lines of the text that MLIR calls `-` are shown from it.
    """
    for line in _lines(error, stdin):
        print(line, file=sys.stderr)


def _lines(error: Exception, stdin: bytes) -> Iterator[str]:
    if diagnostics := getattr(error, "error_diagnostics", None):
        for diagnostic in diagnostics:
            yield from _diagnostic("error", diagnostic, stdin)
    elif isinstance(error, OSError) and error.filename is not None:
        yield f"tcgen05: error: '{error.filename}': {error.strerror}"
    elif _is(error, _KERNELS):
        # Behind the place, as MLIR words its own.
        yield re.sub(r"^([^\n']*:\d+:\d+: )?", r"\1error: ", str(error), count=1)
    elif _is(error, _USERS):
        yield f"tcgen05: error: {error}"
    else:
        yield (
            f"tcgen05: internal error: {type(error).__name__}: {error}; please report it "
            "(TCGEN05_MLIR_TRACEBACK=1 in the environment shows where)"
        )


def _is(error: Exception, kinds: set[str]) -> bool:
    """Whether it is of one of these classes; by name, since most runs load none of them."""
    return bool(kinds & {kind.__name__ for kind in type(error).__mro__})


def _diagnostic(severity: str, diagnostic: Any, stdin: bytes) -> Iterator[str]:
    """`file:3:5: error: message`, the source line with a caret, then the notes likewise.

    `diagnostic` is upstream's DiagnosticInfo or ours: both have location, message and notes.
    """
    place = _place(diagnostic.location)
    where = f"{place.file}:{place.line}:{place.column}: " if place else _unplaced(diagnostic)
    yield f"{where}{severity}: {diagnostic.message}"
    if place:
        yield from _excerpt(place, stdin)
    for note in getattr(diagnostic, "notes", ()):
        yield from _diagnostic("note", note, stdin)


def _unplaced(diagnostic: Any) -> str:
    text = str(diagnostic.location)[len("loc(") : -1]
    return "" if text == "unknown" else f"{text}: "


def _place(location: Any) -> _Place | None:
    """The first place in a file that a location leads to."""
    if location.is_a_file():
        from tcgen05_mlir.passes.texts import file_text  # Most runs load no MLIR.

        name = file_text(location)
        return _Place(STDIN_NAME if name == "-" else name, location.start_line, location.start_col)
    if location.is_a_name():
        return _place(location.child_loc)
    if location.is_a_callsite():
        return _place(location.callee)
    if location.is_a_fused():
        return next(filter(None, map(_place, location.locations)), None)
    return None


def _excerpt(place: _Place, stdin: bytes) -> Iterator[str]:
    """The source line and a caret below the column; nothing where the file cannot be read."""
    lines = _source(place.file, stdin).splitlines()
    if not 1 <= place.line <= len(lines):
        return
    line = lines[place.line - 1]
    yield line
    # Tabs stay tabs, so that the caret stands below its column.
    yield "".join("\t" if char == "\t" else " " for char in line[: place.column - 1]) + "^"


def _source(file: str, stdin: bytes) -> str:
    """The text of a regular file, or of stdin; empty where it cannot be read."""
    try:
        if file == STDIN_NAME:
            return stdin.decode()
        # A location may name anything: a pipe would wait for its writer.
        return Path(file).read_text("utf-8") if Path(file).is_file() else ""
    except (OSError, ValueError):
        return ""
