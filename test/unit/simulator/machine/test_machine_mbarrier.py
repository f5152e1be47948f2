"""mbarriers: counts, phases and tokens against a slow model, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine_rig import (
    ALL,
    MBAR,
    ONE,
    TILE,
    Op,
    barrier,
    fill,
    init,
    make,
    passes,
    text,
    u64,
)
from tcgen05_mlir.simulator.machine import SharedBuffer, SharedLayout, SimulationError, Warp
from tcgen05_mlir.simulator.machine.mbarrier import Mbarrier, MisuseError

ARRIVE = Op("nvvm.mbarrier.arrive", 55)
WAIT = Op("nvvm.mbarrier.try_wait.parity", 50)


@dataclass
class SlowMbarrier:
    """PTX's words, one arrival and one byte at a time: a list of what each phase still expects."""

    expected: int
    history: list[str] = field(default_factory=list)
    arrivals_left: list[str] = field(default_factory=list)
    transactions: int = 0

    def __post_init__(self) -> None:
        self.arrivals_left = ["arrival"] * self.expected

    def arrive(self, count: int, drop: bool) -> bool:
        """False for too many."""
        if count > len(self.arrivals_left) or count < 1:
            return False
        for _ in range(count):
            self.arrivals_left.pop()
            if drop:
                self.expected -= 1
        self._phase()
        return True

    def transact(self, count: int, complete: bool) -> None:
        self.transactions += -count if complete else count
        if complete:
            self._phase()

    def _phase(self) -> None:
        if not self.arrivals_left and self.transactions == 0:
            self.history.append("complete")
            self.arrivals_left = ["arrival"] * self.expected


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("arrive"), st.integers(1, 3), st.booleans()),
        st.tuples(st.just("expect"), st.integers(0, 64), st.just(False)),
        st.tuples(st.just("complete"), st.integers(0, 64), st.just(False)),
        st.tuples(st.just("arrive_expect"), st.integers(0, 64), st.just(False)),
    ),
    max_size=40,
)


@given(st.integers(1, 4), STEPS)
def test_an_mbarrier_counts_as_a_slow_model_does(
    count: int, steps: list[tuple[str, int, bool]]
) -> None:
    fast, slow = Mbarrier(Op("init"), count), SlowMbarrier(count)
    for name, number, drop in steps:
        if name == "expect":
            fast.expect_tx(number)
            slow.transact(number, complete=False)
        elif name == "complete":
            fast.complete_tx(number)
            slow.transact(number, complete=True)
        else:
            if name == "arrive_expect":
                fast.expect_tx(number)
                slow.transact(number, complete=False)
            times = number if name == "arrive" else 1
            before = (len(slow.history), len(slow.arrivals_left))
            if slow.arrive(times, drop):
                token = fast.arrive(ARRIVE, times, drop=drop)
                assert (token >> 32, token & 0xFFFFFFFF) == before
                assert fast.passed_token(token) == (len(slow.history) > before[0])
            else:
                with pytest.raises(MisuseError):
                    fast.arrive(ARRIVE, times, drop=drop)
        assert (fast.phase, fast.pending, fast.tx, fast.expected) == (
            len(slow.history),
            len(slow.arrivals_left),
            slow.transactions,
            slow.expected,
        )
        # The parity that a wait asks for is complete when the last complete phase has it; a
        # fresh mbarrier passes for parity 1.
        assert fast.passed((len(slow.history) - 1) % 2)
        assert not fast.passed(len(slow.history) % 2)


def one_warp(**options: object) -> Warp:
    return make(32, **options).blocks[0].warps[0]  # type: ignore[arg-type]


def arrive(warp: Warp, mask: np.ndarray = ONE, **more: object) -> np.ndarray:
    return warp.mbarrier_arrive(u64(MBAR), mask, ARRIVE, **more)  # type: ignore[arg-type]


def test_a_wait_by_parity_and_by_state() -> None:
    warp = one_warp()
    init(warp, 2)
    assert passes(warp, parity=1)
    assert not passes(warp, parity=0)
    tokens = arrive(warp)
    assert int(warp.mbarrier_pending_count(tokens, ONE)[0]) == 2
    test = Op("nvvm.mbarrier.test.wait", 56)
    assert not warp.mbarrier_test(u64(MBAR), ONE, test, state=tokens)[0]
    arrive(warp)
    assert warp.mbarrier_test(u64(MBAR), ONE, test, state=tokens)[0]
    assert passes(warp, parity=0)
    assert not passes(warp, parity=1)


def test_each_lane_arrives_by_itself() -> None:
    warp = one_warp()
    init(warp, 32)
    tokens = arrive(warp, ALL)
    assert [int(token) for token in tokens] == list(range(32, 0, -1))
    assert passes(warp, parity=0)


def test_expected_bytes_hold_a_phase_open() -> None:
    warp = one_warp()
    init(warp)
    arrive(warp, expect_tx=2048)
    assert not passes(warp)
    op = Op("nvvm.mbarrier.complete_tx")
    warp.mbarrier_complete_tx(u64(MBAR), 2000, ONE, op)
    assert not passes(warp)
    warp.mbarrier_complete_tx(u64(MBAR), 48, ONE, op)
    assert passes(warp)


