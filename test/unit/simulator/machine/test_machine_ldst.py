"""Every shape of tcgen05.ld and tcgen05.st against PTX's fragments, counted out by thread."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from machine_rig import ALL, Op, alloc, barrier, fence, ld, make, st, text, wait_ld, wait_st
from numpy.typing import NDArray
from tcgen05_mlir.model.ldst_shapes import read_ldst_shape
from tcgen05_mlir.simulator.machine import Registers, SimulationError, Warp

PER_REPEAT = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
FORMS = [
    (shape, factor * 2**power)
    for shape, factor in PER_REPEAT.items()
    for power in range(8)
    if factor * 2**power <= 128
]


def slow_cells(shape: str, registers: int) -> Iterator[tuple[int, int, int, int]]:
    """(register, thread, lane, column), counted out the way the figures are drawn.

    A 16x64b, 16x128b or 16x256b row of eight lanes is dealt to the threads in order: each quad of
    threads has one lane. 16x64b puts the lanes 8..15 in the odd threads of the quad.
    """
    if shape == "32x32b":
        for thread in range(32):
            for register in range(registers):
                yield register, thread, thread, register
    elif shape == "16x32bx2":
        for half in range(2):
            for lane in range(16):
                for register in range(registers):
                    yield register, 16 * half + lane, lane, register
    elif shape == "16x64b":
        for register in range(registers):
            for lane in range(16):
                for column in range(2):
                    quad, odd = lane % 8, lane // 8
                    yield register, 4 * quad + 2 * column + odd, lane, 2 * register + column
    elif shape == "16x128b":
        for repeat in range(registers // 2):
            for lane in range(16):
                for column in range(4):
                    register = 2 * repeat + lane // 8
                    yield register, 4 * (lane % 8) + column, lane, 4 * repeat + column
    else:
        for repeat in range(registers // 4):
            for lane in range(16):
                for column in range(8):
                    register = 4 * repeat + 2 * (lane // 8) + column % 2
                    yield register, 4 * (lane % 8) + column // 2, lane, 8 * repeat + column


def filled(number: int = 1) -> tuple[Warp, NDArray[np.uint32]]:
    """A block whose warp `number` reads a fully written 512 columns, and those cells."""
    cluster = make()
    block = cluster.blocks[0]
    alloc(block.warps[0], 512)
    cells = np.random.default_rng(7).integers(0, 2**32, (128, 512), np.uint32)
    for warp in block.warps:
        for first in range(0, 512, 128):
            rows = cells[32 * warp.number : 32 * warp.number + 32, first : first + 128]
            st(warp, rows.T, (32 * warp.number << 16) + first)
        wait_st(warp)
    barrier(block)
    for warp in block.warps:
        fence(warp)
    return block.warps[number], cells


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("shape", "registers"), FORMS)
def test_ld_gets_the_cells_of_the_ptx_fragment(shape: str, registers: int, packed: bool) -> None:
    warp, cells = filled()
    scale = 2 if packed else 1
    width = scale * (1 + max(column for *_, column in slow_cells(shape, registers)))
    first = 8 if width + 16 <= 512 else 0
    offset = 8 if shape == "16x32bx2" else 0
    wanted = np.zeros((registers, 32), np.uint32)
    for register, thread, lane, column in slow_cells(shape, registers):
        at = first + scale * column + (offset if thread >= 16 and shape == "16x32bx2" else 0)
        row = cells[32 + lane]
        wanted[register, thread] = (
            (int(row[at]) & 0xFFFF) | (int(row[at + 1]) & 0xFFFF) << 16 if packed else row[at]
        )
    got = ld(warp, (32 << 16) + first, shape=shape, registers=registers, pack=packed, offset=offset)
    wait_ld(warp)
    assert np.array_equal(warp.use(got, Op("llvm.add")), wanted)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("shape", "registers"), FORMS)
def test_st_writes_the_cells_of_the_ptx_fragment(shape: str, registers: int, packed: bool) -> None:
    warp, cells = filled()
    values = np.random.default_rng(registers).integers(0, 2**32, (registers, 32), np.uint32)
    scale = 2 if packed else 1
    # Packed 16x32bx2.x128 takes 256 columns for each half; further apart they cannot lie.
    offset = min(scale * registers, 256) if shape == "16x32bx2" else 0
    wanted = cells.copy()
    for register, thread, lane, column in slow_cells(shape, registers):
        at = scale * column + (offset if thread >= 16 and shape == "16x32bx2" else 0)
        value, row = int(values[register, thread]), wanted[32 + lane]
        if packed:
            row[at] = (int(row[at]) & 0xFFFF0000) | (value & 0xFFFF)
            row[at + 1] = (int(row[at + 1]) & 0xFFFF0000) | (value >> 16)
        else:
            row[at] = value
    st(warp, values, 32 << 16, shape=f"shape_{shape}", unpack=packed, offset=offset)
    wait_st(warp)
    assert np.array_equal(warp.block.tensor.cells, wanted)


def test_the_second_half_of_16x32bx2_may_lie_in_other_lanes() -> None:
    warp, cells = filled(0)
    got = ld(warp, 0, shape="16x32bx2", registers=2, offset=16 << 16 | 4)
    wait_ld(warp)
    wanted = np.concatenate([cells[:16, :2], cells[16:32, 4:6]]).T
    assert np.array_equal(warp.use(got, Op("llvm.add")), wanted)


def test_sixteen_lanes_may_be_the_second_half_of_the_warp_s() -> None:
    warp, cells = filled(2)
    got = ld(warp, (80 << 16) + 3, shape="16x64b", registers=1)
    wait_ld(warp)
    assert warp.use(got, Op("llvm.add"))[0, 7] == cells[80 + 9, 3 + 1]


def test_the_fifth_warp_reaches_the_first_lanes() -> None:
    cluster = make(160)
    warp = cluster.blocks[0].warps[4]
    alloc(warp)
    st(warp, np.arange(32, dtype=np.uint32), 0)
    wait_st(warp)
    assert np.array_equal(ld(warp, 0, registers=1).plain()[0], np.arange(32))


@pytest.mark.parametrize(
    ("shape", "registers", "message"),
    [
        (
            "16x16b",
            1,
            "'shape' must be one of 32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2, got 16x16b",
        ),
        (
            "16x256b",
            2,
            "'registers' of 16x256b must be 4 times a power of two, at most 128, got 2",
        ),
        (
            "32x32b",
            3,
            "'registers' of 32x32b must be 1 times a power of two, at most 128, got 3",
        ),
        (
            "16x128b",
            256,
            "'registers' of 16x128b must be 2 times a power of two, at most 128, got 256",
        ),
    ],
)
def test_a_form_that_ptx_lacks_is_refused(shape: str, registers: int, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - compared whole below
        read_ldst_shape(shape, registers)
    assert str(caught.value) == message


def test_s6_lanes_of_another_warp() -> None:
    warp, _ = filled(1)
    with pytest.raises(SimulationError) as caught:
        ld(warp, 0)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lanes 0 to 31, but warp 1 reaches lanes 32 to 63 "
        "only [S6]\n"
        "  at block (0, 0, 0), thread (32, 0, 0)\n"
        "  note: the lane field of the address is 32 * (warp % 4), or 16 more"
    )


def test_s6_an_address_that_differs_among_lanes() -> None:
    warp, _ = filled(0)
    address = np.where(np.arange(32) == 3, 4, 0)
    with pytest.raises(SimulationError) as caught:
        warp.tcgen05_ld(address, ALL, Op("nvvm.tcgen05.ld", 60), shape="32x32b", registers=1)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op has addresses that differ among lanes: 0x0 and 0x4 "
        "[S6]\n"
        "  at block (0, 0, 0), thread (3, 0, 0)"
    )


def test_s2_columns_beyond_the_last() -> None:
    warp, _ = filled(0)
    with pytest.raises(SimulationError) as caught:
        ld(warp, 510)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads columns 510 to 513, beyond column 511 [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)"
    )
    ld(warp, 508)


def test_s2_columns_that_are_not_allocated() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    alloc(warp)
    with pytest.raises(SimulationError) as caught:
        st(warp, np.zeros((4, 32), np.uint32), 30)
    assert text(caught.value) == (
        "k.mlir:70:1: 'nvvm.tcgen05.st' op writes column 32, which is not allocated [S2]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: live are columns 0 to 31"
    )
    st(warp, np.zeros((4, 32), np.uint32), 28)


def test_s1_columns_that_were_never_written() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    alloc(warp)
    st(warp, np.zeros((4, 32), np.uint32), 0)
    wait_st(warp)
    ld(warp, 0)
    with pytest.raises(SimulationError) as caught:
        ld(warp, 1)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 4, which was never written [S1]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: what writes it must be waited for: a copy by the mbarrier of its commit, then "
        "nvvm.tcgen05.fence <after>; another warp's store by a barrier behind its wait::st"
    )


def test_p7_part_of_a_warp() -> None:
    warp, _ = filled(0)
    with pytest.raises(SimulationError) as caught:
        ld(warp, mask=np.arange(32) < 30)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op is reached by 30 of the 32 lanes that execute it "
        "together; lanes 30, 31 are absent [P7]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: move it out of the branch that only some lanes of the warp take"
    )


def test_p5_registers_used_before_the_wait() -> None:
    warp, _ = filled(0)
    got = ld(warp)
    element = got[2]
    assert isinstance(element, Registers)
    with pytest.raises(SimulationError) as caught:
        warp.use(element, Op("llvm.add", 62))
    assert text(caught.value) == (
        "k.mlir:62:1: 'llvm.add' op uses registers of the load 'nvvm.tcgen05.ld' at k.mlir:60:1, "
        "which was not waited for [P5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: put nvvm.tcgen05.wait <load> between the two"
    )
    wait_ld(warp)
    assert type(warp.use(element, Op("llvm.add", 62))) is np.ndarray


def test_registers_may_be_moved_but_not_computed_with_before_the_wait() -> None:
    warp, cells = filled(0)
    got = ld(warp)
    moved = np.where(ALL, got[0], np.uint32(0))
    with pytest.raises(AssertionError, match=r"without Warp\.use"):
        np.add(got, np.uint32(1))
    with pytest.raises(AssertionError, match=r"without Warp\.use"):
        np.sum(got)
    wait_ld(warp)
    assert np.array_equal(warp.use(moved, Op("llvm.add")), cells[:32, 0])
    assert np.array_equal(got[0] + np.uint32(1), cells[:32, 0] + np.uint32(1))


def test_p5_own_store_read_before_its_wait() -> None:
    cluster = make(32)
    warp = cluster.blocks[0].warps[0]
    alloc(warp)
    st(warp, np.zeros((4, 32), np.uint32))
    with pytest.raises(SimulationError) as caught:
        ld(warp)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 0, which the store "
        "'nvvm.tcgen05.st' at k.mlir:70:1 still writes [P5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: nvvm.tcgen05.wait <store> by the writer, a barrier, nvvm.tcgen05.fence <after>"
    )
    wait_st(warp)
    ld(warp)


def test_p5_a_store_over_a_load_before_its_wait() -> None:
    warp, _ = filled(0)
    ld(warp)
    with pytest.raises(SimulationError) as caught:
        st(warp, np.zeros((4, 32), np.uint32))
    assert text(caught.value) == (
        "k.mlir:70:1: 'nvvm.tcgen05.st' op writes lane 0, column 0, which the load "
        "'nvvm.tcgen05.ld' at k.mlir:60:1 still reads [P5]\n"
        "  at block (0, 0, 0), thread (0, 0, 0)\n"
        "  note: put nvvm.tcgen05.wait <load> behind it"
    )
    wait_ld(warp)
    st(warp, np.zeros((4, 32), np.uint32))


def test_s7_another_warp_s_store_without_a_barrier() -> None:
    cluster = make(160)
    first, fifth = cluster.blocks[0].warps[0], cluster.blocks[0].warps[4]
    alloc(first)
    st(first, np.zeros((4, 32), np.uint32))
    wait_st(first)
    with pytest.raises(SimulationError) as caught:
        ld(fifth)
    assert text(caught.value) == (
        "k.mlir:60:1: 'nvvm.tcgen05.ld' op reads lane 0, column 0, which the store "
        "'nvvm.tcgen05.st' at k.mlir:70:1 wrote, and nothing orders the two [S7]\n"
        "  at block (0, 0, 0), thread (128, 0, 0)\n"
        "  note: nvvm.tcgen05.wait <store> by the writer, a barrier, nvvm.tcgen05.fence <after>"
    )
    barrier(cluster.blocks[0])
    fence(fifth)
    ld(fifth)
