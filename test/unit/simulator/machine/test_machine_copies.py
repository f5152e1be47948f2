"""tcgen05.cp and commit: what they do, when, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from machine_rig import (
    ALL,
    DESCRIPTOR,
    MBAR,
    ONE,
    SLOT,
    TILE,
    Op,
    alloc,
    barrier,
    commit,
    cp,
    dealloc,
    end,
    fence,
    fill,
    init,
    ld,
    make,
    passes,
    ready_to_copy,
    text,
    u64,
    wait,
    wait_ld,
    words,
)
from tcgen05_mlir.model import SmemDescriptor, execute_cp, legal_instructions
from tcgen05_mlir.simulator.machine import SharedBuffer, SharedLayout, SimulationError

CASES = Path(__file__).parents[3] / "data" / "cp_cases.npz"
AT = "  at block (0, 0, 0), thread (0, 0, 0)"


def message(action: Any, *arguments: Any, **more: Any) -> str:
    with pytest.raises(SimulationError) as caught:
        action(*arguments, **more)
    return text(caught.value)


def test_a_copy_arrives_in_tensor_memory() -> None:
    cluster = ready_to_copy()
    block = cluster.blocks[0]
    cp(block.warps[0], 8)
    commit(block.warps[0])
    for warp in block.warps:
        wait(warp)
        fence(warp)
        got = ld(warp, (32 * warp.number << 16) + 8)
        wait_ld(warp)
        mine = words(0, 128, 4)[32 * warp.number : 32 * warp.number + 32]
        assert np.array_equal(warp.use(got, Op("llvm.store")), mine.T)
    barrier(block)
    dealloc(block.warps[0])
    end(cluster)


def test_a_copy_completes_late_and_when_depends_on_the_seed() -> None:
    steps = []
    for seed in range(8):
        cluster = ready_to_copy(seed=seed)
        warp = cluster.blocks[0].warps[0]
        cp(warp)
        commit(warp)
        count = 0
        assert not passes(warp)
        while not passes(warp):
            cluster.tick()
            count += 1
        steps.append(count)
        assert not cluster.idle()
    assert len(set(steps)) > 3
    again = ready_to_copy(seed=5)
    cp(again.blocks[0].warps[0])
    commit(again.blocks[0].warps[0])
    for _ in range(steps[5] - 1):
        again.tick()
    assert not passes(again.blocks[0].warps[0])
    again.tick()
    assert passes(again.blocks[0].warps[0])


def test_idle_time_jumps_to_the_next_completion() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    cp(warp)
    cp(warp, 8)
    commit(warp)
    assert cluster.idle()
    assert not passes(warp)
    assert cluster.idle()
    assert passes(warp)
    assert not cluster.idle()


@pytest.mark.parametrize("instruction", list(legal_instructions()), ids=str)
def test_every_instruction_is_the_reference_s(instruction: Any) -> None:
    cluster = make(32, blocks=2)
    near, far = cluster.blocks
    rng = np.random.default_rng(3)
    for block in cluster.blocks:
        init(block.warps[0])
        fill(block)
        block.shared.data[TILE:] = rng.integers(0, 256, block.shared.data.size - TILE)
    if instruction.cta_group == 1:
        alloc(near.warps[0])
        targets = [near]
    else:
        op = Op("nvvm.tcgen05.alloc")
        waits = [
            b.warps[0].tcgen05_alloc(u64(b.shared_base + SLOT), 32, ALL, op, cta_group=2)
            for b in cluster.blocks
        ]
        assert all(wait.ready() for wait in waits)
        targets = [near, far]
    descriptor = SmemDescriptor(TILE + 16, ldo=128, sdo=256)
    wanted = [block.tensor.cells.copy() for block in cluster.blocks]
    for block in targets:
        execute_cp(wanted[block.rank], block.shared.data, 4, descriptor, instruction)
    warp = near.warps[0]
    bits = u64(descriptor.encode())
    warp.tcgen05_cp(
        4,
        bits,
        ONE,
        Op("nvvm.tcgen05.cp"),
        shape=f"shape_{instruction.shape}",
        multicast=instruction.multicast,
        cta_group=instruction.cta_group,
        src_format=instruction.src_format,
    )
    while cluster.idle():
        pass
    for block in cluster.blocks:
        assert np.array_equal(block.tensor.cells, wanted[block.rank])


def cases() -> list[int]:
    with np.load(CASES) as data:
        return list(range(0, len(data["desc"]), 13))


@pytest.mark.parametrize("number", cases())
def test_recorded_cases_write_the_recorded_cells(number: int) -> None:
    with np.load(CASES) as data:
        size = data["smem"].shape[1]
        layout = SharedLayout([SharedBuffer("all", 0, size, 1024)])
        cluster = make(32, blocks=2, layout=layout, allow={"P3", "S1"})
        for block in cluster.blocks:
            block.shared.data[:] = data["smem"][block.rank]
            block.columns.take(0, 512, int(data["cta_group"][number]), Op("a"), None, 0)  # type: ignore[arg-type]
        shape, _, multicast = str(data["shape_names"][data["shape"][number]]).partition(".")
        src_format = str(data["dec_names"][data["dec"][number]]).rpartition(".")[2]
        before = [block.tensor.cells.copy() for block in cluster.blocks]
        cp(
            cluster.blocks[0].warps[0],
            int(data["taddr"][number]),
            int(data["desc"][number]),
            shape=shape,
            multicast=multicast or None,
            cta_group=int(data["cta_group"][number]),
            src_format=None if src_format == "none" else src_format,
        )
        assert cluster.idle()
        cells = slice(data["cell_ptr"][number], data["cell_ptr"][number + 1])
        for cta in range(2):
            mine = data["cell_cta"][cells] == cta
            lanes, columns = data["cell_lane"][cells][mine], data["cell_col"][cells][mine]
            before[cta][lanes, columns] = data["cell_val"][cells][mine]
            assert np.array_equal(cluster.blocks[cta].tensor.cells, before[cta])


def test_padding_of_packed_values_may_be_unwritten() -> None:
    layout = SharedLayout([SharedBuffer("mbar", MBAR, 8, 8), SharedBuffer("t", TILE, 512, 16)])
    for src_format, used in (("b4x16_p64", 8), ("b6x16_p32", 12)):
        cluster = make(32, layout=layout)
        warp = cluster.blocks[0].warps[0]
        warp.block.columns.take(0, 32, 1, Op("a"), warp.place(), 0)
        for first in range(0, used, 4):
            at = u64(TILE + first) + (16 * np.arange(32)).astype(np.uint64)
            warp.store(3, at, np.zeros(32, np.uint32), ALL, Op("llvm.store"))
        warp.fence_proxy("async.shared::cta", ALL, Op("nvvm.fence.proxy"))
        more: dict[str, Any] = {"shape": "32x128b", "multicast": "warpx4", "src_format": src_format}
        cp(warp, **more)
        packed = "b6x16_p32" if used == 8 else None
        said = message(cp, warp, 8, **{**more, "src_format": packed})
        assert said == (
            f"k.mlir:40:1: 'nvvm.tcgen05.cp' op reads shared address {TILE + used:#x} (byte {used} "
            f"of 't'), which was never written [S1]\n{AT}"
        )


# The protocol, in the order of a kernel ----------------------------------------------------------


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


# The footprint ------------------------------------------------------------------------------------


def test_c5_bits_that_no_descriptor_has() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(cp, warp, 0, DESCRIPTOR.encode() | 1 << 52) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op has the descriptor 0x0010400800010041: "
        f"leading-dimension mode, bit 52, must be 0b0, got 0b1 [C5]\n{AT}"
    )


def test_a15_f4_a_column_that_is_no_multiple_of_four() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(cp, warp, 2) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op 'dst' column origin must be a multiple of 4, got 2 "
        f"[F4]\n{AT}"
    )


def test_a15_f5_lanes_beyond_the_last() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(cp, warp, 32 << 16, shape="32x128b", multicast="warpx4") == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op 'dst' must keep the footprint inside lanes 0..127, got "
        f"lane 32 from which 32x128b.warpx4 reaches lane 159 [F5]\n{AT}"
    )


def test_a15_f6_columns_beyond_the_allocation() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    assert message(cp, warp, 28, shape="128x256b", descriptor=SmemDescriptor(TILE, 128, 256)) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op 'dst' must keep the footprint inside one allocation, "
        f"got columns 28 to 35; live are columns 0 to 31 [F6]\n{AT}"
    )
    cp(warp, 28)


def test_f6_two_allocations_are_not_one() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    warp.load(3, u64(SLOT), np.uint32, ONE, Op("llvm.load"))
    alloc(warp)
    assert message(cp, warp, 28, shape="128x256b", descriptor=SmemDescriptor(TILE, 128, 256)) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op 'dst' must keep the footprint inside one allocation, "
        f"got columns 28 to 35; live are columns 0 to 31, columns 32 to 63 [F6]\n{AT}"
    )


def swizzled(base: int, size: int = 4096, **more: Any) -> Any:
    """A warp with a fenced tile at an address of its choice."""
    layout = SharedLayout(
        [SharedBuffer("taddr", 64, 4, 4), SharedBuffer("tile", base, size, **more)]
    )
    cluster = make(32, layout=layout)
    warp = cluster.blocks[0].warps[0]
    alloc(warp, slot=64)
    fill(cluster.blocks[0], size, at=base)
    return warp


@pytest.mark.parametrize(
    ("swizzle", "base", "wanted", "got"),
    [(1, 0x1080, 256, 0x1080), (2, 0x1100, 512, 0x1100), (3, 0x1200, 1024, 0x1200)],
)
def test_a05_f9_a_swizzled_buffer_that_is_not_aligned(
    swizzle: int, base: int, wanted: int, got: int
) -> None:
    descriptor = SmemDescriptor(base, sdo=128 << swizzle, swizzle=swizzle)
    more: dict[str, Any] = {"shape": "32x128b", "multicast": "warpx4", "descriptor": descriptor}
    assert message(cp, swizzled(base), **more) == (
        f"k.mlir:40:1: 'nvvm.tcgen05.cp' op reads 'tile' with swizzle {swizzle}, whose base must "
        f"be a multiple of {wanted}, got shared address {got:#x} [F9]\n{AT}\n"
        f"  note: align the buffer to {wanted} bytes"
    )
    # What the launch sizes, the program lays out.
    cp(swizzled(base, dynamic=True), **more)


@pytest.mark.parametrize(("swizzle", "base"), [(1, 0x1100), (2, 0x1200), (3, 0x1400)])
def test_a05_a_swizzled_buffer_that_is_aligned(swizzle: int, base: int) -> None:
    descriptor = SmemDescriptor(base + 16, sdo=128 << swizzle, swizzle=swizzle)
    cp(swizzled(base), descriptor=descriptor, shape="32x128b", multicast="warpx4")


def test_f10_a_walk_past_the_buffer() -> None:
    warp = swizzled(1024, 2048)
    descriptor = SmemDescriptor(1040, sdo=128)
    assert message(cp, warp, descriptor=descriptor) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op must keep the walk inside the 2048 bytes of 'tile', got "
        f"bytes 2048 to 2063 for row 127, word 0 [F10]\n{AT}"
    )
    cp(warp, descriptor=SmemDescriptor(1024, sdo=128))


def test_f10_a_descriptor_of_no_buffer() -> None:
    warp = swizzled(1024, 2048)
    assert message(cp, warp, descriptor=SmemDescriptor(128, sdo=128)) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op reads from shared address 0x80, which is in no buffer "
        f"[F10]\n{AT}\n"
        "  note: build the descriptor from the address of the buffer"
    )


def test_f10_allowed_still_cannot_read_what_does_not_exist() -> None:
    layout = SharedLayout([SharedBuffer("tile", 1024, 1024)])
    cluster = make(32, layout=layout, allow={"F10", "S1"})
    warp = cluster.blocks[0].warps[0]
    warp.block.columns.take(0, 32, 1, Op("a"), warp.place(), 0)
    cp(warp, descriptor=SmemDescriptor(1024, sdo=128))
    assert message(cluster.idle) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op cannot be executed: 'descriptor' must keep the walk "
        "inside the 2048 bytes of 'smem', got bytes 2048 to 2063 for row 64, word 0 [F10]\n"
        f"{AT}"
    )


def test_f11_a_four_row_copy_over_a_four_row_block() -> None:
    more: dict[str, Any] = {"shape": "4x256b", "descriptor": SmemDescriptor(1024, swizzle=1)}
    assert message(cp, swizzled(1024, 128), **more) == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op must have the eight-row block of a 4-row copy, rows "
        "0..7 or rows -4..3, inside the 128 bytes of 'tile', got a start at byte 0 [F11]\n"
        f"{AT}\n"
        "  note: give the buffer four rows more"
    )
    cp(swizzled(1024, 256), **more)
    cp(swizzled(1024, 256), shape="4x256b", descriptor=SmemDescriptor(1024 + 128, swizzle=1))


def test_f12_a_row_across_two_swizzle_rows() -> None:
    descriptor = SmemDescriptor(1024 + 16, swizzle=1)
    assert message(cp, swizzled(1024), descriptor=descriptor, shape="4x256b") == (
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op must keep each 32-byte row inside a 32-byte swizzle "
        f"row, got row 0 at byte 16 of one [F12]\n{AT}"
    )
    cp(swizzled(1024), descriptor=SmemDescriptor(1024 + 96, swizzle=3), shape="4x256b")


# Overlaps -----------------------------------------------------------------------------------------


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


# Shift --------------------------------------------------------------------------------------------


def shift(warp: Any, taddr: int, line: int = 44) -> None:
    warp.tcgen05_shift(taddr, ONE, Op("nvvm.tcgen05.shift", line))


def test_shift_moves_rows_of_one_group_of_lanes() -> None:
    cluster = ready_to_copy()
    warp = cluster.blocks[0].warps[0]
    for column in (0, 8):
        descriptor = SmemDescriptor(TILE + 4 * column, ldo=128, sdo=256)
        cp(warp, column, descriptor, shape="128x256b")
    commit(warp)
    wait(warp)
    before = cluster.blocks[0].tensor.cells.copy()
    shift(warp, 64 << 16 | 4)
    commit(warp)
    wait(warp, 1)
    wanted = before.copy()
    wanted[64:95, 4:12] = before[65:96, 4:12]
    assert np.array_equal(cluster.blocks[0].tensor.cells, wanted)


def test_s3_a_shift_from_a_lane_inside_a_group() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    assert message(shift, warp, 16 << 16) == (
        "k.mlir:44:1: 'nvvm.tcgen05.shift' op shifts from lane 16, wanted a multiple of 32 below "
        f"128 [S3]\n{AT}"
    )


def test_a_shift_is_done_before_the_4x256b_copy_that_follows_it() -> None:
    for seed in range(6):
        cluster = ready_to_copy(seed=seed)
        warp = cluster.blocks[0].warps[0]
        cp(warp, 0, SmemDescriptor(TILE, ldo=128, sdo=256), shape="128x256b")
        commit(warp)
        wait(warp)
        shift(warp, 0)
        cp(warp, 0, SmemDescriptor(TILE + 1024, ldo=128), shape="4x256b")
        last = cluster.blocks[0].tensor.cells[1, :8].copy()
        commit(warp)
        wait(warp, 1)
        got = cluster.blocks[0].tensor.cells[0, :8]
        assert not np.array_equal(got, last)
        first = np.concatenate([words(1024, 1, 4)[0], words(1024 + 128, 1, 4)[0]])
        assert np.array_equal(got, first)


def test_p4_another_copy_after_a_shift_is_not_ordered() -> None:
    warp = ready_to_copy().blocks[0].warps[0]
    shift(warp, 0)
    assert message(cp, warp).startswith(
        "k.mlir:40:1: 'nvvm.tcgen05.cp' op writes lane 0, column 0, which the shift "
        "'nvvm.tcgen05.shift' at k.mlir:44:1 writes and nobody has waited for [P4]"
    )
