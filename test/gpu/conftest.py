"""GPU tests: the children that run cases, and the table at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from batches import FIRST_CLUSTERS, number
from cases import CASES, REFUSALS, Case, Refusal
from children import Children
from needs_gpu import gpus, need_gpu
from tcgen05_mlir import runtime

HAS_MLIR = find_spec("mlir") is not None
NEED_MLIR = ["test_gpu_simulator.py", "test_gpu_compile.py", "test_gpu_refused.py"]
collect_ignore = [] if HAS_MLIR else NEED_MLIR


def pytest_report_header() -> str:
    found, why = gpus()
    there = ", ".join(map(str, found)) or why
    if HAS_MLIR:
        return f"GPUs: {there}"
    return f"GPUs: {there}; without MLIR, so {', '.join(NEED_MLIR)} are left out"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Code for a chip that has no clusters runs the cases that need none."""
    chip = config.getoption("--chip")
    if chip is None or number(chip) >= FIRST_CLUSTERS:
        return
    tables: dict[str, Case | Refusal] = {**CASES, **REFUSALS}
    marks = {item: item.get_closest_marker("on_gpu") for item in items}
    gone = [item for item, mark in marks.items() if mark and tables[mark.args[0]].kernel.clustered]
    items[:] = [item for item in items if item not in gone]
    config.hook.pytest_deselected(items=gone)


@pytest.fixture(scope="session")
def gpu(request: pytest.FixtureRequest) -> runtime.Device:
    """The GPU that cases run on."""
    return need_gpu(request.config)


@pytest.fixture(scope="session")
def device_kind(request: pytest.FixtureRequest, gpu: runtime.Device) -> str:
    """native or emulate: what --device says, else what the GPU is."""
    return request.config.getoption("--device") or ("native" if gpu.has_tcgen05 else "emulate")


@pytest.fixture(scope="session")
def artifacts(
    request: pytest.FixtureRequest,
    gpu: runtime.Device,
    device_kind: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The folder of --artifacts, else one with what is compiled now for the GPU."""
    folder = request.config.getoption("--artifacts")
    if folder is not None:
        return folder
    if not HAS_MLIR:
        pytest.fail("without MLIR nothing can be compiled here: give --artifacts", pytrace=False)
    from build_artifacts import build, native_chip

    folder = tmp_path_factory.mktemp("artifacts")
    build(folder, [native_chip(gpu) if device_kind == "native" else gpu.chip], [device_kind])
    return folder


@pytest.fixture(scope="session")
def children(
    request: pytest.FixtureRequest, artifacts: Path, device_kind: str
) -> Iterator[Children]:
    """Child processes for the cases that pytest selected."""
    marks = [item.get_closest_marker("on_gpu") for item in request.session.items]
    keys = [mark.args for mark in marks if mark]
    chip = request.config.getoption("--chip") or "*"
    running = Children(artifacts, device_kind, keys, chip)
    yield running
    running.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Cases by family: how many passed and failed, and the time of their launches."""
    rows: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for column, outcome in enumerate(("passed", "failed")):
        for report in terminalreporter.stats.get(outcome, ()):
            found = dict(getattr(report, "user_properties", ()))
            if "family" in found:
                rows[found["family"]][column] += 1
                rows[found["family"]][2] += found["seconds"]
    if not rows:
        return
    rows["all"] = [sum(values) for values in zip(*rows.values(), strict=True)]
    terminalreporter.section("cases on the GPU")
    terminalreporter.write_line("| family | passed | failed | seconds in children |")
    terminalreporter.write_line("|---|---|---|---|")
    for family, (passed, failed, seconds) in rows.items():
        terminalreporter.write_line(f"| {family} | {passed} | {failed} | {seconds:.1f} |")
