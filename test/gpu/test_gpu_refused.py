"""Every refusal on the simulator, emulated; and that the table has all that can be refused."""

from __future__ import annotations

import pytest
from cases import REFUSALS, Refusal
from lowered import lowered
from run_refusal import fewer_bound
from tcgen05_mlir.emulation.checks import CHECKS
from tcgen05_mlir.simulator import SimulationError, run

DEADLOCK = "never ends: 2 of 2 warps wait, the others have nothing to do, and no copy is under way"


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=str)
def test_refusal_on_the_simulator(refusal: Refusal) -> None:
    module = lowered((refusal.kernel,), "nvvm", "sm_90", emulate=True)
    with fewer_bound(refusal), pytest.raises(SimulationError) as caught:
        run(module, refusal.kernel.name, *refusal.arguments, **refusal.sizes)
    if refusal.waits:
        assert caught.value.message == DEADLOCK
    else:
        assert refusal.wrong(str(caught.value), refusal.kernel.text) is None


def test_every_check_that_can_fail_is_in_the_table() -> None:
    """`alloc_stuck` cannot: powers of two, none larger than the one before, leave no small hole."""
    checks = {check.name for check in CHECKS} - {"alloc_stuck"}
    assert {refusal.check for refusal in REFUSALS.values()} == checks


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("'nvvm.tcgen05.cp' op is fine", "got the report:\n"),
        (
            "-:53:7: 'nvvm.tcgen05.cp' op column origin must be a multiple of 4, got 2 [F4], "
            "in block (0, 0, 0), thread (3, 0, 0)",
            "thread 3 reports, wanted one in range(21, 22): ",
        ),
        (
            "-:53:7: 'nvvm.tcgen05.cp' op column origin must be a multiple of 4, got 2 [F4], "
            "in block (1, 0, 0), thread (21, 0, 0)",
            "got the report:\n",
        ),
    ],
)
def test_another_message_is_wrong(message: str, words: str) -> None:
    refusal = REFUSALS["F4"]
    wrong = refusal.wrong(message, refusal.kernel.text)
    assert wrong is not None
    assert wrong.startswith(words)
