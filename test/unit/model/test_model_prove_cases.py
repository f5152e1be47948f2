"""Copies seen in failure reports and in public kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from expectation import raises
from proving import DENSE, FOUR, SCALES, TILE, WIDE, of, only, rows_of_16_bytes, to
from tcgen05_mlir.model import (
    COL,
    LANE,
    Instruction,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
    execute_cp,
    prove,
)


def test_a03_dead_fields_change_nothing() -> None:
    tile = SmemLayout.swizzled_tile(128, 8, 3)
    plans = [of(WIDE, tile, SmemDescriptor(ldo=ldo, sdo=1024, swizzle=3)) for ldo in (0, 16, 4096)]
    assert plans == [of(WIDE, tile, SmemDescriptor(sdo=1024, swizzle=3))] * 3
    assert plans[0].descriptor == SmemDescriptor(ldo=16, sdo=1024, swizzle=3)


def test_a03_a_field_that_is_read() -> None:
    with raises(ValueError, "'ldo' must be given: 128x256b reads it when unswizzled [C5]"):
        of(WIDE, SmemLayout.core_matrices(128, 8), SmemDescriptor(sdo=256))


@pytest.mark.parametrize(
    ("swizzle", "base", "right"), [(3, 0x1200, 0x1400), (2, 0x1100, 0x1200), (1, 0x1080, 0x1100)]
)
def test_a05_the_base_of_a_swizzled_buffer(swizzle: int, base: int, right: int) -> None:
    src = SmemLayout((32, 4), (4 << swizzle, 1), swizzle=swizzle)
    read = SmemDescriptor(sdo=128 << swizzle, swizzle=swizzle)
    violation = only(of, SCALES, src, read, src_base=SharedBase(address=base))
    assert violation.message == (
        f"'src' root must be aligned to {128 << swizzle} bytes with swizzle {swizzle}, got address "
        f"{base} ({base:#x}) [F9]"
    )
    assert of(SCALES, src, read, src_base=SharedBase(address=right)).bounded


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sdo": 24}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got 24 [C5]"),
        ({"ldo": 8}, "'ldo' must be a multiple of 16 in 0..262128 bytes, got 8 [C5]"),
        ({"sdo": 262144}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got 262144 [C5]"),
        ({"sdo": -16}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got -16 [C5]"),
    ],
)
def test_a06_fields_out_of_range(fields: dict[str, int], message: str) -> None:
    with raises(ValueError, message):
        of(FOUR, "(4, 8) : (8, 1), swizzle = 1", SmemDescriptor(swizzle=1, **fields))


def test_a06_an_origin_of_0x408_and_an_sdo_that_is_not_read() -> None:
    src = SmemLayout((4, 8), (8, 1), 0x408 // 4, swizzle=1)
    read = SmemDescriptor(sdo=262128, swizzle=1)
    assert only(of, FOUR, src, read).message == (
        "'src' origin must be a multiple of 16 bytes, got 1032 [F9]"
    )
    plan = of(FOUR, replace(src, offset=0x400 // 4), read)
    assert plan.steps[0].start_offset == 0x400


def test_a07_three_copies_of_scale_factors() -> None:
    plan = to(SCALES, TmemLayout.for_instruction(SCALES, 3), dst_base=TensorBase(columns=32))
    descriptors = [replace(plan.descriptor, start=0x400 + s.start_offset) for s in plan.steps]
    assert [d.encode() - descriptors[0].encode() for d in descriptors] == [0, 32, 64]
    assert [step.column_offset for step in plan.steps] == [0, 4, 8]
    assert {step.lane_offset for step in plan.steps} == {0}
    with raises(ValueError, "an extent must be at least 1, got 0"):
        TmemLayout.for_instruction(SCALES, 0)


@pytest.mark.parametrize(
    ("instruction", "origin", "message"),
    [
        (
            WIDE,
            (0, 508),
            "'dst' must stay inside columns 0..511, got column 512 for row 0, word 4 [F6]",
        ),
        (TILE, (0, 2), "'dst' column origin must be a multiple of 4, got 2 [F4]"),
        (
            SCALES,
            (32, 0),
            "'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 (its replica 96 "
            "lanes on) [F5]",
        ),
        (
            Instruction("64x128b", "warpx2::02_13"),
            (64, 0),
            "'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 (its replica 64 "
            "lanes on) [F5]",
        ),
    ],
)
def test_a15_a_footprint_outside_tensor_memory(
    instruction: Instruction, origin: tuple[int, int], message: str
) -> None:
    """In the layout's offset, or hidden in the base address."""
    lane, column = origin
    src = SmemLayout.core_matrices(instruction.rows, instruction.words, ldo=128)
    read = SmemDescriptor(ldo=128, sdo=32 * instruction.words)
    for offset, base in ((origin, (0, 0)), ((0, 0), origin)):
        dst = TmemLayout.for_instruction(instruction, offset=offset)
        known = TensorBase(*base, absolute=True)
        assert only(prove, instruction, dst, src, read, dst_base=known).message == message
    assert (lane, column) != (0, 0)


def test_a15_the_last_columns() -> None:
    dst = TmemLayout.for_instruction(TILE, offset=(0, 508))
    assert to(TILE, dst).steps[0].column_offset == 508


