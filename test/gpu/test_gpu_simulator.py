"""Every case on the simulator, by both ways of lowering, natively and emulated."""

from __future__ import annotations

import pytest
from cases import CASES, Case
from cases.compare import difference
from lowered import lowered
from tcgen05_mlir.simulator import run


def _emulated(case: Case, path: str) -> bool:
    """All by one path; by the other what differs there, or takes little time."""
    slow = case.grid is not None or case.family.startswith("cp ")
    return path == "nvvm" or not slow or "-s3-" in case.name or "predicate" in case.name


RUNS = [
    pytest.param(case, path, device, id=f"{case.name}-{path}-{device}")
    for case in CASES.values()
    for path in case.kernel.paths
    for device in ("native", "emulate")
    if (device == "native" or _emulated(case, path)) and not case.large
]


@pytest.mark.parametrize(("case", "path", "device"), RUNS)
def test_case_on_the_simulator(case: Case, path: str, device: str) -> None:
    emulate = device == "emulate"
    module = lowered((case.kernel,), path, "sm_90" if emulate else "sm_100a", emulate)
    given, wanted = case.make()
    found = run(module, case.kernel.name, *given, **case.sizes)
    assert difference(found, wanted) is None
