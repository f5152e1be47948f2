"""Issue, fence, commit, wait, fence, load: each step left out."""

from __future__ import annotations

import numpy as np
import pytest
from machine_rig import (
    ALL,
    ONE,
    TILE,
    Op,
    alloc,
    barrier,
    commit,
    cp,
    fence,
    fill,
    init,
    ld,
    make,
    message,
    passes,
    ready_to_copy,
    u64,
    wait,
)

AT = "  at block (0, 0, 0), thread (0, 0, 0)"


def test_p1_a_copy_issued_by_several_lanes() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(cp, warp, mask=np.arange(32) < 3) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op is issued by 3 lanes at once, wanted one thread [P1]\n"
        f"{AT}\n"
        "  note: put it under nvvm.elect.sync"
    )
    cp(warp)


def test_p1_a_commit_issued_by_several_lanes() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(commit, warp, ALL) == (
        "k.mlir:41:1: 'nvvm.tcgen05.commit' op is issued by 32 lanes at once, wanted one thread "
        f"[P1]\n{AT}\n"
        "  note: put it under nvvm.elect.sync"
    )


def test_a_false_predicate_issues_nothing() -> None:
    cluster = ready_to_copy()
    cp(cluster.blocks[0].warps[0], mask=ONE & ~ONE)
    assert not cluster.idle()


def test_a12_p3_a_source_that_was_not_fenced() -> None:
    cluster = make()
    block = cluster.blocks[0]
    warp = block.warps[0]
    alloc(warp)
    fill(block, fence=False)
    barrier(block)
    said = message(cp, warp)
    assert said == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address 0x410 (byte 0 of 'tile'), which "
        "block (0, 0, 0), thread (0, 0, 0) wrote and did not fence for the async proxy [P3]\n"
        f"{AT}\n"
        "  note: nvvm.fence.proxy of kind async.shared, by the threads that write, behind their "
        "stores and before the barrier that hands over"
    )
    # A fence by another warp is of no use, one by the writer is.
    block.warps[1].fence_proxy("async", ALL, Op("nvvm.fence.proxy"))
    assert message(cp, warp) == said
    warp.fence_proxy("async", ALL, Op("nvvm.fence.proxy"))
    cp(warp)


def test_a12_p3_a_store_behind_the_fence() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    lane = np.arange(32) == 9
    warp.store(3, u64(TILE + 36), np.zeros(32, np.uint32), lane, Op("llvm.store", 33))
    assert message(cp, warp) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address 0x434 (byte 36 of 'tile'), which "
        "block (0, 0, 0), thread (9, 0, 0) wrote and did not fence for the async proxy [P3]\n"
        f"{AT}\n"
        "  note: nvvm.fence.proxy of kind async.shared, by the threads that write, behind their "
        "stores and before the barrier that hands over"
    )
    warp.fence_proxy("async.shared::cta", ~lane, Op("nvvm.fence.proxy"))
    message(cp, warp)
    warp.fence_proxy("async.global", lane, Op("nvvm.fence.proxy"))
    message(cp, warp)
    warp.fence_proxy("async.shared::cta", lane, Op("nvvm.fence.proxy"))
    cp(warp)


def test_a12_p3_an_mbarrier_alone_needs_no_fence() -> None:
    cluster = make()
    block = cluster.blocks[0]
    init(block.warps[0])
    barrier(block)
    commit(block.warps[0])
    assert passes(block.warps[1])


def test_p3_what_another_block_wrote_needs_a_fence_of_the_cluster_s_memory() -> None:
    cluster = make(32, blocks=2)
    near, far = cluster.blocks
    alloc(near.warps[0])
    fill(near)
    one = np.zeros(32, np.uint32)
    far.warps[0].store(7, u64(TILE), one, ONE, Op("llvm.store"))
    far.warps[0].fence_proxy("async.shared::cta", ALL, Op("nvvm.fence.proxy"))
    assert "block (1, 0, 0), thread (0, 0, 0) wrote" in message(cp, near.warps[0])
    far.warps[0].fence_proxy("async.shared::cluster", ALL, Op("nvvm.fence.proxy"))
    cp(near.warps[0])


def test_a_fence_of_no_known_kind_is_refused() -> None:
    warp = make().blocks[0].warps[0]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared whole below
        warp.fence_proxy("async.shared", ALL, Op("nvvm.fence.proxy"))
    assert str(caught.value) == (
        "'kind' must be one of alias, async, async.global, async.shared::cta, "
        "async.shared::cluster, tensormap, got async.shared"
    )


def test_p4_read_before_the_copy_was_committed() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    assert message(ld, warp) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 0, which the copy "
        "'nvvm.tcgen05.cp' at k.mlir:40:1 writes and which was not committed [P4]\n"
        f"{AT}\n"
        "  note: commit the copy with nvvm.tcgen05.commit, wait for the mbarrier of the commit, "
        "then nvvm.tcgen05.fence <after>"
    )


def test_p4_read_before_the_commit_was_waited_for() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    commit(warp)
    said = (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 0, which the copy "
        "'nvvm.tcgen05.cp' at k.mlir:40:1 writes and which was not waited for [P4]\n"
        f"{AT}\n"
        "  note: wait for the mbarrier of the commit, then nvvm.tcgen05.fence <after>"
    )
    assert message(ld, warp) == said
    # That it happens to be complete does not help.
    assert cluster.idle()
    assert message(ld, warp) == said
    fence(warp)
    assert message(ld, warp) == said


def test_p5_read_with_no_fence_behind_the_wait() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    commit(warp)
    fence(warp)
    wait(warp)
    said = (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 0, which the copy "
        "'nvvm.tcgen05.cp' at k.mlir:40:1 wrote, with no fence behind the wait [P5]\n"
        f"{AT}\n"
        "  note: put nvvm.tcgen05.fence <after> between the wait and this op, in all lanes"
    )
    assert message(ld, warp) == said
    fence(warp, "before")
    fence(warp, "after", ONE)
    assert message(ld, warp) == said
    fence(warp, "after", ~ONE)
    ld(warp)


def test_a_wait_by_one_warp_counts_for_those_that_it_meets() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0])
    commit(block.warps[0])
    wait(block.warps[2])
    fence(block.warps[1])
    assert "was not waited for [P4]" in message(ld, block.warps[1])
    barrier(block)
    fence(block.warps[1])
    ld(block.warps[1])


def test_allowed_rules_let_a_stale_read_through() -> None:
    cluster = ready_to_copy(allow={"P4", "S1"})
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    assert ld(warp).plain()[0, 0] == 0xA5A5A5A5