def test_a_dropped_arrival_is_missing_in_the_next_phase_too() -> None:
    warp = one_warp()
    init(warp, 2)
    arrive(warp, drop=True)
    arrive(warp)
    assert passes(warp, parity=0)
    arrive(warp)
    assert passes(warp, parity=1)


def test_a_wait_waits_until_every_lane_has_passed_once() -> None:
    layout = SharedLayout([SharedBuffer("mbars", 1024, 16, 8)])
    warp = one_warp(layout=layout)
    init(warp, at=1024)
    init(warp, at=1032)
    addresses = np.where(np.arange(32) < 16, 1024, 1032).astype(np.uint64)
    wait = warp.mbarrier_wait(addresses, ALL, WAIT, parity=0)
    assert not wait.ready()
    warp.mbarrier_arrive(u64(1024), ONE, ARRIVE)
    assert not wait.ready()
    # The first mbarrier moves on to its second phase; its lanes have passed already.
    warp.mbarrier_arrive(u64(1024), ONE, ARRIVE)
    assert not wait.ready()
    warp.mbarrier_arrive(u64(1032), ONE, ARRIVE)
    assert wait.ready()
    assert warp.waiting == []


def test_a_remote_arrival_reaches_the_other_block() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    init(far)
    address = near.mapa(u64(MBAR), 1, ALL, Op("nvvm.mapa"))
    assert int(address[0]) == 0x1000408
    near.mbarrier_arrive(address, ONE, ARRIVE, space=7)
    assert passes(far)


def fails(rule: str, warp: Warp, action) -> str:
    """The message of what `action` does to a warp; with the rule allowed it says nothing."""
    with pytest.raises(SimulationError) as caught:
        action(warp)
    assert caught.value.rule == rule
    return text(caught.value)


def test_s5_an_mbarrier_that_was_not_initialised() -> None:
    assert fails("S5", one_warp(), arrive) == (
        "k.mlir:55:1: 'nvvm.mbarrier.arrive' op uses shared address 0x408 (byte 0 of 'mbar') as an "
        "mbarrier, where none was initialised [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: nvvm.mbarrier.init by one thread, then a barrier, comes first"
    )


def test_s5_initialised_twice_without_inval() -> None:
    warp = one_warp()
    init(warp)
    assert fails("S5", warp, lambda warp: init(warp, line=21)) == (
        "k.mlir:21:1: 'nvvm.mbarrier.init' op initialises the mbarrier at shared address 0x408 "
        "(byte 0 of 'mbar') again [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: it lives since 'nvvm.mbarrier.init' at k.mlir:20:1; inval ends it"
    )
    warp.mbarrier_inval(u64(MBAR), ONE, Op("nvvm.mbarrier.inval"))
    init(warp)


@pytest.mark.parametrize("count", [0, 1 << 20])
def test_s5_a_count_out_of_range(count: int) -> None:
    assert fails("S5", one_warp(), lambda warp: init(warp, count)) == (
        f"k.mlir:20:1: 'nvvm.mbarrier.init' op initialises an mbarrier for {count} arrivals, "
        "wanted 1..1048575 [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: the mbarrier lies at shared address 0x408 (byte 0 of 'mbar')"
    )
    init(one_warp(), (1 << 20) - 1)


def test_s5_a_parity_that_is_a_phase_number() -> None:
    warp = one_warp()
    init(warp)
    assert fails("S5", warp, lambda warp: passes(warp, parity=2)) == (
        "k.mlir:50:1: 'nvvm.mbarrier.try_wait.parity' op waits for a phase of parity 2, wanted 0 "
        "or 1 [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: the parity is the phase's number modulo 2"
    )


