"""Child processes: mlir-opt runs once in a process, and some mistakes end one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

THROWAWAY = Path(__file__).with_name("throwaway_passes.py")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def _run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    options = {"input": "", "text": True, "timeout": 300, **options}
    return subprocess.run(command, capture_output=True, check=False, **options)  # type: ignore


@pytest.fixture
def opt(tmp_path: Path) -> Run:
    """Run tcgen05-opt with the throw-away passes, in an empty folder."""

    def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
        flags = ["-m", "tcgen05_mlir.tools.opt", f"--load-python-passes={THROWAWAY}"]
        return _run([sys.executable, *flags, *arguments], cwd=tmp_path, **options)

    return run


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Run Python code that finds the throw-away passes, in an empty folder."""

    def run(code: str, **options: object) -> subprocess.CompletedProcess[str]:
        start = f"import sys; sys.path.insert(0, {str(THROWAWAY.parent)!r})\n"
        return _run([sys.executable, "-c", start + code], cwd=tmp_path, **options)

    return run
