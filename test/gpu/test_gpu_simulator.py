"""Every case on the simulator, by both ways of lowering, natively and emulated."""

from __future__ import annotations

import pytest
from cases import CASES, Case
from cases.compare import difference
from lowered import lowered
from tcgen05_mlir.simulator import run

RUNS = [
    pytest.param(case, path, device, id=f"{case.name}-{path}-{device}")
    for case in CASES.values()
    for path in case.kernel.paths
    for device in ("native", "emulate")
]


@pytest.mark.parametrize(("case", "path", "device"), RUNS)
def test_case_on_the_simulator(case: Case, path: str, device: str) -> None:
    emulate = device == "emulate"
    module = lowered((case.kernel,), path, "sm_90" if emulate else "sm_100a", emulate)
    given, wanted = case.make()
    found = run(module, case.kernel.name, *given, **case.sizes)
    assert difference(found, wanted) is None
