"""Rules F4 to F7: column origins, bounds of tensor memory, cells that differ. Whole messages."""

from __future__ import annotations

import pytest
from proving import FOUR, SCALES, TILE, WIDE, layout, only, source, to, violations
from tcgen05_mlir.model import Place, SmemDescriptor, TensorBase, TmemLayout, Violation, prove

# F4


@pytest.mark.parametrize("column", [0, 4, 508])
def test_f4_columns_in_fours(column: int) -> None:
    plan = to(TILE, f"(128, 4) : (1@lane, 1@col), offset = (0@lane, {column}@col)")
    assert plan.steps[0].column_offset == column


def test_f4_the_layout_s_offset() -> None:
    assert only(to, TILE, "(128, 4) : (1@lane, 1@col), offset = (0@lane, 6@col)") == Violation(
        "F4",
        "dst",
        "'dst' column origin must be a multiple of 4, got 6 [F4]",
        "move it to column 4 or 8",
        6,
        4,
        Place(),
    )


def test_f4_constants_added_to_the_base() -> None:
    plain = TmemLayout.for_instruction(TILE)
    violation = only(to, TILE, plain, dst_base=TensorBase(column=2, columns=32))
    assert violation.message == "'dst' column origin must be a multiple of 4, got 2 [F4]"
    shifted = TmemLayout.for_instruction(TILE, offset=(0, 2))
    assert to(TILE, shifted, dst_base=TensorBase(column=2)).steps[0].column_offset == 2


def test_f4_every_repeat() -> None:
    violation = only(to, TILE, "(2, 3, 128, 4) : (32@col, 6@col, 1@lane, 1@col)")
    assert (violation.message, violation.place) == (
        "'dst' column origin of repeat (0, 1) must be a multiple of 4, got 6 [F4]",
        Place((0, 1)),
    )


def test_f4_every_value_of_a_dynamic_index() -> None:
    dst = "((4, 2), 2, 128, 4) : ((64@col, 10@col), 4@col, 1@lane, 1@col)"
    violation = only(to, TILE, dst, dst_indices=(None,))
    assert (violation.message, violation.place) == (
        "'dst' column origin of index (1), repeat (0) must be a multiple of 4, got 10 [F4]",
        Place((0,), index=(1,)),
    )
    assert to(TILE, dst, dst_indices=(2,)).steps[1].column_offset == 68


def test_f4_the_smallest_of_several_indices() -> None:
    dst = "((4, 2), 3, 128, 4) : ((6@col, 10@col), 2@col, 1@lane, 1@col)"
    violation = only(to, TILE, dst, dst_indices=(None, 0))
    assert violation.place == Place(index=(1, 0))
    violation = only(to, TILE, dst, dst_indices=(None, None))
    assert violation.place == Place(index=(0, 1))


@pytest.mark.parametrize(
    ("column", "remedy"),
    [
        (2, "move it to column 0 or 4"),
        (506, "move it to column 504 or 508"),
        (-2, "move it to column 0"),
        (510, "move it to column 508"),
        (-6, "move it to one of columns 0 to 508"),
        (1001, "move it to one of columns 0 to 508"),
    ],
)
def test_f4_offers_columns_that_there_are(column: int, remedy: str) -> None:
    plain = TmemLayout.for_instruction(TILE)
    broken = violations(to, TILE, plain, dst_base=TensorBase(column=column))
    found = [violation for violation in broken if violation.rule == "F4"]
    assert [violation.remedy for violation in found] == [remedy]


def test_f4_a_dynamic_addend() -> None:
    plain = TmemLayout.for_instruction(TILE)
    assert only(to, TILE, plain, dst_base=TensorBase(column_factor=2)) == Violation(
        "F4",
        "dst",
        "'dst' address must be moved by a multiple of 4 columns, got a number that is "
        "only known to be a multiple of 2 [F4]",
        "add known multiples of 4 alone, for example by arith.muli with 4, or take the "
        "tcgen05.view of the allocation's own address",
        2,
        4,
    )
    assert to(TILE, plain, dst_base=TensorBase(column_factor=4)).bounded is False


