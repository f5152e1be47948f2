"""Barriers of blocks and clusters, and the report when nothing can move."""

from __future__ import annotations

import numpy as np
import pytest
from machine_rig import (
    ALL,
    MBAR,
    ONE,
    Op,
    alloc,
    commit,
    cp,
    fence,
    init,
    ld,
    make,
    message,
    ready_to_copy,
    st,
    u64,
    wait_st,
)

BAR = Op("nvvm.barrier", 80)
ARRIVE, WAIT = Op("nvvm.cluster.arrive", 81), Op("nvvm.cluster.wait", 82)
AT = "  at block (0, 0, 0), thread (0, 0, 0)"


def test_all_warps_of_a_block_meet() -> None:
    warps = make(96).blocks[0].warps
    waits = [warp.bar_sync(0, ALL, BAR) for warp in warps[:2]]
    assert [wait.ready() for wait in waits] == [False, False]
    assert waits[0].describe() == ("barrier 0: 64 of 96 threads have arrived, warps 2 have not")
    last = warps[2].bar_sync(0, ALL, BAR)
    assert [wait.ready() for wait in (*waits, last)] == [True, True, True]
    assert [warp.waiting for warp in warps] == [[], [], []]
    # The next phase begins anew.
    assert not warps[0].bar_sync(0, ALL, BAR).ready()


def test_a_named_barrier_of_two_warps() -> None:
    warps = make(128).blocks[0].warps
    warps[3].bar_arrive(5, 64, ALL, BAR)
    other = warps[0].bar_sync(6, ALL, BAR, threads=64)
    wait = warps[1].bar_sync(5, ALL, BAR, threads=64)
    assert (wait.ready(), other.ready()) == (True, False)


def test_a_partial_last_warp_counts_as_a_warp() -> None:
    warps = make(48).blocks[0].warps
    first = warps[0].bar_sync(0, ALL, BAR)
    assert warps[1].bar_sync(0, np.arange(32) < 16, BAR).ready()
    assert first.ready()


def test_ended_warps_are_not_waited_for() -> None:
    warps = make(96).blocks[0].warps
    waits = [warp.bar_sync(0, ALL, BAR) for warp in warps[:2]]
    warps[2].exit(ALL)
    assert [wait.ready() for wait in waits] == [True, True]


def test_lanes_of_a_warp_may_arrive_one_after_another_where_not_aligned() -> None:
    warps = make(64).blocks[0].warps
    low = np.arange(32) < 10
    waits = [
        warps[0].bar_sync(1, low, BAR, aligned=False),
        warps[1].bar_sync(1, ALL, BAR, aligned=False),
    ]
    assert not waits[1].ready()
    waits.append(warps[0].bar_sync(1, ~low, BAR, aligned=False))
    assert [wait.ready() for wait in waits] == [True, True, True]


def test_a_reduction_counts_true_predicates() -> None:
    warps = make(64).blocks[0].warps
    waits = [
        warps[0].bar_sync(0, ALL, BAR, predicate=np.arange(32) < 3),
        warps[1].bar_sync(0, ALL, BAR, predicate=np.arange(32) < 5),
    ]
    assert all(wait.ready() for wait in waits)
    assert [(wait.trues, wait.total) for wait in waits] == [(8, 64), (8, 64)]


def test_p7_a_barrier_reached_by_part_of_a_warp() -> None:
    warp = make(64).blocks[0].warps[0]
    assert message(warp.bar_sync, 0, np.arange(32) >= 16, BAR) == (
        "k.mlir:80:1: 'nvvm.barrier' op is reached by 16 of the 32 lanes that execute it together; "
        "lanes 0, 1, 2, 3, ... are absent [P7]\n"
        "  at block (0, 0, 0), thread (16, 0, 0)\n"
        "  note: move it out of the branch that only some lanes of the warp take"
    )


def test_p7_the_members_that_a_mask_names() -> None:
    warp = make(48).blocks[0].warps[1]
    op = Op("nvvm.shfl.sync", 83)
    low = np.arange(32) < 8
    warp.collective(low, op, members=0xFF)
    # The warp has 16 threads: the others are not missed.
    warp.collective(np.arange(32) < 16, op, members=0xFFFFFFFF)
    assert message(warp.collective, low, op, members=0x1FF) == (
        "k.mlir:83:1: 'nvvm.shfl.sync' op is reached by 8 of the 9 lanes that execute it together; "
        "lanes 8 are absent [P7]\n"
        "  at block (0, 0, 0), thread (32, 0, 0)\n"
        "  note: move it out of the branch that only some lanes of the warp take"
    )


@pytest.mark.parametrize(
    ("barrier", "threads", "said"),
    [
        (16, None, "names barrier 16, wanted 0..15"),
        (1, 48, "has 48 threads at a barrier, wanted a multiple of 32"),
        (1, 96, "waits for 96 threads in a block of 64"),
    ],
)
def test_s8_a_barrier_that_cannot_be(barrier: int, threads: int | None, said: str) -> None:
    warp = make(64).blocks[0].warps[0]
    assert message(warp.bar_sync, barrier, ALL, BAR, threads=threads) == (
        f"k.mlir:80:1: 'nvvm.barrier' op {said} [S8]\n{AT}"
    )
    warp.bar_sync(15, ALL, BAR, threads=64)


