"""mbarriers, and addresses in other blocks of the cluster."""

from __future__ import annotations

from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import Meeting, rule, waiting_rule
from tcgen05_mlir.simulator.translate.types import Int, Pointer


def _space(e: Emitter) -> int:
    pointer = e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    return pointer.space


def _call(e: Emitter, method: str, *arguments: str, **options: object) -> str:
    named = [f"{name}={value}" for name, value in options.items()]
    operands = [e.lanes(0), *arguments, "m", e.site(), *named, f"space={_space(e)}"]
    return f"h.{method}({', '.join(operands)})"


@rule("nvvm.mbarrier.init")
def init(e: Emitter) -> None:
    e.line(_call(e, "mbarrier_init", e.lanes(1)))


@rule("nvvm.mbarrier.inval")
def inval(e: Emitter) -> None:
    e.line(_call(e, "mbarrier_inval"))


@rule("nvvm.mbarrier.expect_tx")
def expect(e: Emitter) -> None:
    e.line(_call(e, "mbarrier_expect_tx", e.lanes(1)))


@rule("nvvm.mbarrier.complete_tx")
def complete(e: Emitter) -> None:
    e.line(_call(e, "mbarrier_complete_tx", e.lanes(1)))


@rule("nvvm.mbarrier.arrive", "nvvm.mbarrier.arrive.nocomplete", "nvvm.mbarrier.arrive.expect_tx")
@rule("nvvm.mbarrier.arrive_drop", "nvvm.mbarrier.arrive_drop.nocomplete")
@rule("nvvm.mbarrier.arrive_drop.expect_tx")
def arrive(e: Emitter) -> None:
    options: dict[str, object] = {}
    if len(e.op.operands) > 1:
        name = "expect_tx" if e.op.name.endswith("expect_tx") else "counts"
        options[name] = e.lanes(1)
    options["drop"] = "arrive_drop" in e.op.name
    options["no_complete"] = e.op.name.endswith("nocomplete")
    options["relaxed"] = e.attribute("relaxed") == "true"
    call = _call(e, "mbarrier_arrive", **options)
    if len(e.op.results):
        e.result(call)
    else:
        e.line(call)


def _phase(e: Emitter, code: str) -> dict[str, object]:
    """What is waited for: a state where it has 64 bits, else a parity."""
    name = "state" if e.type(e.op.operands[1]) == Int(64) else "parity"
    return {name: f"spread({code})"}


@waiting_rule("nvvm.mbarrier.test.wait")
def test(e: Emitter) -> Meeting:
    """One look; where it is not done, other warps get their turn before it comes again."""
    options: dict[str, object] = {**_phase(e, "a1"), "relaxed": e.attribute("relaxed") == "true"}
    named = "".join(f", {name}={value}" for name, value in options.items())
    return one_look(e, f"h.mbarrier_test(spread(a0), m, {e.site()}{named}, space={_space(e)})")


def one_look(e: Emitter, test: str) -> Meeting:
    """A test of operands 0 and 1, `a0` and `a1`."""
    e.namespace["OneLook"] = OneLook
    operands = e.operands()[:2]
    return Meeting(f"OneLook({test})", operands, alone=True, blocks=True, result="t.value")


class OneLook:
    """The result of a test; ready at the second asking where it is not done."""

    spins = True

    def __init__(self, done: object) -> None:
        self.value = done
        self.asked = bool(getattr(done, "any", bool)())

    def ready(self) -> bool:
        before, self.asked = self.asked, True
        return before

    def describe(self) -> str:
        return "its turn"


@waiting_rule("nvvm.mbarrier.try_wait")
def try_wait(e: Emitter) -> Meeting:
    """Blocks until the phase is complete or the try's time is over."""
    (phase,) = _phase(e, "a1").items()
    attempt = f"h.mbarrier_try(spread(a0), m, {e.site()}, {phase[0]}={phase[1]}, space={_space(e)})"
    return Meeting(attempt, e.operands()[:2], alone=True, blocks=True, result="t.done")


@waiting_rule("nvvm.mbarrier.try_wait.parity")
def wait(e: Emitter) -> Meeting:
    call = f"h.mbarrier_wait(spread(a0), m, {e.site()}, parity=spread(a1), space={_space(e)})"
    return Meeting(call, e.operands()[:2], alone=True, blocks=True)


@rule("nvvm.mapa")
def map_address(e: Emitter) -> None:
    address, generic = e.lanes(0), _space(e) == 0
    if generic:
        from tcgen05_mlir.simulator.machine import from_generic, to_generic

        e.function(from_generic)
        e.function(to_generic)
        call = f"h.mapa(from_generic({address}, 3), {e.lanes(1)}, m, {e.site()})"
        e.result(f"to_generic({call}, 7)")
    else:
        e.result(f"h.mapa({address}, {e.lanes(1)}, m, {e.site()})")
