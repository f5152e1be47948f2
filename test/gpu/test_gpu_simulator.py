"""Every case on the simulator, by both ways of lowering."""

from __future__ import annotations

import pytest
from cases import CASES, Case
from cases.compare import difference
from lowered import lowered
from tcgen05_mlir.simulator import run

RUNS = [(case, path) for case in CASES.values() for path in case.kernel.paths]


@pytest.mark.parametrize(("case", "path"), RUNS, ids=[f"{case.name}-{path}" for case, path in RUNS])
def test_case_on_the_simulator(case: Case, path: str) -> None:
    module = lowered((case.kernel,), path, "sm_100a")
    given, wanted = case.make()
    found = run(module, case.kernel.name, *given, **case.sizes)
    assert difference(found, wanted) is None