def test_s8_two_counts_at_one_barrier() -> None:
    warps = make(128).blocks[0].warps
    warps[0].bar_sync(2, ALL, BAR, threads=64)
    assert message(warps[1].bar_sync, 2, ALL, Op("nvvm.barrier", 84)) == (
        "k.mlir:84:1: 'nvvm.barrier' op uses barrier 2 with all threads, where 'nvvm.barrier' at "
        "k.mlir:80:1 has 64 threads [S8]\n"
        "  at block (0, 0, 0), thread (32, 0, 0)"
    )
    assert warps[1].bar_sync(2, ALL, BAR, threads=64).ready()


def test_all_warps_of_a_cluster_meet() -> None:
    cluster = make(64, blocks=2)
    warps = [warp for block in cluster.blocks for warp in block.warps]
    for warp in warps[:3]:
        warp.cluster_arrive(ALL, ARRIVE)
    early = warps[0].cluster_wait(ALL, WAIT)
    assert not early.ready()
    assert early.describe() == "the cluster barrier: warps 1 of rank 1 have not arrived"
    warps[3].cluster_arrive(ALL, ARRIVE)
    assert early.ready()
    # The first warp may be in the next phase before the others have left this one.
    warps[0].cluster_arrive(ALL, ARRIVE)
    assert all(warp.cluster_wait(ALL, WAIT).ready() for warp in warps[1:])
    assert not warps[0].cluster_wait(ALL, WAIT).ready()


def test_an_ended_block_is_not_waited_for() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    near.cluster_arrive(ALL, ARRIVE)
    wait = near.cluster_wait(ALL, WAIT)
    assert not wait.ready()
    far.exit(ALL)
    assert wait.ready()


def test_s8_arrive_twice_and_wait_first() -> None:
    cluster = make(32, blocks=2)
    near, far = (block.warps[0] for block in cluster.blocks)
    assert message(near.cluster_wait, ALL, WAIT) == (
        "k.mlir:82:1: 'nvvm.cluster.wait' op waits at the cluster barrier without having arrived "
        f"[S8]\n{AT}"
    )
    near.cluster_arrive(ALL, ARRIVE)
    said = (
        "k.mlir:81:1: 'nvvm.cluster.arrive' op arrives at the cluster barrier again before it "
        f"waited for the last phase [S8]\n{AT}\n"
        "  note: every cluster.arrive is followed by one cluster.wait"
    )
    assert message(near.cluster_arrive, ALL, ARRIVE) == said
    far.cluster_arrive(ALL, ARRIVE)
    assert message(near.cluster_arrive, ALL, ARRIVE) == said
    assert near.cluster_wait(ALL, WAIT).ready()
    near.cluster_arrive(ALL, ARRIVE)


def test_p7_a_cluster_barrier_reached_by_part_of_a_warp() -> None:
    warp = make(32).blocks[0].warps[0]
    assert "reached by 1 of the 32 lanes" in message(warp.cluster_arrive, ONE, ARRIVE)
    warp.cluster_arrive(ONE, ARRIVE, aligned=False)
    first = warp.cluster_wait(ONE, WAIT, aligned=False)
    assert not first.ready()
    warp.cluster_arrive(~ONE, ARRIVE, aligned=False)
    assert first.ready()
    assert warp.cluster_wait(~ONE, WAIT, aligned=False).ready()


def test_a_diverged_warp_waits_in_several_places() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    init(warp)
    op = Op("nvvm.mbarrier.try_wait", 50)
    for _ in range(3):
        assert not warp.mbarrier_test(u64(MBAR), ONE, op, parity=0).any()
    other = warp.mbarrier_wait(u64(MBAR), ~ONE, op, parity=0)
    named = warp.bar_sync(1, ~ONE, BAR, aligned=False)
    assert [wait.describe()[:8] for wait in warp.waiting] == ["parity 0", "barrier ", "parity 0"]
    warp.mbarrier_arrive(u64(MBAR), ONE, Op("nvvm.mbarrier.arrive"))
    assert other.ready()
    assert warp.mbarrier_test(u64(MBAR), ONE, op, parity=0)[0]
    assert warp.waiting == [named]
    warp.exit(ALL)
    assert warp.waiting == []


