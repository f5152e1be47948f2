"""Allocation of tensor memory: alone, in pairs, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from machine_rig import (
    ALL,
    MBAR,
    ONE,
    SLOT,
    Op,
    alloc,
    barrier,
    commit,
    cp,
    dealloc,
    end,
    fence,
    init,
    ld,
    make,
    message,
    ready_to_copy,
    st,
    u64,
    wait,
    wait_ld,
    wait_st,
)
from tcgen05_mlir.simulator.machine import Warp

AT = "  at block (0, 0, 0), thread (0, 0, 0)"
ALLOC = Op("nvvm.tcgen05.alloc", 10)


def one_warp(**options: Any) -> Warp:
    return make(32, **options).blocks[0].warps[0]


def slot(warp: Warp) -> int:
    address = u64(warp.block.shared_base + SLOT)
    return int(warp.load(3, address, np.uint32, ONE, Op("llvm.load", 11))[0])


def relinquish(warp: Warp, **more: Any) -> None:
    warp.tcgen05_relinquish(ALL, Op("nvvm.tcgen05.relinquish_alloc_permit", 12), **more)


def test_the_address_is_in_the_slot() -> None:
    warp = one_warp()
    alloc(warp, 128)
    assert slot(warp) == 0
    alloc(warp, 64)
    assert slot(warp) == 128
    alloc(warp, 32)
    assert slot(warp) == 192
    dealloc(warp, 128)
    dealloc(warp, 32, at=192)
    dealloc(warp, 64, at=128)
    relinquish(warp)
    end(warp.block.cluster)


def test_a_generic_pointer_names_the_slot() -> None:
    warp = one_warp()
    wait = warp.tcgen05_alloc(u64(0x7000_0000_0000 + SLOT), 32, ALL, ALLOC, space=0)
    assert wait.ready()
    assert slot(warp) == 0


def test_columns_are_unwritten_again_after_a_new_alloc() -> None:
    warp = one_warp()
    alloc(warp)
    st(warp, np.zeros((1, 32), np.uint32))
    wait_st(warp)
    ld(warp, registers=1)
    wait_ld(warp)
    dealloc(warp)
    slot(warp)
    alloc(warp)
    assert "which was never written [S1]" in message(ld, warp, registers=1)


@pytest.mark.parametrize("columns", [0, 16, 48, 1024])
def test_p6_a_count_that_is_no_power_of_two_in_range(columns: int) -> None:
    assert message(alloc, one_warp(), columns) == (
        f"k.mlir:10:1: 'nvvm.tcgen05.alloc' op allocates {columns} columns, wanted a power of two "
        f"in 32..512 [P6]\n{AT}"
    )


def test_a14_p6_more_than_512_live_columns() -> None:
    warp = one_warp()
    alloc(warp, 512)
    slot(warp)
    assert message(alloc, warp, 32) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op allocates 32 columns with 512 live: 544 > 512 [P6]\n"
        f"{AT}\n"
        "  note: live are columns 0 to 511"
    )


def test_a14_two_halves_fit() -> None:
    warp = one_warp()
    alloc(warp, 256)
    assert slot(warp) == 0
    alloc(warp, 256)
    assert slot(warp) == 256


def test_p6_allowed_waits_for_columns() -> None:
    cluster = make(64, allow={"P6"})
    first, second = cluster.blocks[0].warps
    alloc(first, 512)
    slot(first)
    blocked = second.tcgen05_alloc(u64(SLOT), 32, ALL, ALLOC)
    assert not blocked.ready()
    assert second.waiting == [blocked]
    assert blocked.describe() == "32 free columns of tensor memory; live are columns 0 to 511"
    dealloc(first, 512)
    assert blocked.ready()
    assert second.waiting == []


def test_p6_alloc_after_relinquish() -> None:
    warp = one_warp()
    relinquish(warp)
    assert message(alloc, warp) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op allocates after "
        "'nvvm.tcgen05.relinquish_alloc_permit' at k.mlir:12:1 gave up the permit [P6]\n"
        f"{AT}\n"
        "  note: put nvvm.tcgen05.relinquish_alloc_permit behind the last alloc"
    )


def test_p6_a_larger_alloc_after_a_smaller_one() -> None:
    warp = one_warp()
    alloc(warp, 32)
    slot(warp)
    assert message(alloc, warp, 64, line=13) == (
        "k.mlir:13:1: 'nvvm.tcgen05.alloc' op allocates 64 columns after 32: counts of a block "
        f"must not increase [P6]\n{AT}\n"
        "  note: the smaller one is 'nvvm.tcgen05.alloc' at k.mlir:10:1; allocate the largest first"
    )
    alloc(warp, 32, line=13)


def test_p6_a_double_dealloc() -> None:
    warp = one_warp()
    alloc(warp)
    dealloc(warp)
    assert message(dealloc, warp, line=91) == (
        "k.mlir:91:1: 'nvvm.tcgen05.dealloc' op gives back lane 0, column 0, where no live "
        f"allocation starts [P6]\n{AT}\n"
        "  note: live are none\n"
        "  note: given back before by 'nvvm.tcgen05.dealloc' at k.mlir:90:1"
    )


def test_p6_a_dealloc_inside_an_allocation() -> None:
    warp = one_warp()
    alloc(warp, 64)
    assert message(dealloc, warp, 32, at=32) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back lane 0, column 32, where no live "
        f"allocation starts [P6]\n{AT}\n"
        "  note: live are columns 0 to 63"
    )


def test_p6_a_dealloc_of_another_size() -> None:
    warp = one_warp()
    alloc(warp, 64)
    assert message(dealloc, warp, 32) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back 32 columns of an allocation of 64 [P6]\n"
        f"{AT}\n"
        "  note: allocated by 'nvvm.tcgen05.alloc' at k.mlir:10:1"
    )
    dealloc(warp, 64)


def test_p6_a_dealloc_that_is_missing() -> None:
    warp = one_warp()
    alloc(warp, 64)
    warp.exit(ALL)
    assert message(warp.block.cluster.finish) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op allocates columns 0 to 63, which nobody gives back "
        f"before the kernel ends [P6]\n{AT}\n"
        "  note: nvvm.tcgen05.dealloc with the same count, on every path"
    )


def test_a18_p5_dealloc_before_the_wait_of_a_load() -> None:
    warp = one_warp()
    alloc(warp)
    st(warp, np.zeros((4, 32), np.uint32))
    wait_st(warp)
    ld(warp)
    assert message(dealloc, warp) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back lane 0, column 0, which the load "
        f"'nvvm.tcgen05.ld' at k.mlir:60:1 still reads [P5]\n{AT}\n"
        "  note: put nvvm.tcgen05.wait <load> behind it"
    )
    wait_ld(warp)
    dealloc(warp)


def test_p5_dealloc_before_the_wait_of_a_store() -> None:
    warp = one_warp()
    alloc(warp)
    st(warp, np.zeros((4, 32), np.uint32))
    assert message(dealloc, warp) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back lane 0, column 0, which the store "
        f"'nvvm.tcgen05.st' at k.mlir:70:1 still writes [P5]\n{AT}\n"
        "  note: put nvvm.tcgen05.wait <store> behind it"
    )
    wait_st(warp)
    dealloc(warp)


def test_p4_dealloc_under_a_copy() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    commit(warp)
    assert message(dealloc, warp) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back lane 0, column 0, which the copy "
        f"'nvvm.tcgen05.cp' at k.mlir:40:1 writes and nobody has waited for [P4]\n{AT}\n"
        "  note: wait for the mbarrier of its commit first"
    )
    wait(warp)
    dealloc(warp)


def test_s7_dealloc_with_no_barrier_behind_another_warp_s_load() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0])
    commit(block.warps[0])
    for warp in block.warps:
        wait(warp)
        fence(warp)
        ld(warp)
        wait_ld(warp)
    assert message(dealloc, block.warps[0]) == (
        "k.mlir:90:1: 'nvvm.tcgen05.dealloc' op gives back lane 32, column 0, which the load "
        "'nvvm.tcgen05.ld' at k.mlir:60:1 of warp 1 reads, and nothing orders the two [S7]\n"
        f"{AT}\n"
        "  note: put a barrier between them, with nvvm.tcgen05.fence <before> and <after> around it"
    )
    barrier(block)
    dealloc(block.warps[0])


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("alloc", lambda w, m: w.tcgen05_alloc(u64(SLOT), 32, m, Op("nvvm.tcgen05.alloc"))),
        ("dealloc", lambda w, m: w.tcgen05_dealloc(0, 32, m, Op("nvvm.tcgen05.dealloc"))),
        ("relinquish", lambda w, m: w.tcgen05_relinquish(m, Op("nvvm.tcgen05.relinquish"))),
        ("st", lambda w, m: w.tcgen05_st(0, u64(0), m, Op("nvvm.tcgen05.st"), shape="32x32b")),
        ("wait", lambda w, m: w.tcgen05_wait("load", m, Op("nvvm.tcgen05.wait"))),
    ],
)
def test_p7_a_collective_reached_by_one_lane(name: str, action: Any) -> None:
    warp = one_warp()
    if name != "alloc":
        alloc(warp)
    assert message(action, warp, ONE) == (
        f"k.mlir:1:1: 'nvvm.tcgen05.{name}' op is reached by 1 of the 32 lanes that execute it "
        f"together; lanes 1, 2, 3, 4, ... are absent [P7]\n{AT}\n"
        "  note: move it out of the branch that only some lanes of the warp take"
    )
    action(warp, ALL)


def test_p7_a_collective_after_a_lane_has_ended() -> None:
    warp = one_warp()
    last = np.arange(32) == 31
    warp.exit(last)
    assert "reached by 31 of the 32 lanes" in message(
        warp.tcgen05_wait, "load", ~last, Op("nvvm.tcgen05.wait")
    )


def test_s6_counts_that_differ_among_lanes() -> None:
    counts = np.where(np.arange(32) == 8, 64, 32)
    assert message(one_warp().tcgen05_alloc, u64(SLOT), counts, ALL, ALLOC) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op has column counts that differ among lanes: 0x20 and "
        "0x40 [S6]\n"
        "  at block (0, 0, 0), thread (8, 0, 0)"
    )


def test_a20_p2_two_groups_in_one_kernel() -> None:
    warp = ready_to_copy(blocks=2).blocks[0].warps[0]
    assert message(cp, warp, cta_group=2) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op uses cta_group::2, where 'nvvm.tcgen05.alloc' at "
        f"k.mlir:10:1 uses cta_group::1 [P2]\n{AT}\n"
        "  note: all tcgen05 operations of a kernel use one cta_group"
    )


@pytest.mark.parametrize("blocks", [1, 3])
def test_p2_a_pair_without_a_cluster_of_pairs(blocks: int) -> None:
    assert message(relinquish, one_warp(blocks=blocks), cta_group=2) == (
        "k.mlir:12:1: 'nvvm.tcgen05.relinquish_alloc_permit' op uses cta_group::2 in a cluster of "
        f"{blocks}, wanted an even size [P2]\n{AT}\n"
        "  note: launch with --cluster 2, or state it with nvvm.cluster_dim"
    )


def test_p9_a_slot_on_an_mbarrier() -> None:
    warp = one_warp()
    init(warp)
    assert message(alloc, warp, slot=MBAR) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op leaves the tensor memory address in shared address "
        f"0x408 (byte 0 of 'mbar'), which holds a live mbarrier [P9]\n{AT}\n"
        "  note: give address slot, mbarriers and data buffers of their own"
    )


def test_p9_a_slot_overwritten_before_it_was_read() -> None:
    warp = one_warp()
    alloc(warp)
    store = Op("llvm.store", 14)
    said = (
        "k.mlir:14:1: 'llvm.store' op writes shared address 0x400 (byte 0 of 'taddr'), which holds "
        f"the tensor memory address that tcgen05.alloc left there, not read yet [P9]\n{AT}\n"
        "  note: give address slot, mbarriers and data buffers of their own"
    )
    assert message(warp.store, 3, u64(SLOT), u64(0).astype(np.uint32), ONE, store) == said
    assert "not read yet [P9]" in message(alloc, warp)
    slot(warp)
    warp.store(3, u64(SLOT), u64(0).astype(np.uint32), ONE, store)


def test_s2_a_slot_in_another_block() -> None:
    cluster = make(32, blocks=2)
    warp = cluster.blocks[0].warps[0]
    address = u64(0x7000_0100_0000 + SLOT)
    assert message(warp.tcgen05_alloc, address, 32, ALL, ALLOC, space=0) == (
        "k.mlir:10:1: 'nvvm.tcgen05.alloc' op leaves the tensor memory address in memory that is "
        f"not the block's own shared memory [S2]\n{AT}"
    )