def test_b04_bytes_become_fields() -> None:
    src = SmemLayout((32, 4), (32, 1), 0x4000 // 4, swizzle=3)
    plan = of(SCALES, src, SmemDescriptor(sdo=1024, swizzle=3))
    bits = replace(plan.descriptor, start=plan.steps[0].start_offset).encode()
    assert (bits & 0x3FFF, bits >> 32 & 0x3FFF) == (0x400, 64)


def test_schedule_1_scale_factors() -> None:
    for ldo in (0, 16, 128):
        plan = to(SCALES, TmemLayout.for_instruction(SCALES, 4))
        assert plan == of(SCALES, rows_of_16_bytes(SCALES, 4), SmemDescriptor(ldo=ldo, sdo=128))
        assert [step[1:] for step in plan.steps] == [(0, 4 * i, 512 * i) for i in range(4)]


def test_schedule_2_a_scale_factor_matrix() -> None:
    """Four bytes per row, those of (row, k) at (row % 32) * 16 + (row // 32) * 4 + k."""
    values = np.random.default_rng(7).integers(0, 256, (128, 4), np.uint8)
    smem = np.zeros(2048, np.uint8)
    for row, k in np.ndindex(128, 4):
        smem[1024 + (row % 32) * 16 + (row // 32) * 4 + k] = values[row, k]
    src = rows_of_16_bytes(SCALES)
    plan = of(SCALES, src, DENSE, src_base=SharedBase(address=1024, extent=512))
    tmem = np.zeros((128, 512), np.uint32)
    descriptor = replace(plan.descriptor, start=1024 + plan.steps[0].start_offset)
    execute_cp(tmem, smem, 0, descriptor, SCALES)
    written = tmem[:, :4].copy().view(np.uint8).reshape(4, 32, 4, 4)
    for group, lane, column, byte in np.ndindex(4, 32, 4, 4):
        assert written[group, lane, column, byte] == values[column * 32 + lane, byte]


def test_schedule_3_256_bit_rows_unswizzled() -> None:
    src = SmemLayout.core_matrices(128, 8)
    plan = of(WIDE, src, SmemDescriptor(ldo=128, sdo=256))
    assert plan.descriptor.address(0, 4) // 4 == 32 == src.offset_of((0, 4))
    assert plan.descriptor.address(8, 0) // 4 == 64 == src.offset_of((8, 0))


def test_schedule_4_a_swizzled_tile() -> None:
    tile = SmemLayout.swizzled_tile(128, 8, 3)
    buffer = SharedBase(1024, extent=16384)
    plan = of(WIDE, tile, SmemDescriptor(sdo=1024, swizzle=3), src_base=buffer)
    assert [step.start_offset // 16 for step in plan.steps] == [0, 2, 4, 6]
    assert [step.column_offset for step in plan.steps] == [0, 8, 16, 24]
    assert plan.bounded


def test_schedule_5_a_scatter_over_a_swizzled_tile() -> None:
    tile = SmemLayout((16, 4, 8), (32, 8, 1), swizzle=1)
    dst = TmemLayout.for_instruction(FOUR, 16, repeat_strides=(1 @ LANE,))
    buffer = SharedBase(256, extent=2048)
    plan = prove(FOUR, dst, tile, SmemDescriptor(swizzle=1), src_base=buffer)
    assert [step[1:] for step in plan.steps] == [(i, 0, 128 * i) for i in range(16)]


# What another system was seen to accept though wrong, or to reject though right.


def test_seen_a_misaligned_column_or_lane_in_the_base_address() -> None:
    plain = TmemLayout.for_instruction(TILE)
    assert only(to, TILE, plain, dst_base=TensorBase(column=1, columns=32)).rule == "F4"
    assert only(to, TILE, plain, dst_base=TensorBase(lane=1, columns=32)).rule == "F5"


def test_seen_columns_outside_the_allocation() -> None:
    wide = TmemLayout.for_instruction(TILE, 9)
    assert only(to, TILE, wide, dst_base=TensorBase(columns=32)).rule == "F6"


def test_seen_a_walk_past_its_backing() -> None:
    short = SharedBase(16, extent=2032)
    assert only(of, TILE, rows_of_16_bytes(TILE), DENSE, src_base=short).rule == "F10"


def test_seen_a_4_row_copy_over_a_4_row_block() -> None:
    src, read = "(4, 8) : (8, 1), swizzle = 1", SmemDescriptor(swizzle=1)
    assert only(of, FOUR, src, read, src_base=SharedBase(256, extent=128)).rule == "F11"


def test_seen_repeats_that_all_write_the_same_cells() -> None:
    dst = TmemLayout.for_instruction(TILE, 4, repeat_strides=(0 @ COL,))
    assert only(to, TILE, dst).rule == "F7"


def test_seen_four_replicas_as_two_by_two() -> None:
    dst = TmemLayout((32, 4), (1 @ LANE, 1 @ COL), ((2, 2), (64 @ LANE, 32 @ LANE)))
    assert to(SCALES, dst) == to(SCALES, TmemLayout.for_instruction(SCALES))
