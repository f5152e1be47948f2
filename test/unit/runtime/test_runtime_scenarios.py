"""The scenarios that are recorded on GPUs, on the model of one: right results, whole messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from model_driver import ModelDriver
from scenarios import SCENARIOS

DATA = Path(__file__).parents[2] / "data/driver"

WITHOUT_ERRORS = ["copy", "copy_from_cubin", "arrays", "numbers"]


@pytest.mark.parametrize("name", WITHOUT_ERRORS)
def test_results_are_right(name: str, gpu: ModelDriver) -> None:
    assert SCENARIOS[name](DATA) == []


def test_d01_the_line_of_a_syntax_error_and_where_the_ptx_is(gpu: ModelDriver) -> None:
    (message,) = SCENARIOS["d01_syntax_error"](DATA)
    match = re.fullmatch(
        r"CudaError CUDA_ERROR_INVALID_PTX: loading 'broken.ptx' \(PTX for sm_90\) on device 0 "
        r"\(Model GPU, sm_90\); the PTX is kept in '(.*\.ptx)': cuModuleLoadDataEx failed with "
        r"CUDA_ERROR_INVALID_PTX \(a PTX JIT compilation failed\)\n"
        r"ptxas application ptx input, line 9; error   : this is no PTX; is not known",
        message,
    )
    assert match is not None, message
    kept = Path(match[1])
    assert kept.read_bytes().splitlines()[8] == b"  this is no PTX;"
    kept.unlink()