def test_an_atomic_passes_on_what_is_over() -> None:
    cluster = make(160)
    first, fifth = cluster.blocks[0].warps[0], cluster.blocks[0].warps[4]
    alloc(first)
    first.load(3, u64(1024), np.uint32, ONE, Op("llvm.load"))
    st(first, np.zeros((1, 32), np.uint32))
    wait_st(first)
    flag = u64(1024)
    first.store(3, flag, u64(1).astype(np.uint32), ONE, Op("llvm.store"), ordered=True)
    fence(fifth)
    assert "nothing orders the two [S7]" in message(ld, fifth, registers=1)
    fifth.load(3, flag, np.uint32, ONE, Op("llvm.load"))
    fence(fifth)
    assert "nothing orders the two [S7]" in message(ld, fifth, registers=1)
    fifth.load(3, flag, np.uint32, ONE, Op("llvm.load"), ordered=True)
    fence(fifth)
    ld(fifth, registers=1)


# Deadlocks ----------------------------------------------------------------------------------------


def test_s4_who_waits_on_what() -> None:
    cluster = make(96, blocks=2)
    near, far = cluster.blocks
    init(near.warps[0], 2)
    op = Op("nvvm.mbarrier.try_wait.parity", 50)
    near.warps[0].mbarrier_arrive(u64(MBAR), ONE, Op("nvvm.mbarrier.arrive"), expect_tx=64)
    assert not near.warps[0].mbarrier_test(u64(MBAR), ALL, op, parity=0).any()
    near.warps[1].bar_sync(3, ALL, BAR, threads=64)
    near.warps[2].exit(ALL)
    for warp in far.warps:
        warp.cluster_arrive(ALL, ARRIVE)
        warp.cluster_wait(ALL, WAIT)
    assert not cluster.idle()
    assert message(cluster.deadlock) == (
        "k.mlir:50:1: 'nvvm.mbarrier.try_wait.parity' op never ends: 5 of 5 warps wait, the others "
        f"have nothing to do, and no copy is under way [S4]\n{AT}\n"
        "  note: warp 0 of block (0, 0, 0) waits in 'nvvm.mbarrier.try_wait.parity' at k.mlir:50:1 "
        "for parity 0 of the mbarrier at shared address 0x408 (byte 0 of 'mbar'), which is in "
        "phase 0: 1 of 2 arrivals and 64 bytes of transactions missing\n"
        "  note: warp 1 of block (0, 0, 0) waits in 'nvvm.barrier' at k.mlir:80:1 for barrier 3: "
        "32 of 64 threads have arrived, warps 0 have not\n"
        + "".join(
            f"  note: warp {number} of block (1, 0, 0) waits in 'nvvm.cluster.wait' at k.mlir:82:1 "
            "for the cluster barrier: warps 0 of rank 0, 1 of rank 0 have not arrived\n"
            for number in range(3)
        ).rstrip("\n")
    )


def test_a17_p4_a_copy_without_a_commit_is_named_where_all_wait() -> None:
    cluster = ready_to_copy(threads=32)
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    arrive = Op("nvvm.mbarrier.arrive.expect_tx", 43)
    warp.mbarrier_arrive(u64(MBAR), ONE, arrive, expect_tx=2048)
    op = Op("nvvm.mbarrier.try_wait.parity", 50)
    assert not warp.mbarrier_test(u64(MBAR), ALL, op, parity=0).any()
    while cluster.idle():
        pass
    assert message(cluster.deadlock) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op is never committed, and nothing else can complete what "
        f"is waited for [P4]\n{AT}\n"
        "  note: warp 0 of block (0, 0, 0) waits in 'nvvm.mbarrier.try_wait.parity' at k.mlir:50:1 "
        "for parity 0 of the mbarrier at shared address 0x408 (byte 0 of 'mbar'), which is in "
        "phase 0: 2048 bytes of transactions missing\n"
        "  note: put nvvm.tcgen05.commit behind it, in the same thread"
    )


def test_a17_the_deadlock_stays_one_where_p4_is_allowed() -> None:
    cluster = ready_to_copy(threads=32, allow={"P4", "S4"})
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    op = Op("nvvm.mbarrier.try_wait.parity", 50)
    assert not warp.mbarrier_test(u64(MBAR), ALL, op, parity=0).any()
    assert message(cluster.deadlock) == (
        "k.mlir:50:1: 'nvvm.mbarrier.try_wait.parity' op never ends: 1 of 1 warps wait, the others "
        f"have nothing to do, and no copy is under way [S4]\n{AT}\n"
        "  note: warp 0 of block (0, 0, 0) waits in 'nvvm.mbarrier.try_wait.parity' at k.mlir:50:1 "
        "for parity 0 of the mbarrier at shared address 0x408 (byte 0 of 'mbar'), which is in "
        "phase 0: 1 of 1 arrivals missing\n"
        "  note: the copy 'nvvm.tcgen05.cp' at k.mlir:40:1 was never committed"
    )


def test_a17_with_its_commit_the_wait_ends() -> None:
    cluster = ready_to_copy(threads=32)
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    commit(warp)
    op = Op("nvvm.mbarrier.try_wait.parity", 50)
    while not warp.mbarrier_test(u64(MBAR), ALL, op, parity=0).all():
        assert len(warp.waiting) == 1
        assert cluster.idle()
    assert warp.waiting == []
