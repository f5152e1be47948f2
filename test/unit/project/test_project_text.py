"""The project's text speaks of the project: no machine's paths, no leftovers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import ROOT

FOLDERS = ("cmake", "dialect", "docs", "examples", "python", "test")
KINDS = {".md", ".py", ".pyi", ".cpp", ".h", ".td", ".txt", ".cmake", ".in", ".mlir", ".toml"}
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.$}])/(?:work|opt|root|home|Users)/",
    "a temporary path": r"(?<![\w.$}])/tmp/",
    "a leftover": r"\b(?:TODO|FIXME|XXX|HACK)\b",
    "a number of a tracker": r"\b[Ii]ssue #?\d",
}


def _files() -> list[Path]:
    """What people wrote: no caches, and no output of the lit suite."""
    nested = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    files = [path for path in (*ROOT.glob("*"), *nested) if path.suffix in KINDS]
    written = [path for path in files if not re.search(r"/(?:\.|Output/)", path.as_posix())]
    return [ROOT / ".ci/run", *(path for path in written if path != Path(__file__))]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_forbidden_text(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in _files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


def test_the_files_are_found() -> None:
    names = {str(path.relative_to(ROOT)) for path in _files()}
    assert {"README.md", ".ci/run", "docs/rules.md", "dialect/lib/CpOp.cpp"} <= names
