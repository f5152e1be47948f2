"""Emulated kernels against the same kernels with tensor memory: the same arrays, every element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from emulating import emulated
from tcgen05_mlir.simulator import run
from test_simulator_examples import CASES, words

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("chip", ["sm_80", "sm_90", "sm_100a", "sm_120"])
@pytest.mark.parametrize("name", CASES)
def test_examples(name: str, chip: str, path: str) -> None:
    if name == "cta_pair" and chip == "sm_80":
        return
    shape, out, expected = CASES[name]
    a = words(*shape)
    lowered = emulated(EXAMPLES / f"{name}.mlir", chip, path)
    results = run(lowered, None, a, np.zeros(out, np.int32), seed=1)
    assert (results[0] == a).all()
    assert (results[1] == expected(a)).all()
