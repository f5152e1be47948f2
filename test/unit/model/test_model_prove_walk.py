"""Rules F8 and F12: the descriptor's walk and the layout. Whole messages."""

from __future__ import annotations

import pytest
from proving import DENSE, FOUR, TILE, WIDE, of, only, rows_of_16_bytes, source, violations
from tcgen05_mlir.model import (
    FootprintError,
    Instruction,
    Place,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TmemLayout,
    Violation,
    prove,
)

# F8


def test_f8_the_first_mismatch_with_both_addresses() -> None:
    dst, src = TmemLayout.for_instruction(TILE), rows_of_16_bytes(TILE)
    wrong = SmemDescriptor(ldo=16, sdo=256)
    assert only(prove, TILE, dst, src, wrong) == Violation(
        "F8",
        "descriptor",
        "'descriptor' must read row 8, word 0 at byte 128 of the root buffer, where 'src' has "
        "it, got byte 256 [F8]",
        "the layout has sdo = 128",
        256,
        128,
        Place(row=8),
    )


def test_f8_and_what_follows_from_it() -> None:
    dst, src = TmemLayout.for_instruction(TILE), rows_of_16_bytes(TILE)
    wrong, buffer = SmemDescriptor(ldo=16, sdo=256), SharedBase(16, extent=2048)
    with pytest.raises(FootprintError) as caught:
        prove(TILE, dst, src, wrong, src_base=buffer)
    assert str(caught.value) == (
        "'descriptor' must read row 8, word 0 at byte 128 of the root buffer, where 'src' has "
        "it, got byte 256 [F8]\n"
        "  the layout has sdo = 128\n"
        "'descriptor' must keep the walk inside the 2048 bytes of the root, got bytes 2048 to "
        "2063 for row 64, word 0 [F10]\n"
        "  one 128x128b with sdo = 256 spans 3968 bytes; give the buffer room for all, or start "
        "earlier"
    )


def test_f8_the_leading_distance() -> None:
    src = SmemLayout.core_matrices(128, 8, ldo=2048, sdo=128)
    violation = only(of, WIDE, src, SmemDescriptor(ldo=128, sdo=128))
    assert (violation.message, violation.remedy) == (
        "'descriptor' must read row 0, word 4 at byte 2048 of the root buffer, where 'src' has "
        "it, got byte 128 [F8]",
        "the layout has ldo = 2048",
    )
    assert of(WIDE, src, SmemDescriptor(ldo=2048, sdo=128)).steps[0].start_offset == 0


def test_f8_addresses_are_after_the_swizzle_and_absolute_where_known() -> None:
    src = SmemLayout.swizzled_tile(128, 8, 3)
    violation = only(
        of, WIDE, src, SmemDescriptor(sdo=512, swizzle=2), src_base=SharedBase(address=0x400)
    )
    assert (violation.message, violation.remedy, violation.place) == (
        "'descriptor' must read repeat (0), row 1, word 0 at shared address 1168, where 'src' "
        "has it, got shared address 1088 [F8]",
        "the layout has sdo = 1024, swizzle = 3",
        Place((0,), 1),
    )


def test_f8_no_descriptor_at_all() -> None:
    violation = only(of, TILE, "(128, 4) : (5, 1)", DENSE)
    assert (violation.message, violation.remedy) == (
        "'descriptor' must read row 1, word 0 at byte 20 of the root buffer, where 'src' has "
        "it, got byte 16 [F8]",
        "no descriptor reads this layout; 128x128b reads for example "
        "#tcgen05.smem_layout<((16, 8), (1, 4)) : ((32, 4), (32, 1))>",
    )
    four = only(of, FOUR, "(4, 8) : (9, 1)", SmemDescriptor(swizzle=1))
    assert four.remedy == (
        "no descriptor reads this layout; 4x256b reads for example "
        "#tcgen05.smem_layout<(4, 8) : (8, 1), swizzle = 1>"
    )


def test_f8_another_swizzle_may_read_the_same_bytes() -> None:
    """The pattern of a 32-byte swizzle, written as a mode of 144 bytes."""
    src = source("(2, ((16, 2, 4)), 4) : (1024, (64, 36, 8), 1)")
    read = SmemDescriptor(sdo=256, swizzle=1)
    assert [step.start_offset for step in of(TILE, src, read).steps] == [0, 4096]


