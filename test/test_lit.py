"""The lit suite in pytest: one test per file and FileCheck, which fails with lit's output.

The suite passes with LLVM's FileCheck and with the Python package `filecheck`. A file that lit
does not run to the end (unsupported, unresolved, expected to fail) is a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SUITE = Path(__file__).with_name("lit")
FILES = sorted(
    path.relative_to(SUITE)
    for path in SUITE.rglob("*")
    if path.suffix in (".mlir", ".test") and "Inputs" not in path.parts
)
Result = tuple[str, str]
"""lit's code, PASS or another, and its output."""


def _filechecks(path: Path) -> list[str]:
    """Both, or the first alone where none is called."""
    run_lines = [line for line in (SUITE / path).read_text().splitlines() if "RUN:" in line]
    return ["llvm", "python"] if any("FileCheck" in line for line in run_lines) else ["llvm"]


CASES = [(filecheck, path) for path in FILES for filecheck in _filechecks(path)]


def _run_lit(filecheck: str, paths: list[Path], folder: Path) -> dict[Path, Result]:
    report = folder / "report.json"
    arguments = ["-v", f"--output={report}"]
    parameters = [f"--param=filecheck={filecheck}", f"--param=exec_root={folder}"]
    files = [str(SUITE / path) for path in paths]
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from lit.main import main; main()",
            *arguments,
            *parameters,
            *files,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    tests = json.loads(report.read_text())["tests"]
    names = [Path(test["name"].partition(" :: ")[2]) for test in tests]
    assert sorted(names) == sorted(paths), done.stdout + done.stderr
    return {name: (test["code"], test["output"]) for name, test in zip(names, tests, strict=True)}


@pytest.fixture(scope="session")
def lit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Path], Result]:
    """What lit says of a file. It runs once per FileCheck, on the files that pytest selected."""
    results: dict[str, dict[Path, Result]] = {}
    items = [item for item in request.session.items if item.name in _NAMES]
    selected = [item.callspec.params for item in items]  # type: ignore[attr-defined]

    def result(filecheck: str, path: Path) -> Result:
        if filecheck not in results:
            paths = [case["path"] for case in selected if case["filecheck"] == filecheck]
            results[filecheck] = _run_lit(filecheck, paths, tmp_path_factory.mktemp(filecheck))
        return results[filecheck][path]

    return result


def _name(filecheck: str, path: Path) -> str:
    return f"{path}-{filecheck}"


_NAMES = {f"test_lit[{_name(*case)}]" for case in CASES}


@pytest.mark.parametrize(("filecheck", "path"), CASES, ids=[_name(*case) for case in CASES])
def test_lit(filecheck: str, path: Path, lit: Callable[[str, Path], Result]) -> None:
    code, output = lit(filecheck, path)
    if code != "PASS":
        pytest.fail(f"{code}: {path} with {filecheck}'s FileCheck\n{output}", pytrace=False)


def test_no_file_of_the_suite_is_left_out() -> None:
    found = {
        path.relative_to(SUITE)
        for path in SUITE.rglob("*")
        if path.is_file() and not {"Inputs", "Output", "__pycache__"} & {*path.parts}
    }
    assert found == {*FILES, Path("lit.cfg.py")}
