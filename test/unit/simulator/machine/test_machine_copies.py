"""tcgen05.cp and tcgen05.shift: what they do, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from machine_rig import (
    ALL,
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
    message,
    passes,
    ready_to_copy,
    u64,
    wait,
    wait_ld,
    words,
)
from tcgen05_mlir.model import SmemDescriptor, execute_cp, legal_instructions
from tcgen05_mlir.simulator.machine import SharedBuffer, SharedLayout

AT = "  at block (0, 0, 0), thread (0, 0, 0)"

CASES = Path(__file__).parents[3] / "data" / "cp_cases.npz"


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
