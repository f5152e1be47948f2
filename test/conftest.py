"""What all tests share: the CUDA tools, the options of GPU tests, what a run has to show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from run_rules import complaint
from tcgen05_mlir.cuda_tools import Tool, ToolError, find_tool


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gpu", "kernels on a GPU (test/gpu)")
    group.addoption(
        "--artifacts",
        type=Path,
        metavar="DIR",
        help="what test/gpu/build_artifacts.py compiled; default: compiled here, with MLIR",
    )
    group.addoption(
        "--require-gpu", action="store_true", help="a missing GPU is a failure, not a skip"
    )
    group.addoption(
        "--device",
        choices=("native", "emulate"),
        help="default: native on a GPU with tcgen05, emulate on another one",
    )
    group.addoption(
        "--chip",
        metavar="CHIP",
        help="run the artifacts for this chip, such as sm_80 as PTX on a newer GPU; clusters are "
        "left out where it has none; default: those that suit the GPU",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "on_gpu(case, path): runs a case of the table on a GPU")
    config.addinivalue_line("markers", "on_simulator: runs a case of the table on the simulator")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run that showed less than it has to."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus != pytest.ExitCode.OK or reporter is None or session.config.option.collectonly:
        return
    passed, skipped = (reporter.stats.get(kind, []) for kind in ("passed", "skipped"))
    words = complaint(len(passed), skipped, ci=os.environ.get("CI") == "true")
    if words:
        reporter.write_line(f"\n{words}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _tool(name: str) -> Tool:
    try:
        return find_tool(name)
    except ToolError as error:
        pytest.skip(f"needs {name}: {error}")


@pytest.fixture(scope="session")
def ptxas() -> Tool:
    """The ptxas of this machine; skips, naming what was looked for, where there is none."""
    return _tool("ptxas")


@pytest.fixture(scope="session")
def nvdisasm() -> Tool:
    """The nvdisasm of this machine; skips, naming what was looked for, where there is none."""
    return _tool("nvdisasm")
