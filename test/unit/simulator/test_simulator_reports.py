"""What copy_readback.mlir is told without its wait, with its load before it, and of a bare commit.

The reports without its fence and without its commit are in test_simulator_examples.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.simulator import SimulationError, run

TEXT = (Path(__file__).parents[3] / "examples" / "copy_readback.mlir").read_text()
WAIT = "    nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32\n"


def cut(text: str, start: str, end: str, put: str = "\n") -> str:
    """Without what lies from `start` to the end of `end`; other lines keep their numbers."""
    assert text.count(start) == 1, start
    at = text.index(start)
    stop = text.index(end, at) + len(end)
    return text[:at] + put * text.count("\n", at, stop) + text[stop:]


def load_first() -> str:
    start = TEXT.index("    %row = arith.muli %warp, %c32")
    end = TEXT.index("vector<4xi32>\n", start) + len("vector<4xi32>\n")
    return TEXT[:start].replace(WAIT, TEXT[start:end] + WAIT) + TEXT[end:]


def place(text: str, part: str) -> str:
    at = text.index(part)
    return f"-:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


def report(text: str, seed: int) -> str:
    a = np.arange(512, dtype=np.int32).reshape(128, 4)
    with pytest.raises(SimulationError) as caught:
        run(text, "copy", a, np.zeros_like(a), seed=seed)
    return str(caught.value)


CASES = [cut(TEXT, WAIT.strip(), "i32, i32\n"), load_first()]


@pytest.mark.parametrize("text", CASES, ids=["without the wait", "load before the wait"])
def test_the_load_comes_before_the_copy(text: str) -> None:
    """The warp with lane 96 on runs first: nothing has been copied."""
    where = place(text, "nvvm.tcgen05.ld %source")
    assert report(text, 0) == (
        f"{where}: 'nvvm.tcgen05.ld' op reads lane 96, column 0, which was never written [S1]\n"
        "  at block (0, 0, 0), thread (96, 0, 0)\n"
        "  note: what writes it must be waited for: a copy by the mbarrier of its commit, then "
        "nvvm.tcgen05.fence <after>; another warp's store by a barrier behind its wait::st"
    )


@pytest.mark.parametrize("text", CASES, ids=["without the wait", "load before the wait"])
def test_the_load_comes_while_the_copy_is_under_way(text: str) -> None:
    """The warp that copies runs first."""
    assert report(text, 3) == (
        f"{place(text, 'nvvm.tcgen05.ld %source')}: 'nvvm.tcgen05.ld' op reads lane 0, column 0, "
        f"which the copy 'nvvm.tcgen05.cp' at {place(text, 'tcgen05.cp <')} writes and which was "
        "not waited for [P4]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: wait for the mbarrier of the commit, then nvvm.tcgen05.fence <after>"
    )


def test_a12_a_commit_without_data_needs_no_proxy_fence() -> None:
    """(c): an mbarrier is initialised, a barrier, a commit; no copy, no store of data."""
    bare = cut(TEXT, "scf.for %w =", "    }\n")
    bare = cut(bare, "nvvm.fence.proxy", "<cta>}\n")
    bare = cut(bare, "tcgen05.cp <shape", "workgroup>>\n")
    bare = cut(bare, "%row = arith.muli", "vector<4xi32>\n")
    bare = cut(bare, "vector.store %words", "vector<4xi32>\n")
    assert "nvvm.tcgen05.commit" in bare
    a = np.ones((128, 4), np.int32)
    for seed in range(4):
        assert (run(bare, "copy", a, 2 * a, seed=seed)[1] == 2).all()
