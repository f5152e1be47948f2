"""Every refusal on the GPU, emulated, whatever the GPU has: one report, whole, and no other end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cases import REFUSALS, Refusal
from children import Children

RUNS = [
    pytest.param(refusal, id=refusal.name, marks=pytest.mark.on_gpu(refusal.name, "nvvm"))
    for refusal in REFUSALS.values()
]


@pytest.mark.parametrize("refusal", RUNS)
def test_refusal_on_the_gpu(
    refusal: Refusal, children: Children, record_property: Callable[[str, object], None]
) -> None:
    result = children.result(refusal.name, "nvvm")
    record_property("family", refusal.family)
    record_property("seconds", result.seconds)
    if result.words:
        pytest.fail(f"{refusal.name}: {result.words}", pytrace=False)
