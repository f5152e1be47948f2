"""Accesses that nothing orders, and memory put to two uses."""

from __future__ import annotations

import numpy as np
from machine_rig import (
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
    ready_to_copy,
    u64,
    wait,
    wait_ld,
)
from tcgen05_mlir.model import SmemDescriptor

AT = "  at block (0, 0, 0), thread (0, 0, 0)"


def test_p5_a_copy_over_a_load_before_its_wait() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    commit(warp)
    wait(warp)
    fence(warp)
    ld(warp)
    assert message(cp, warp, line=42) == (
        "k.mlir:42:1: 'nvvm.tcgen05.cp' op writes lane 0, column 0, which the load "
        "'nvvm.tcgen05.ld' at k.mlir:60:1 still reads [P5]\n"
        f"{AT}\n"
        "  note: put nvvm.tcgen05.wait <load> behind it"
    )
    wait_ld(warp)
    cp(warp, line=42)


def test_s7_a_copy_over_another_warp_s_load_without_a_barrier() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    warp, other = block.warps[:2]
    cp(warp)
    commit(warp)
    wait(warp)
    wait(other)
    fence(other)
    ld(other)
    wait_ld(other)
    assert message(cp, warp, line=42) == (
        "k.mlir:42:1: 'nvvm.tcgen05.cp' op writes lane 32, column 0, which the load "
        "'nvvm.tcgen05.ld' at k.mlir:60:1 of warp 1 reads, and nothing orders the two [S7]\n"
        f"{AT}\n"
        "  note: put a barrier between them, with nvvm.tcgen05.fence <before> and <after> around it"
    )
    barrier(block)
    cp(warp, line=42)


def test_p4_a_copy_over_a_copy() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    cp(warp)
    assert message(cp, warp, line=42) == (
        "k.mlir:42:1: 'nvvm.tcgen05.cp' op writes lane 0, column 0, which the copy "
        "'nvvm.tcgen05.cp' at k.mlir:40:1 writes and nobody has waited for [P4]\n"
        f"{AT}\n"
        "  note: commit it to an mbarrier and wait for that first"
    )
    cp(warp, 4, line=42)
    commit(warp)
    wait(warp)
    cp(warp, 0, line=43)


def test_s7_a_source_overwritten_under_the_copy() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0])
    commit(block.warps[0])
    zero = np.zeros(32, np.uint32)
    store = Op("llvm.store", 45)
    late = block.warps[1]
    said = (
        "k.mlir:45:1: 'llvm.store' op writes shared address 0x414 (byte 4 of 'tile'), which the "
        "copy 'nvvm.tcgen05.cp' at k.mlir:40:1 may still read [S7]\n"
        "  at block (0, 0, 0), thread (32, 0, 0)\n"
        "  note: wait for the mbarrier of the copy's commit before the source is written again"
    )
    assert message(late.store, 3, u64(TILE + 4), zero, ONE, store) == said
    assert cluster.idle()
    assert message(late.store, 3, u64(TILE + 4), zero, ONE, store) == said
    late.store(3, u64(TILE + 2048), zero, ONE, store)
    wait(late)
    late.store(3, u64(TILE + 4), zero, ONE, store)


def test_p9_a_source_that_holds_an_mbarrier() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    init(warp, at=TILE + 32)
    assert message(cp, warp) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address 0x430 (byte 32 of 'tile'), which "
        f"belongs to a live mbarrier [P9]\n{AT}"
    )
    cp(warp, descriptor=SmemDescriptor(TILE + 48, ldo=16, sdo=128))


def test_p9_a_source_that_holds_the_address_slot() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    fill(cluster.blocks[0])
    alloc(warp, slot=TILE + 64)
    said = (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address 0x450 (byte 64 of 'tile'), which "
        f"holds the address that tcgen05.alloc left there [P9]\n{AT}"
    )
    assert message(cp, warp) == said
    warp.load(3, u64(TILE + 64), np.uint32, ONE, Op("llvm.load"))
    assert message(cp, warp) == said


def test_p9_an_mbarrier_put_under_a_copy_s_source() -> None:
    cluster = ready_to_copy()
    cp(cluster.blocks[0].warps[0])
    assert message(init, cluster.blocks[0].warps[1], at=TILE) == (
        "k.mlir:20:1: 'nvvm.mbarrier.init' op puts an mbarrier on shared address 0x410 (byte 0 of "
        "'tile'), which the copy 'nvvm.tcgen05.cp' at k.mlir:40:1 may still read [S7]\n"
        "  at block (0, 0, 0), thread (32, 0, 0)\n"
        "  note: wait for the mbarrier of the copy's commit before the source is written again"
    )