# F5


def test_f5_lanes_below_0() -> None:
    violation = only(to, TILE, "(128, 4) : (1@lane, 1@col), offset = (-1@lane, 0@col)")
    assert violation == Violation(
        "F5",
        "dst",
        "'dst' must stay inside lanes 0..127, got lane -1 for row 0, word 0 [F5]",
        "128x128b reaches 128 lanes from the lane that it starts in",
        -1,
        128,
        Place(),
    )


def test_f5_the_lane_in_the_base_counts() -> None:
    violation = only(to, SCALES, TmemLayout.for_instruction(SCALES), dst_base=TensorBase(lane=16))
    assert (violation.message, violation.place) == (
        "'dst' must stay inside lanes 0..127, got lane 128 for row 16, word 0 "
        "(its replica 96 lanes on) [F5]",
        Place(row=16),
    )


def test_f5_every_index_and_repeat() -> None:
    dst = "(8, 4, 4, 8) : (4@lane, 1@lane, 32@lane, 1@col)"
    src, read = source("(4, 4, 8) : (32, 8, 1), swizzle = 1"), SmemDescriptor(swizzle=1)
    facts = {"dst_base": TensorBase(lane=1), "dst_indices": (None,)}
    violation = only(prove, FOUR, layout(dst), src, read, **facts)
    assert (violation.message, violation.place) == (
        "'dst' must stay inside lanes 0..127, got lane 128 for index (7), repeat (3), row 3, "
        "word 0 [F5]",
        Place((3,), 3, index=(7,)),
    )
    steps = prove(FOUR, layout(dst), src, read, dst_indices=(None,)).steps
    assert [step.lane_offset for step in steps] == [0, 1, 2, 3]
    facts["dst_indices"] = (6,)
    steps = prove(FOUR, layout(dst), src, read, **facts).steps
    assert [step.lane_offset for step in steps] == [24, 25, 26, 27]


def test_f5_a_dynamic_lane_is_at_its_best() -> None:
    plain = TmemLayout.for_instruction(SCALES, offset=(32, 0))
    assert to(SCALES, plain, dst_base=TensorBase(lane_factor=32)).steps[0].lane_offset == 32
    violation = only(to, SCALES, plain, dst_base=TensorBase(lane_factor=48))
    assert violation.message == (
        "'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 "
        "(its replica 96 lanes on) [F5]"
    )


# F6


def test_f6_columns_beyond_512() -> None:
    assert only(to, TILE, "(2, 128, 4) : (512@col, 1@lane, 1@col)") == Violation(
        "F6",
        "dst",
        "'dst' must stay inside columns 0..511, got column 512 for repeat (1), row 0, word 0 [F6]",
        "start it further left, or copy less",
        512,
        512,
        Place((1,)),
    )


def test_f6_columns_that_were_not_allocated() -> None:
    dst = TmemLayout.for_instruction(TILE, 8)
    assert only(to, TILE, dst, dst_base=TensorBase(column=4, columns=32)) == Violation(
        "F6",
        "dst",
        "'dst' must stay inside the 32 columns that the allocation got, got column 32 for "
        "repeat (7), row 0, word 0 [F6]",
        "allocate 64 columns",
        32,
        32,
        Place((7,)),
    )
    assert len(to(TILE, dst, dst_base=TensorBase(columns=32)).steps) == 8


def test_f6_columns_before_the_allocation() -> None:
    dst = TmemLayout.for_instruction(TILE)
    violation = only(to, TILE, dst, dst_base=TensorBase(column=-4, columns=32))
    assert (violation.message, violation.remedy) == (
        "'dst' must stay inside the 32 columns that the allocation got, got column -4 for "
        "row 0, word 0 [F6]",
        "start it inside",
    )


