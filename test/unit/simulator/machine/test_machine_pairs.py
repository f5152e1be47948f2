"""Tensor memory of pairs: blocks allocate, copy and give back together."""

from __future__ import annotations

import numpy as np
from machine_rig import (
    ALL,
    MBAR,
    ONE,
    SLOT,
    TILE,
    Op,
    alloc,
    cluster_barrier,
    commit,
    cp,
    dealloc,
    end,
    fence,
    fill,
    init,
    ld,
    make,
    message,
    u64,
    wait,
    wait_ld,
)
from tcgen05_mlir.simulator.machine import Cluster, Wait, Warp

AT = "  at block (0, 0, 0), thread (0, 0, 0)"
ALLOC = Op("nvvm.tcgen05.alloc", 10)


def slot(warp: Warp) -> int:
    address = u64(warp.block.shared_base + SLOT)
    return int(warp.load(3, address, np.uint32, ONE, Op("llvm.load", 11))[0])


def pair_alloc(cluster: Cluster, columns: tuple[int, int] = (32, 32)) -> list[Wait]:
    """Both blocks ask for columns; the waits."""
    return [
        block.warps[0].tcgen05_alloc(u64(block.shared_base + SLOT), count, ALL, ALLOC, cta_group=2)
        for block, count in zip(cluster.blocks, columns, strict=True)
    ]


def test_a_pair_allocates_the_same_columns_when_both_ask() -> None:
    cluster = make(32, blocks=4)
    for block in cluster.blocks[2:]:
        block.columns.take(0, 64, 2, ALLOC, block.warps[0].place(), 0)
    cluster.blocks[3].columns.take(64, 32, 2, ALLOC, cluster.blocks[3].warps[0].place(), 0)
    first = cluster.blocks[2].warps[0]
    early = first.tcgen05_alloc(u64(first.block.shared_base + SLOT), 32, ALL, ALLOC, cta_group=2)
    assert not early.ready()
    assert early.describe() == (
        "the other block of the pair, which has not reached its tcgen05.alloc"
    )
    second = cluster.blocks[3].warps[0]
    late = second.tcgen05_alloc(u64(second.block.shared_base + SLOT), 32, ALL, ALLOC, cta_group=2)
    assert late.ready()
    assert early.ready()
    assert [slot(first), slot(second)] == [96, 96]


def test_p6_a_pair_that_asks_for_different_counts() -> None:
    waits = pair_alloc(make(32, blocks=2), (32, 64))
    assert message(waits[0].ready) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op allocates 32 columns of a pair, 'nvvm.tcgen05.alloc' "
        f"at k.mlir:10:1 in the other block 64 [P6]\n{AT}"
    )


def test_a10_p8_a_pair_without_a_cluster_barrier() -> None:
    cluster = make(32, blocks=2)
    assert all(wait.ready() for wait in pair_alloc(cluster))
    near, far = (block.warps[0] for block in cluster.blocks)
    said = (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back columns of a pair with no cluster "
        "barrier since 'nvvm.tcgen05.alloc' at k.mlir:10:1 allocated them [P8]\n"
        "{at}\n"
        "  note: put nvvm.cluster.arrive and nvvm.cluster.wait between, in both blocks"
    )
    assert message(dealloc, near, group=2) == said.format(at=AT)
    assert message(dealloc, far, group=2) == said.format(at=AT.replace("(0, 0, 0),", "(1, 0, 0),"))


def test_a10_a_pair_with_a_cluster_barrier() -> None:
    cluster = make(32, blocks=2)
    assert all(wait.ready() for wait in pair_alloc(cluster))
    cluster_barrier(cluster)
    op = Op("nvvm.tcgen05.dealloc")
    near, far = (block.warps[0] for block in cluster.blocks)
    first = near.tcgen05_dealloc(0, 32, ALL, op, cta_group=2)
    assert not first.ready()
    assert first.describe() == (
        "the other block of the pair, which has not reached its tcgen05.dealloc"
    )
    assert far.tcgen05_dealloc(0, 32, ALL, op, cta_group=2).ready()
    assert first.ready()
    end(cluster)


def test_a10_one_block_needs_no_cluster_barrier() -> None:
    warp = make(32).blocks[0].warps[0]
    alloc(warp)
    dealloc(warp)
    end(warp.block.cluster)


def test_p8_an_mbarrier_orders_a_pair_as_well() -> None:
    cluster = make(32, blocks=2)
    assert all(wait.ready() for wait in pair_alloc(cluster))
    near, far = (block.warps[0] for block in cluster.blocks)
    init(near)
    far.mbarrier_arrive(u64(MBAR), ONE, Op("nvvm.mbarrier.arrive"), space=7)
    wait(near)
    near.tcgen05_dealloc(0, 32, ALL, Op("nvvm.tcgen05.dealloc"), cta_group=2)


def test_a_pair_s_copy_checks_both_blocks() -> None:
    cluster = make(32, blocks=2)
    assert all(wait.ready() for wait in pair_alloc(cluster))
    near, far = cluster.blocks
    fill(near)
    assert message(cp, near.warps[0], cta_group=2) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address 0x1000410 (byte 0 of 'tile'), "
        f"which was never written [S1]\n{AT}\n"
        "  note: in the shared memory of the other block of the pair, block (1, 0, 0)"
    )
    fill(far)
    far.warps[0].store(3, u64((1 << 24) + TILE), u64(5).astype(np.uint32), ONE, Op("llvm.store"))
    assert "block (1, 0, 0), thread (0, 0, 0) wrote and did not fence" in message(
        cp, near.warps[0], cta_group=2
    )
    far.warps[0].fence_proxy("async.shared::cluster", ALL, Op("nvvm.fence.proxy"))
    cp(near.warps[0], cta_group=2)
    for block in cluster.blocks:
        init(block.warps[0])
    commit(near.warps[0], cta_group=2, multicast_mask=3)
    for block in cluster.blocks:
        warp = block.warps[0]
        wait(warp)
        fence(warp)
        got = ld(warp)
        wait_ld(warp)
        first = warp.use(got, Op("llvm.store"))[0, 0]
        assert first == (0x03020100 if block is near else 5)


def test_a20_two_kernels_of_a_group_each() -> None:
    alloc(make(32).blocks[0].warps[0])
    waits = pair_alloc(make(32, blocks=2))
    assert [wait.ready() for wait in waits] == [True, True]
