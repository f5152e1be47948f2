"""Where a copy reads and writes: rules C5 and F4 to F12 at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from machine_rig import (
    DESCRIPTOR,
    ONE,
    SLOT,
    TILE,
    Op,
    alloc,
    cp,
    fill,
    make,
    message,
    ready_to_copy,
    u64,
)
from tcgen05_mlir.model import SmemDescriptor
from tcgen05_mlir.simulator.machine import SharedBuffer, SharedLayout

AT = "  at block (0, 0, 0), thread (0, 0, 0)"


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