def test_f6_every_value_of_a_dynamic_index() -> None:
    dst = layout("(4, 128, 4) : (-4@col, 1@lane, 1@col), offset = (0@lane, 8@col)")
    violation = only(to, TILE, dst, dst_indices=(None,))
    assert (violation.message, violation.place) == (
        "'dst' must stay inside columns 0..511, got column -4 for index (3), row 0, word 0 [F6]",
        Place(index=(3,)),
    )
    assert to(TILE, dst, dst_indices=(2,)).steps[0].column_offset == 0


def test_f6_index_0_is_named_where_it_is_at_fault() -> None:
    dst = "(4, 128, 4) : (-8@col, 1@lane, 1@col), offset = (0@lane, 560@col)"
    violation = only(to, TILE, dst, dst_indices=(None,))
    assert violation.place == Place(index=(0,))


def test_f6_a_dynamic_column_is_at_its_best() -> None:
    dst = TmemLayout.for_instruction(TILE, 4, offset=(0, 500))
    assert to(TILE, dst, dst_base=TensorBase(column_factor=16)).steps[0].column_offset == 500
    violation = only(to, TILE, dst, dst_base=TensorBase(column_factor=16, columns=16))
    assert violation.message == (
        "'dst' must stay inside the 16 columns that the allocation got, got column 16 for "
        "repeat (3), row 0, word 0 [F6]"
    )


# F7


def test_f7_repeats_that_write_the_same_cells() -> None:
    assert only(to, TILE, "(3, 128, 4) : (0@col, 1@lane, 1@col)") == Violation(
        "F7",
        "dst",
        "'dst' repeats must write different cells, got repeat (1) at lane 0, column 0, which "
        "writes cells of repeat (0) [F7]",
        "place repeats 4 columns apart",
        (0, 0),
        None,
        Place((1,)),
    )


def test_f7_a_part_is_enough() -> None:
    dst = layout("(3, 2, 128, 8) : (16@col, 12@col, 1@lane, 1@col)")
    violation = only(
        prove, WIDE, dst, source("(3, 2, (16, 8), 8) : (0, 0, (64, 8), 1), swizzle = 1"),
        SmemDescriptor(sdo=256, swizzle=1),
    )  # fmt: skip
    assert violation.message == (
        "'dst' repeats must write different cells, got repeat (1, 0) at lane 0, column 16, which "
        "writes cells of repeat (0, 1) [F7]"
    )


def test_f7_four_row_copies_share_columns_not_lanes() -> None:
    src, read = source("(16, 4, 8) : (32, 8, 1), swizzle = 1"), SmemDescriptor(swizzle=1)
    apart = layout("(16, 4, 8) : (2@lane, 32@lane, 1@col)")
    assert len(prove(FOUR, apart, src, read).steps) == 16
    wrapped = layout(
        "((2, 8), 4, 8) : ((32@lane, 1@lane), 32@lane, 1@col), offset = (-32@lane, 0@col)"
    )
    beyond, shared = violations(prove, FOUR, wrapped, src, read)
    assert (beyond.rule, shared.message) == (
        "F5",
        "'dst' repeats must write different cells, got repeat (8) at lane 0, column 0, which "
        "writes cells of repeat (0) [F7]",
    )


def test_f7_the_289th_of_many_repeats() -> None:
    dst = layout("(3, 9, 32, 4, 8) : (0@col, 8@col, 1@lane, 32@lane, 1@col)")
    src = source("(3, 9, 32, 4, 8) : (0, 0, 0, 8, 1), swizzle = 1")
    violation = only(prove, FOUR, dst, src, SmemDescriptor(swizzle=1))
    assert violation.message == (
        "'dst' repeats must write different cells, got repeat (1, 0, 0) at lane 0, column 0, "
        "which writes cells of repeat (0, 0, 0) [F7]"
    )
