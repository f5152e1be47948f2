"""Emulated kernels against the same kernels with tensor memory: the same arrays, every element."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from emulating import emulated
from tcgen05_mlir.simulator import SimulationError, run
from test_simulator_examples import CASES, words
from test_simulator_try_wait import LOOP, STATE, waiting

EXAMPLES = Path(__file__).parents[3] / "examples"


RUNS = [
    (name, chip, path)
    for name in CASES
    for chip, path in (("sm_80", "nvvm"), ("sm_90", "nvvm"), ("sm_120", "inline-asm"))
    if chip != "sm_80" or name != "cta_pair"  # It has no clusters.
]


@pytest.mark.parametrize(("name", "chip", "path"), RUNS)
def test_examples(name: str, chip: str, path: str) -> None:
    shape, out, expected = CASES[name]
    a = words(*shape)
    lowered = emulated(EXAMPLES / f"{name}.mlir", chip, path)
    results = run(lowered, None, a, np.zeros(out, np.int32), seed=1)
    assert (results[0] == a).all()
    assert (results[1] == expected(a)).all()


READBACK = (EXAMPLES / "copy_readback.mlir").read_text()
PAIR = (EXAMPLES / "cta_pair.mlir").read_text()


def failure(source: str, shape: tuple[int, ...], **options: object) -> SimulationError:
    a = words(*shape)
    with pytest.raises(SimulationError) as caught:
        run(emulated(source), None, a, np.zeros_like(a), **options)
    return caught.value


def line_of(text: str, part: str) -> str:
    at = text.index(part)
    return f"-:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"


ODD = READBACK.replace("%columns = arith.constant 32 : i32", "%columns = arith.constant 48 : i32")
"""An alloc of 48 columns."""


@pytest.mark.parametrize("allow", [(), ("S20",)])
def test_what_a_check_of_its_own_found(allow: tuple[str, ...]) -> None:
    """The same words as on a GPU; the trap behind them is not what is told."""
    assert ODD != READBACK
    error = failure(ODD, (128, 4), allow=allow)
    assert str(error) == (
        f"{line_of(ODD, 'nvvm.tcgen05.alloc')}: 'nvvm.tcgen05.alloc' op must allocate a power of "
        "two columns in 32..512, got 48 [P6], in block (0, 0, 0), thread (0, 0, 0)"
    )
    assert error.rule == "P6"


def test_a_trap_of_the_kernel_stays_one() -> None:
    text = READBACK.replace("gpu.return", "llvm.intr.trap\n    gpu.return")
    error = failure(text, (128, 4))
    assert error.rule == "S20"
    assert "'llvm.intr.trap' op is reached, which must not happen [S20]" in str(error)


def test_an_emulated_wait_that_never_ends_is_a_deadlock() -> None:
    """The second block of the pair allocates nothing."""
    alone = PAIR.replace(
        "    scf.if %is_warp0 {\n      nvvm.tcgen05.alloc",
        "    %allocates = arith.andi %is_warp0, %is_leader : i1\n"
        "    scf.if %allocates {\n      nvvm.tcgen05.alloc",
        1,
    )
    assert alone != PAIR
    error = failure(alone, (2, 128, 4))
    assert error.rule == "S4"
    assert "waits in '__tcgen05_alloc_shared_cta2' at" in str(error)


DROP = STATE.replace("nvvm.mbarrier.arrive", "nvvm.mbarrier.arrive_drop").replace(
    "nvvm.mbarrier.try_wait", "nvvm.mbarrier.test.wait"
)


@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
@pytest.mark.parametrize(("code", "arrivals"), [(LOOP, 1), (STATE, 129), (DROP, 129)])
def test_every_way_to_wait(code: str, arrivals: int, chip: str) -> None:
    """On sm_80 try_wait becomes test_wait, by intrinsics and assembly of that chip."""
    lowered = emulated(waiting(code, arrivals), chip)
    a = words(128, 4)
    for seed in range(3):
        assert (run(lowered, None, a, np.zeros_like(a), seed=seed)[1] == a).all()
