"""Every case on the GPU, natively or by emulation, against arrays that numpy made."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cases import CASES, Case
from children import Children

RUNS = [
    pytest.param(case, path, id=f"{case.name}-{path}", marks=pytest.mark.on_gpu(case.name, path))
    for case in CASES.values()
    for path in case.kernel.paths
]


@pytest.mark.parametrize(("case", "path"), RUNS)
def test_case_on_the_gpu(
    case: Case, path: str, children: Children, record_property: Callable[[str, object], None]
) -> None:
    result = children.result(case.name, path)
    record_property("family", case.family)
    record_property("seconds", result.seconds)
    if result.words:
        pytest.fail(f"{case.name}: {result.words}", pytrace=False)
