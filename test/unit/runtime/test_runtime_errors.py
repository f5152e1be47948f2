"""Errors go through pickle, to other processes; wrong arguments are named."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_driver import ModelDriver
from scenarios import kernels, words
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import CudaError, DriverMissing, EmulationError
from whole import whole

DATA = Path(__file__).parents[2] / "data/driver"
ERRORS = [
    CudaError("loading 'a'", "CUDA_ERROR_INVALID_PTX", "cuModuleLoadDataEx", "line 9: no PTX"),
    CudaError("launch 1", "CUDA_ERROR_LAUNCH_FAILED", "cuStreamSynchronize"),
    EmulationError("k.mlir:1:2: [S2]", "CUDA_ERROR_LAUNCH_FAILED", "cuStreamSynchronize"),
    DriverMissing("no CUDA driver"),
]


def _fail(error: Exception) -> None:
    raise error


def _same(found: BaseException, wanted: BaseException) -> None:
    assert type(found) is type(wanted)
    assert (str(found), found.args, vars(found)) == (str(wanted), wanted.args, vars(wanted))


@pytest.mark.parametrize("error", ERRORS, ids=str)
def test_pickled_and_copied(error: Exception) -> None:
    _same(pickle.loads(pickle.dumps(error)), error)
    _same(copy.copy(error), error)


def test_from_another_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for error in ERRORS:
            with pytest.raises(type(error)) as found:
                pool.apply_async(_fail, (error,)).get(timeout=60)
            _same(found.value, error)


def test_an_error_says_its_log_last() -> None:
    assert str(ERRORS[0]) == "loading 'a'\nline 9: no PTX"
    assert str(ERRORS[1]) == "launch 1"


@pytest.mark.parametrize(
    ("given", "text"),
    [("copy.cubin", "str 'copy.cubin'"), (None, "NoneType None"), (b"", "bytes b''")],
)
def test_what_is_no_artifact_is_not_loaded(gpu: ModelDriver, given: Any, text: str) -> None:
    message = f"'artifact' must be what Artifact.read or compile_artifact returns, got {text}"
    with pytest.raises(TypeError, match=whole(message)):
        runtime.load(given)
    assert not gpu.calls


@pytest.mark.parametrize(
    ("repeats", "kind", "message"),
    [
        (0, ValueError, "'repeats' must be 1 or more, got 0"),
        (-1, ValueError, "'repeats' must be 1 or more, got -1"),
        (2.5, TypeError, "'repeats' must be an int, got float 2.5"),
        (True, TypeError, "'repeats' must be an int, got bool True"),
    ],
)
def test_no_times(gpu: ModelDriver, repeats: Any, kind: type[Exception], message: str) -> None:
    a = words(256)
    with runtime.load(kernels(DATA)) as module:
        launch = module.kernel("copy").prepare(a, a, grid=2)
        with pytest.raises(kind, match=whole(message)):
            launch.time(repeats)
        assert gpu.launches == []
        assert 0 < launch.time(np.int64(2)) < 1
