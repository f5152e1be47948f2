"""Format, lints and types of the sources, by the tools and versions of the extra `[test]`."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CPP = sorted(
    str(path.relative_to(ROOT))
    for folder in ("dialect", "test")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".h", ".cpp")
)
COMMANDS = {
    "ruff check": [],
    "ruff format --check --diff": [],
    "clang-format --dry-run -Werror": CPP,
    "mypy": [],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_style(command: str) -> None:
    name, *flags = command.split()
    tool = Path(sysconfig.get_path("scripts"), name)
    assert tool.exists(), f"{name} is not installed: pip install '.[test]'"
    result = subprocess.run(
        [tool, *flags, *COMMANDS[command]],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_cpp_files_are_found() -> None:
    assert "dialect/lib/CpOp.cpp" in CPP


def test_modules_that_tests_import_have_names_of_their_own() -> None:
    """Each test folder is on the path of all: of two modules of one name only one is found."""
    folders = ("test/unit", "test/gpu")
    names = [
        path.name
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "conftest.py" and not (path.parent / "__init__.py").exists()
    ]
    assert sorted(names) == sorted(set(names))