def test_s5_a_state_of_a_phase_long_gone() -> None:
    warp = one_warp()
    init(warp)
    tokens = arrive(warp)
    op = Op("nvvm.mbarrier.test.wait", 56)

    def ask(warp: Warp) -> bool:
        return bool(warp.mbarrier_test(u64(MBAR), ONE, op, state=tokens)[0])

    assert ask(warp)
    arrive(warp)
    assert fails("S5", warp, ask) == (
        "k.mlir:56:1: 'nvvm.mbarrier.test.wait' op waits for phase 0 by its state; the mbarrier is "
        "in phase 2 [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s5_no_complete_that_completes() -> None:
    warp = one_warp()
    init(warp, 2)
    arrive(warp, no_complete=True)
    assert fails("S5", warp, lambda warp: arrive(warp, no_complete=True)) == (
        "k.mlir:55:1: 'nvvm.mbarrier.arrive' op completes phase 0 though it says .noComplete [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: the mbarrier lies at shared address 0x408 (byte 0 of 'mbar')"
    )


def test_s5_a_wait_on_the_mbarrier_of_another_block() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    init(far)
    address = near.mapa(u64(MBAR), 1, ALL, Op("nvvm.mapa"))
    with pytest.raises(SimulationError) as caught:
        near.mbarrier_test(address, ALL, WAIT, parity=0, space=7)
    assert text(caught.value) == (
        "k.mlir:50:1: 'nvvm.mbarrier.try_wait.parity' op names the mbarrier at shared address "
        "0x1000408, of the block of rank 1: only its threads may [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s5_an_arrival_at_a_block_that_has_ended() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    init(far)
    far.exit(ALL)
    with pytest.raises(SimulationError) as caught:
        near.mbarrier_arrive(u64(0x1000408), ONE, ARRIVE, space=7)
    assert text(caught.value) == (
        "k.mlir:55:1: 'nvvm.mbarrier.arrive' op names the mbarrier at shared address 0x1000408, "
        "of a block that has ended [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s5_a_transaction_count_out_of_range() -> None:
    warp = one_warp()
    init(warp)
    op = Op("nvvm.mbarrier.expect_tx", 57)
    warp.mbarrier_expect_tx(u64(MBAR), (1 << 20) - 1, ONE, op)
    with pytest.raises(SimulationError) as caught:
        warp.mbarrier_expect_tx(u64(MBAR), 1, ONE, op)
    assert text(caught.value) == (
        "k.mlir:57:1: 'nvvm.mbarrier.expect_tx' op makes the tx-count 1048576, wanted "
        "-1048575..1048575 [S5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: the mbarrier lies at shared address 0x408 (byte 0 of 'mbar')"
    )


def test_p4_more_arrivals_than_the_phase_waits_for() -> None:
    warp = one_warp()
    init(warp, 3)
    arrive(warp, counts=2)
    assert fails("P4", warp, lambda warp: arrive(warp, counts=2)) == (
        "k.mlir:55:1: 'nvvm.mbarrier.arrive' op arrives 2 times on an mbarrier that waits for 1 "
        "more arrivals in phase 0, of 3 [P4]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: the mbarrier lies at shared address 0x408 (byte 0 of 'mbar')\n"
        "  note: arrived already: 'nvvm.mbarrier.arrive' at k.mlir:55:1\n"
        "  note: initialise it for all arrivals of a phase ('nvvm.mbarrier.init' at k.mlir:20:1), "
        "or wait for the phase first"
    )
    arrive(warp)
    assert passes(warp)


def test_s3_a_misaligned_mbarrier() -> None:
    warp = one_warp()
    with pytest.raises(SimulationError) as caught:
        warp.mbarrier_init(u64(MBAR + 4), 1, ONE, Op("nvvm.mbarrier.init", 20))
    assert text(caught.value) == (
        "k.mlir:20:1: 'nvvm.mbarrier.init' op names the mbarrier at shared address 0x40c, which "
        "must be a multiple of 8 [S3]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_s2_an_mbarrier_outside_every_buffer() -> None:
    warp = one_warp()
    with pytest.raises(SimulationError) as caught:
        warp.mbarrier_init(u64(16), 1, ONE, Op("nvvm.mbarrier.init", 20))
    assert text(caught.value) == (
        "k.mlir:20:1: 'nvvm.mbarrier.init' op puts an mbarrier on 8 bytes at shared address "
        "0x10, outside every buffer; the block has 'taddr' at 0x400 to 0x403, 'mbar' at 0x408 to "
        "0x40f, 'tile' at 0x410 to 0x240f [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )


def test_p9_ordinary_accesses_to_an_mbarrier() -> None:
    warp = one_warp()
    init(warp)
    with pytest.raises(SimulationError) as caught:
        warp.store(3, u64(MBAR + 4), np.zeros(32, np.uint32), ONE, Op("llvm.store", 30))
    assert text(caught.value) == (
        "k.mlir:30:1: 'llvm.store' op writes shared address 0x40c (byte 4 of 'mbar'), which holds "
        "a live mbarrier [P9]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: give address slot, mbarriers and data buffers of their own"
    )
    with pytest.raises(SimulationError) as caught:
        warp.load(3, u64(MBAR), np.uint64, ONE, Op("llvm.load", 32))
    assert text(caught.value) == (
        "k.mlir:32:1: 'llvm.load' op reads shared address 0x408 (byte 0 of 'mbar'), which belongs "
        "to a live mbarrier [P9]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: mbarriers are touched by mbarrier operations only; place them beside the data"
    )
    warp.mbarrier_inval(u64(MBAR), ONE, Op("nvvm.mbarrier.inval"))
    warp.store(3, u64(MBAR), np.zeros(32, np.uint64), ONE, Op("llvm.store", 30))
    warp.load(3, u64(MBAR), np.uint64, ONE, Op("llvm.load", 32))


def test_an_mbarrier_may_lie_where_data_was() -> None:
    cluster = make(32)
    fill(cluster.blocks[0], 16)
    barrier(cluster.blocks[0])
    init(cluster.blocks[0].warps[0], at=TILE)


def test_a_generic_pointer_names_an_mbarrier() -> None:
    warp = one_warp()
    address = u64(0x7000_0000_0000 + MBAR)
    warp.mbarrier_init(address, 1, ONE, Op("nvvm.mbarrier.init"), space=0)
    warp.mbarrier_arrive(address, ONE, ARRIVE, space=0)
    assert passes(warp)