def test_f8_another_swizzle_in_another_phase() -> None:
    """A stage that starts in the second half of the pattern: right for index 0 alone."""
    src, read = source("(3, 4, 8) : (32, 8, 1)"), SmemDescriptor(swizzle=1)
    assert of(FOUR, src, read, src_indices=(0,)).steps[0].start_offset == 0
    violation = only(of, FOUR, src, read, src_indices=(None,))
    assert (violation.message, violation.place) == (
        "'descriptor' must read index (1), row 0, word 0 at byte 128 of the root buffer, where "
        "'src' has it, got byte 144 [F8]",
        Place(index=(1,)),
    )
    assert violation.remedy.startswith("no descriptor reads this layout; 4x256b reads for")


def test_f8_the_start_undoes_the_descriptor_s_own_xor() -> None:
    """Rows of 16 bytes apart by 32: unit 1 of row 4 is what the swizzle calls unit 0."""
    src = source("((4, 2, 4), 4) : ((64, 28, 8), 1), offset = 4")
    plan = of(Instruction("32x128b", "warpx4"), src, SmemDescriptor(sdo=256, swizzle=1))
    assert plan.steps[0].start_offset == 16


def test_f8_every_value_of_an_endless_index() -> None:
    read = SmemDescriptor(swizzle=1)
    even, odd = source("(?, 4, 8) : (64, 8, 1)"), source("(?, 4, 8) : (32, 8, 1)")
    assert of(FOUR, even, read, src_indices=(None,)).steps[0].start_offset == 0
    violation = only(of, FOUR, odd, read, src_indices=(None,))
    assert violation.place == Place(index=(1,))


def test_f8_far_away() -> None:
    """Addresses that int64 cannot sum up are exact nevertheless."""
    src = SmemLayout((None, 128, 4), (1 << 30, 4, 1))
    read, at = SmemDescriptor(ldo=16, sdo=256), 1 << 40
    found = violations(of, TILE, src, read, src_indices=(at,))
    first = (1 << 72) + 128
    assert [violation.rule for violation in found] == ["F8", "F10"]
    assert found[0].message == (
        f"'descriptor' must read index ({at}), row 8, word 0 at byte {first} of the root buffer, "
        f"where 'src' has it, got byte {first + 128} [F8]"
    )


# F12


@pytest.mark.parametrize(("swizzle", "phase"), [(1, 16), (2, 48), (3, 112)])
def test_f12_a_row_across_a_swizzle_row(swizzle: int, phase: int) -> None:
    row = 16 << swizzle
    read = SmemDescriptor(sdo=8 * row, swizzle=swizzle)

    def tile(at: int) -> SmemLayout:
        return SmemLayout((128, 8), (row // 4, 1), at // 4, swizzle)

    assert of(WIDE, tile(phase - 16), read).steps[0].start_offset == phase - 16
    assert only(of, WIDE, tile(phase), read) == Violation(
        "F12",
        "descriptor",
        f"'descriptor' must keep each 32-byte row inside a {row}-byte swizzle row, got row 0 at "
        f"byte {phase} of one [F12]",
        f"start rows at most {row - 32} bytes into a swizzle row",
        phase,
        row - 32,
        Place(),
    )


def test_f12_every_row_repeat_and_index() -> None:
    read = SmemDescriptor(sdo=272, swizzle=1)
    violation = only(of, WIDE, "((16, 8), 8) : ((68, 8), 1), swizzle = 1", read)
    assert violation.message.endswith("got row 8 at byte 16 of one [F12]")
    read = SmemDescriptor(sdo=512, swizzle=2)
    src = "(2, 2, 128, 8) : (8, 4, 16, 1), swizzle = 2"
    violation = only(of, WIDE, src, read, src_indices=(None,))
    assert (violation.message, violation.place) == (
        "'descriptor' must keep each 32-byte row inside a 64-byte swizzle row, got index (1), "
        "repeat (1), row 0 at byte 48 of one [F12]",
        Place((1,), index=(1,)),
    )
    assert len(of(WIDE, src, read, src_indices=(0,)).steps) == 2


def test_f12_a_dynamic_offset_reaches_every_phase() -> None:
    read, src = SmemDescriptor(sdo=512, swizzle=2), "(128, 8) : (16, 1), swizzle = 2"
    assert of(WIDE, src, read, src_base=SharedBase(512, offset_factor=32)).steps
    violation = only(of, WIDE, src, read, src_base=SharedBase(512, offset_factor=16))
    assert (violation.message, violation.place) == (
        "'descriptor' must keep each 32-byte row inside a 64-byte swizzle row, got base moved by "
        "48, row 0 at byte 48 of one [F12]",
        Place(moved=48),
    )
