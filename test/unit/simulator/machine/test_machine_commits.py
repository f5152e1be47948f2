"""tcgen05.commit: what it covers, and arrivals that do not fit."""

from __future__ import annotations

import numpy as np
from machine_rig import (
    ALL,
    MBAR,
    ONE,
    SLOT,
    Op,
    alloc,
    commit,
    cp,
    fill,
    init,
    ld,
    make,
    message,
    passes,
    ready_to_copy,
    u64,
)
from tcgen05_mlir.model import SmemDescriptor
from tcgen05_mlir.simulator.machine import SharedBuffer, SharedLayout

AT = "  at block (0, 0, 0), thread (0, 0, 0)"


def test_p4_a_thread_ends_without_a_commit() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0])
    block.warps[1].exit(ALL)
    block.warps[0].exit(~ONE)
    assert message(block.warps[0].exit, ONE) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op is never committed: its thread ends [P4]\n"
        f"{AT}\n"
        "  note: put nvvm.tcgen05.commit behind it, in the same thread"
    )


def test_p4_a_commit_by_another_thread_covers_nothing() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    commit(warp, np.arange(32) == 1)
    assert passes(warp)
    assert "which was not committed [P4]" in message(ld, warp)


def test_p4_a_commit_that_nobody_waits_for() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0])
    commit(block.warps[0])
    for warp in block.warps:
        warp.exit(ALL)
    assert message(cluster.finish) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op is committed, but no thread waits for the mbarrier of "
        f"the commit [P4]\n{AT}\n"
        "  note: wait for it before the kernel ends"
    )


def test_a17_p4_two_commits_for_one_wait() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    commit(warp)
    commit(warp, line=42)
    assert message(cluster.idle) == (
        "k.mlir:42:1: 'nvvm.tcgen05.commit' op completes phase 1 before anybody waited for phase 0 "
        f"[P4]\n{AT}\n"
        "  note: the mbarrier lies at shared address 0x408 (byte 0 of 'mbar')\n"
        "  note: the mbarrier is initialised for 1 arrivals by 'nvvm.mbarrier.init' at "
        "k.mlir:20:1\n"
        "  note: commit once for each wait, or initialise it for all arrivals of a phase"
    )


def test_a17_p4_two_commits_of_nothing_left_to_do() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    commit(warp)
    assert message(commit, warp).startswith(
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op completes phase 1 before anybody waited for phase 0"
    )


def test_a17_two_commits_on_an_mbarrier_for_two() -> None:
    cluster = make()
    block = cluster.blocks[0]
    alloc(block.warps[0])
    init(block.warps[0], 2)
    fill(block)
    cp(block.warps[0])
    commit(block.warps[0])
    commit(block.warps[0])
    assert cluster.idle()
    assert passes(block.warps[0])


def test_commits_of_one_thread_arrive_in_order() -> None:
    layout = SharedLayout(
        [
            SharedBuffer("taddr", SLOT, 4, 4),
            SharedBuffer("mbars", 1032, 16, 8),
            SharedBuffer("tile", 1048 + 8, 4096, 16),
        ]
    )
    descriptor = SmemDescriptor(1056, ldo=16, sdo=128)
    for seed in range(10):
        cluster = make(32, layout=layout, seed=seed)
        warp = cluster.blocks[0].warps[0]
        alloc(warp)
        init(warp, at=1032)
        init(warp, at=1040)
        fill(cluster.blocks[0], 2048, at=1056)
        op = Op("nvvm.tcgen05.commit")
        for number in range(2):
            cp(warp, 4 * number, descriptor)
            warp.tcgen05_commit(u64(1032 + 8 * number), ONE, op)
        while cluster.idle():
            done = [warp.block.mbarriers[1032 + 8 * number].phase for number in range(2)]
            assert done != [0, 1]


def test_s5_a_commit_to_no_mbarrier() -> None:
    cluster = make()
    assert message(commit, cluster.blocks[0].warps[0]).startswith(
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op uses shared address 0x408 (byte 0 of 'mbar') as an "
        "mbarrier, where none was initialised [S5]"
    )


def test_s5_a_commit_whose_mbarrier_goes_before_it_arrives() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    commit(warp)
    warp.mbarrier_inval(u64(MBAR), ONE, Op("nvvm.mbarrier.inval"))
    assert message(cluster.idle) == (
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op arrives on the mbarrier at shared address 0x408 "
        f"(byte 0 of 'mbar'), where none is any more [S5]\n{AT}\n"
        "  note: wait for the arrival before the mbarrier goes"
    )


def test_s5_a_commit_to_a_block_that_ends_before_it_arrives() -> None:
    cluster = ready_to_copy(blocks=2)
    near, far = cluster.blocks
    init(far.warps[0])
    cp(near.warps[0])
    commit(near.warps[0], multicast_mask=2)
    for warp in far.warps:
        warp.exit(ALL)
    assert message(cluster.idle) == (
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op arrives on the mbarrier at shared address 0x1000408 "
        f"(byte 0 of 'mbar'), whose block has ended [S5]\n{AT}\n"
        "  note: wait for the arrival before the mbarrier goes"
    )


def test_s2_a_pair_s_copy_in_a_block_that_has_ended() -> None:
    cluster = make(32, blocks=2)
    for block in cluster.blocks:
        block.columns.take(0, 32, 2, Op("a"), block.warps[0].place(), 0)
        fill(block)
    cp(cluster.blocks[0].warps[0], cta_group=2)
    cluster.blocks[1].warps[0].exit(ALL)
    assert message(cluster.idle) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op is under way in block (1, 0, 0), which has ended [S2]\n"
        f"{AT}\n"
        "  note: let both blocks of a pair wait for the copy, or meet at a cluster barrier"
    )


def test_a_multicast_commit_arrives_in_every_block_of_the_mask() -> None:
    cluster = make(32, blocks=4)
    for block in cluster.blocks:
        init(block.warps[0])
    warp = cluster.blocks[1].warps[0]
    commit(warp, multicast_mask=0b1010)
    assert [passes(block.warps[0]) for block in cluster.blocks] == [False, True, False, True]
    assert message(commit, warp, multicast_mask=0b10000) == (
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op sends arrivals to the blocks of mask 0x10, wanted "
        "ranks 0..3 [S2]\n"
        "  at block (1, 0, 0), thread (0, 0, 0)"
    )
