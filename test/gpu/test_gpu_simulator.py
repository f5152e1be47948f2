"""Every case on the simulator, by both ways of lowering, natively and emulated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from cases import CASES, Case
from simulate import simulate

JOBS = 2
Key = tuple[str, str, str]
"""(case, path, device)"""


def _emulated(case: Case, path: str) -> bool:
    """All by one path; by the other what differs there, or takes little time."""
    slow = case.grid is not None or case.family.startswith("cp ")
    return path == "nvvm" or not slow or "-s3-" in case.name or "predicate" in case.name


RUNS = [
    pytest.param(case.name, path, device, id=f"{case.name}-{path}-{device}")
    for case in CASES.values()
    for path in case.kernel.paths
    for device in ("native", "emulate")
    if (device == "native" or _emulated(case, path)) and not case.large
]


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest) -> Iterator[dict[Key, Future]]:
    """What the tests that were selected will find; the cases of a kernel run in one process."""
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for item in request.session.items:
        if item.get_closest_marker("on_simulator"):
            name, path, device = (item.callspec.params[key] for key in ("name", "path", "device"))
            groups[CASES[name].kernel.name, path, device].append(name)
    with ProcessPoolExecutor(JOBS, get_context("spawn")) as pool:
        found = {}
        for (_, path, device), names in groups.items():
            future = pool.submit(simulate, names, path, device)
            found.update({(name, path, device): future for name in names})
        yield found
        pool.shutdown(cancel_futures=True)


@pytest.mark.on_simulator
@pytest.mark.parametrize(("name", "path", "device"), RUNS)
def test_case_on_the_simulator(
    name: str, path: str, device: str, results: dict[Key, Future]
) -> None:
    assert results[name, path, device].result()[name] is None
