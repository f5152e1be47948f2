"""A missing GPU: the one skip that CI allows, and what --require-gpu makes of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from run_rules import complaint

HERE = Path(__file__).parent
REASON = "Skipped: needs a CUDA GPU; found none: no driver"
LAUNCHES = "test/gpu/test_gpu_launch.py"


def skipped(path: str, reason: str = REASON) -> pytest.TestReport:
    where = (path, 1, reason)
    return pytest.TestReport(f"{path}::test_b", (path, 0, ""), {}, "skipped", where, "call")


@pytest.mark.parametrize(
    ("passed", "reports", "ci", "words"),
    [
        (1, [], True, None),
        (1, [skipped("test/unit/test_a.py")], False, None),
        (0, [], False, "no test passed, 0 were skipped"),
        (0, [skipped(LAUNCHES)], True, "no test passed, 1 were skipped"),
        (1, [skipped(LAUNCHES)], True, None),
        (1, [skipped("test/gpu/test_gpu_refusals.py")], True, None),
        (
            1,
            [skipped(LAUNCHES), skipped("test/unit/test_a.py")],
            True,
            "with CI=true no test may be skipped, but 1 were: test/unit/test_a.py::test_b",
        ),
        (
            1,
            [skipped(LAUNCHES, "Skipped: needs a GPU with tcgen05; found sm_90")],
            True,
            f"with CI=true no test may be skipped, but 1 were: {LAUNCHES}::test_b",
        ),
    ],
)
def test_what_a_run_has_to_show(passed, reports, ci, words) -> None:
    assert complaint(passed, reports, ci=ci) == words


LAUNCH = "test_gpu_launch.py::test_case_on_the_gpu[example-cta_pair-nvvm]"
TABLE = "test_gpu_table.py::test_kernels_have_names_of_their_own"
ELSEWHERE = """import pytest


def test_passes() -> None:
    pass


def test_skips() -> None:
    pytest.skip("needs a CUDA GPU; found none: no driver")
"""


def run_pytest(*arguments: str, **more: str) -> tuple[int, str]:
    """A run with CI=true, as on a machine whose GPUs are hidden."""
    environment = {**os.environ, "CI": "true", "CUDA_VISIBLE_DEVICES": "-1", **more}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=HERE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_ci_allows_launches_to_be_skipped() -> None:
    code, output = run_pytest(LAUNCH, TABLE)
    assert code == 0, output
    assert ": needs a CUDA GPU; found none: " in output
    assert "1 passed, 1 skipped" in output


def test_require_gpu_makes_it_a_failure() -> None:
    code, output = run_pytest(LAUNCH, TABLE, "--require-gpu")
    assert code == 1, output
    assert "needs a CUDA GPU; found none: " in output
    assert "1 passed, 1 error" in output


def test_a_run_of_nothing_but_skips_fails() -> None:
    code, output = run_pytest(LAUNCH)
    assert code == 1, output
    assert "no test passed, 1 were skipped" in output


def test_the_same_skip_elsewhere_fails_in_ci(tmp_path: Path) -> None:
    elsewhere = tmp_path / "test_elsewhere.py"
    elsewhere.write_text(ELSEWHERE)
    code, output = run_pytest(str(elsewhere), TABLE)
    assert code == 1, output
    assert "with CI=true no test may be skipped, but 1 were" in output


def test_the_suite_runs_without_mlir(tmp_path: Path) -> None:
    """As on a machine that has artifacts, a GPU, numpy and pytest."""
    hide = 'import sys\nsys.modules["mlir"] = sys.modules["hypothesis"] = None\n'
    (tmp_path / "sitecustomize.py").write_text(hide)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {"PYTHONPATH": os.pathsep.join(paths), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    code, output = run_pytest("--collect-only", ".", **environment)
    assert code == 0, output
    assert LAUNCH in output
    needing = ("test_gpu_simulator.py", "test_gpu_compile.py", "test_gpu_refused.py")
    assert not any(f"{name}::" in output for name in needing)
    code, output = run_pytest(LAUNCH, TABLE, "-v", **environment)
    assert code == 0, output
    assert f"; without MLIR, so {', '.join(needing)} are left out" in output
