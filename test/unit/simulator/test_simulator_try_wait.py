"""One try of mbarrier.try_wait may end before the phase does: a loop copes, a single try shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.simulator import SimulationError, run

TEXT = (Path(__file__).parents[3] / "examples" / "copy_readback.mlir").read_text()
WAIT = "nvvm.mbarrier.try_wait.parity %mbar, %parity, %ticks : !llvm.ptr<3>, i32, i32\n"
TRY = "nvvm.mbarrier.try_wait %mbar, %parity : !llvm.ptr<3>, i32 -> i1"
ONCE = f"%done = {TRY}\n"
LOOP = f"""scf.while : () -> () {{
      %done = {TRY}
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    }} do {{
      scf.yield
    }}
"""
STATE = """%state = nvvm.mbarrier.arrive %mbar : !llvm.ptr<3> -> i64
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %mbar, %state : !llvm.ptr<3>, i64 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
"""
ASM = (
    '%done = llvm.inline_asm has_side_effects "{ .reg .pred p; '
    "mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }"
    '", "=r,r,r" %mbar, %parity : (!llvm.ptr<3>, i32) -> i32\n'
)
SEEDS = range(8)


def waiting(code: str, arrivals: int = 1) -> str:
    """copy_readback with another wait."""
    assert TEXT.count(WAIT) == 1
    text = TEXT.replace(WAIT, code)
    return text.replace("%mbar, %one :", "%mbar, %count :").replace(
        "%one = arith.constant 1 : i32",
        f"%one = arith.constant 1 : i32\n    %count = arith.constant {arrivals} : i32",
    )


def outcome(text: str, seed: int) -> str:
    """`right`, or the op that was refused and its rule."""
    a = np.arange(512, dtype=np.int32).reshape(128, 4)
    try:
        out = run(text, "copy", a, np.zeros_like(a), seed=seed)[1]
    except SimulationError as error:
        return f"{error.site.name} {error.rule}"
    assert (out == a).all()
    return "right"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("code", "arrivals"), [(LOOP, 1), (STATE, 129)])
def test_a_loop_around_try_wait_ends(code: str, arrivals: int, seed: int) -> None:
    assert outcome(waiting(code, arrivals), seed) == "right"


@pytest.mark.parametrize("code", [ONCE, ASM])
def test_a_single_try_is_found_under_some_seed(code: str) -> None:
    outcomes = {outcome(waiting(code), seed) for seed in SEEDS}
    refused = {f"nvvm.tcgen05.ld {rule}" for rule in ("P4", "S1")}
    assert outcomes & refused
    assert outcomes <= {*refused, "right"}


def test_a_loop_around_try_wait_for_an_arrival_that_never_comes() -> None:
    text = waiting(LOOP, 2)
    line = text[: text.index(TRY)].count("\n") + 1
    for seed in SEEDS:
        with pytest.raises(SimulationError) as caught:
            run(text, "copy", *np.zeros((2, 128, 4), np.int32), seed=seed)
        assert caught.value.rule == "S4"
        assert (
            "warp 0 of block (0, 0, 0) waits in 'nvvm.mbarrier.try_wait' at "
            f"-:{line}:15 for parity 0 of the mbarrier at shared address 0xc08 (byte 0 of "
            "'copied'), which is in phase 0: 1 of 2 arrivals missing"
        ) in str(caught.value)
