"""The simulator's errors go through pickle to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.simulator import SimulationError, run
from tcgen05_mlir.simulator.emulated import ReportedError

COPY = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"


def _simulate() -> None:
    """Without the fence that the copy needs."""
    words = np.zeros((128, 4), np.int32)
    run(COPY.read_text().replace("nvvm.fence.proxy", "// "), "copy", words, words)


def _error() -> SimulationError:
    with pytest.raises(SimulationError) as error:
        _simulate()
    return error.value


def _same(found: BaseException, wanted: BaseException) -> None:
    assert type(found) is type(wanted)
    assert (str(found), found.args, vars(found)) == (str(wanted), wanted.args, vars(wanted))


def test_pickled_and_copied() -> None:
    made = _error()
    assert made.rule == "P3"
    assert made.site is not None
    for error in (made, ReportedError("k.mlir:1:2: is wrong [S2]", made)):
        _same(pickle.loads(pickle.dumps(error)), error)
        _same(copy.copy(error), error)


def test_from_another_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        result = pool.apply_async(_simulate)
        with pytest.raises(SimulationError) as error:
            result.get(timeout=60)
    _same(error.value, _error())


@pytest.mark.parametrize(
    ("smem", "kind", "message"),
    [
        (True, TypeError, "'smem' must be an int, got bool True"),
        (1.5, TypeError, "'smem' must be an int, got float 1.5"),
        (-1, ValueError, "'smem' must be 0 or more bytes, got -1"),
    ],
)
def test_shared_memory_as_on_a_gpu(smem: object, kind: type[Exception], message: str) -> None:
    words = np.zeros((128, 4), np.int32)
    with pytest.raises(kind, match=rf"\A{message}\Z"):
        run(COPY, "copy", words, words, smem=smem)  # type: ignore[arg-type]
