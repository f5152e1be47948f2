"""Rules F9 to F11: alignment, bounds and backing of shared memory. Whole messages."""

from __future__ import annotations

import pytest
from proving import (
    DENSE,
    FOUR,
    SCALES,
    TILE,
    layout,
    of,
    only,
    rows_of_16_bytes,
    source,
    violations,
)
from tcgen05_mlir.model import Place, SharedBase, SmemDescriptor, SmemLayout, Violation, prove

# F9


@pytest.mark.parametrize(("swizzle", "wanted"), [(0, 16), (1, 256), (2, 512), (3, 1024)])
def test_f9_the_root_s_alignment(swizzle: int, wanted: int) -> None:
    src = SmemLayout((32, 4), (4 << swizzle, 1), swizzle=swizzle)
    read = SmemDescriptor(ldo=16, sdo=128 << swizzle, swizzle=swizzle)
    assert of(SCALES, src, read, src_base=SharedBase(wanted)).assumptions[-1].kind == "extent"
    name = f" with swizzle {swizzle}" if swizzle else ""
    buffer = SharedBase(wanted // 2, alignment_source="memref.global @tile")
    assert only(of, SCALES, src, read, src_base=buffer) == Violation(
        "F9",
        "src",
        f"'src' root must be aligned to {wanted} bytes{name}, got {wanted // 2} "
        "(memref.global @tile) [F9]",
        f"align the buffer to {wanted} bytes; where it is known to be, say so by "
        f"alignment({wanted}) on its tcgen05.view",
        wanted // 2,
        wanted,
    )


def test_f9_equal_buffers_of_other_names_share_a_proof_not_a_message() -> None:
    messages = [
        only(of, TILE, rows_of_16_bytes(TILE), DENSE, src_base=SharedBase(4, name)).message
        for name in ("memref.global @a", "memref.global @b", "")
    ]
    assert messages == [
        "'src' root must be aligned to 16 bytes, got 4 (memref.global @a) [F9]",
        "'src' root must be aligned to 16 bytes, got 4 (memref.global @b) [F9]",
        "'src' root must be aligned to 16 bytes, got 4 [F9]",
    ]


def test_f9_origins_of_the_layout_and_the_base() -> None:
    assert only(of, SCALES, "(32, 4) : (4, 1), offset = 6", DENSE) == Violation(
        "F9",
        "src",
        "'src' origin must be a multiple of 16 bytes, got 24 [F9]",
        "the descriptor holds it in units of 16 bytes; move the tile, or pad what repeats",
        24,
        16,
        Place(),
    )
    src = source("(32, 4) : (4, 1), offset = 2")
    assert of(SCALES, src, DENSE, src_base=SharedBase(offset=8)).steps[0].start_offset == 8


def test_f9_origins_of_repeats_and_indices() -> None:
    violation = only(of, SCALES, "(2, 3, 32, 4) : (512, 130, 4, 1)", DENSE)
    assert (violation.message, violation.place) == (
        "'src' origin of repeat (0, 1) must be a multiple of 16 bytes, got 520 [F9]",
        Place((0, 1)),
    )
    violation = only(
        of, SCALES, "((2, 3), 2, 32, 4) : ((3, 128), 384, 4, 1)", DENSE, src_indices=(None,)
    )
    assert (violation.message, violation.place) == (
        "'src' origin of index (3), repeat (0) must be a multiple of 16 bytes, got 12 [F9]",
        Place((0,), index=(3,)),
    )
    assert of(SCALES, "(?, 32, 4) : (128, 4, 1)", DENSE, src_indices=(None,)).steps
    endless = only(of, SCALES, "(?, 32, 4) : (129, 4, 1)", DENSE, src_indices=(None,))
    assert (
        endless.message == "'src' origin of index (1) must be a multiple of 16 bytes, got 516 [F9]"
    )


def test_f9_a_dynamic_offset() -> None:
    src = rows_of_16_bytes(TILE)
    assert only(of, TILE, src, DENSE, src_base=SharedBase(16, offset_factor=8)) == Violation(
        "F9",
        "src",
        "'src' root must be moved by a multiple of 16 bytes, got a number that is only "
        "known to be a multiple of 8 [F9]",
        "compute it as a multiple of 16 bytes",
        8,
        16,
    )
    assert of(TILE, src, DENSE, src_base=SharedBase(16, offset_factor=32)).bounded is False


# F10


def test_f10_a_walk_past_its_buffer() -> None:
    src = SmemLayout.row_major((3, 32, 4))
    assert of(SCALES, src, DENSE, src_base=SharedBase(16, extent=1536)).bounded is True
    assert only(of, SCALES, src, DENSE, src_base=SharedBase(16, extent=1520)) == Violation(
        "F10",
        "descriptor",
        "'descriptor' must keep the walk inside the 1520 bytes of the root, got bytes 1520 to "
        "1535 for repeat (2), row 31, word 0 [F10]",
        "one 32x128b.warpx4 with sdo = 128 spans 512 bytes; give the buffer room for all, or "
        "start earlier",
        (1520, 1535),
        1520,
        Place((2,), 31),
    )


def test_f10_a_walk_before_its_buffer() -> None:
    src = "(32, 4) : (4, 1), offset = -8"
    violation = only(of, SCALES, src, DENSE, src_base=SharedBase(16, extent=1024))
    assert violation.message == (
        "'descriptor' must keep the walk inside the 1024 bytes of the root, got bytes -32 to -17 "
        "for row 0, word 0 [F10]"
    )
    assert of(SCALES, src, DENSE, src_base=SharedBase(16, extent=1024, offset=32)).bounded


def test_f10_every_value_of_a_dynamic_index() -> None:
    src = SmemLayout.row_major((4, 3, 32, 4))
    ring = SharedBase(16, extent=4 * 1536 - 16)
    violation = only(of, SCALES, src, DENSE, src_indices=(None,), src_base=ring)
    assert (violation.message, violation.place) == (
        "'descriptor' must keep the walk inside the 6128 bytes of the root, got bytes 6128 to "
        "6143 for index (3), repeat (2), row 31, word 0 [F10]",
        Place((2,), 31, index=(3,)),
    )
    assert of(SCALES, src, DENSE, src_indices=(2,), src_base=ring).steps[0].start_offset == 3072


def test_f10_the_swizzle_moves_the_last_block() -> None:
    """Row 7 of a 128-byte swizzle has unit 0 in place 7, row 0 in place 0."""
    src, read = (
        source("((4, 8), 4) : ((256, 32), 1), swizzle = 3"),
        SmemDescriptor(sdo=1024, swizzle=3),
    )
    assert of(SCALES, src, read, src_base=SharedBase(1024, extent=4096)).bounded
    violation = only(of, SCALES, src, read, src_base=SharedBase(1024, extent=4080))
    assert violation.message == (
        "'descriptor' must keep the walk inside the 4080 bytes of the root, got bytes 4080 to "
        "4095 for row 31, word 0 [F10]"
    )


def test_f10_the_swizzle_is_that_of_the_address() -> None:
    """From address 128 on, row 31 has its unit 0 in place 0, and row 30 in place 7."""
    src, read = source("(32, 4) : (32, 1), swizzle = 3"), SmemDescriptor(sdo=1024, swizzle=3)
    exact = SharedBase(address=128, extent=3984)
    assert only(of, SCALES, src, read, src_base=exact).rule == "F9"
    short = SharedBase(address=128, extent=3968)
    assert [v.rule for v in violations(of, SCALES, src, read, src_base=short)] == ["F9", "F10"]


def test_f10_an_index_may_be_worse_than_the_last() -> None:
    """Of the eight units of a row the first ends last: row 31 has it in place 7."""
    src, read = (
        "(40, 8, 32, 4) : (1024, 4, 32, 1), swizzle = 3",
        SmemDescriptor(sdo=1024, swizzle=3),
    )
    facts = {"src_indices": (None, None)}
    whole = SharedBase(1024, extent=40 * 4096)
    assert of(SCALES, src, read, src_base=whole, **facts).bounded
    short = SharedBase(1024, extent=40 * 4096 - 64)
    violation = only(of, SCALES, src, read, src_base=short, **facts)
    assert violation.place == Place(row=31, index=(39, 0))


def test_f10_a_block_has_227_kib() -> None:
    src, read = SmemLayout.core_matrices(128, 4, sdo=262128), SmemDescriptor(sdo=262128)
    violation = only(of, TILE, src, read)
    assert (violation.message, violation.remedy) == (
        "'descriptor' must keep the walk inside the 232448 bytes of a block, got 262144 bytes "
        "from its first to row 8, word 0 [F10]",
        "one 128x128b with sdo = 262128 spans 3932048 bytes; give the buffer room for all, or "
        "start earlier",
    )
    big = only(of, TILE, rows_of_16_bytes(TILE), DENSE, src_base=SharedBase(16, extent=1 << 20))
    assert (big.message, big.remedy) == (
        "'src' root must hold at most 232448 bytes, the shared memory of a block, got 1048576 "
        "[F10]",
        "use a smaller buffer, fewer stages for example",
    )


def test_f10_a_pointer_of_unknown_extent() -> None:
    src = rows_of_16_bytes(TILE)
    far = only(of, TILE, src, DENSE, src_base=SharedBase(16, offset=230416))
    assert far.message == (
        "'descriptor' must keep the walk inside 232448 bytes around the root, got bytes 232448 "
        "to 232463 for row 127, word 0 [F10]"
    )
    known = only(of, TILE, src, DENSE, src_base=SharedBase(address=230416))
    assert known.message == (
        "'descriptor' must keep the walk inside the 232448 bytes of a block, got bytes 232448 to "
        "232463 for row 127, word 0 [F10]"
    )
    assert of(TILE, src, DENSE, src_base=SharedBase(address=230400)).bounded
    both = only(of, TILE, src, DENSE, src_base=SharedBase(address=230416, extent=4096))
    assert both.message == (
        "'descriptor' must keep the walk inside the 2032 bytes of the root, got bytes 2032 to "
        "2047 for row 127, word 0 [F10]"
    )


# F11


def test_f11_either_half_of_the_block() -> None:
    src, read = "(4, 8) : (8, 1), swizzle = 1", SmemDescriptor(swizzle=1)
    assert of(FOUR, src, read, src_base=SharedBase(256, extent=256)).bounded
    second = SmemLayout.parse(src + ", offset = 32")
    assert of(FOUR, second, read, src_base=SharedBase(256, extent=256)).bounded
    assert only(of, FOUR, src, read, src_base=SharedBase(256, extent=240)) == Violation(
        "F11",
        "src",
        "'src' must back the eight-row block of a 4-row copy, rows 0..7 or rows -4..3 inside "
        "bytes 0..239 of the root, got rows 4..7 up to byte 255 and rows -4..-1 from byte -128 "
        "[F11]",
        "the hardware is organised in blocks of eight rows; give the buffer four rows more",
        (-128, 255),
        (0, 239),
        Place(),
    )


def test_f11_every_repeat() -> None:
    tile, read = "(3, 4, 8) : (32, 8, 1), swizzle = 1", SmemDescriptor(swizzle=1)
    dst = layout("(3, 4, 8) : (1@lane, 32@lane, 1@col)")
    plan = prove(FOUR, dst, source(tile), read, src_base=SharedBase(256, extent=384))
    assert [step.start_offset for step in plan.steps] == [0, 128, 256]


def test_f11_the_middle_of_a_short_buffer() -> None:
    """The first and the last copy have a half block beside them, the one between has not."""
    src, read = "(3, 4, (2, 4)) : (12, 4, (4, 1))", SmemDescriptor(ldo=16)
    short, long = SharedBase(16, extent=176), SharedBase(16, extent=192)
    for indices in ((), (None,)):
        violation = only(of, FOUR, src, read, src_indices=indices, src_base=short)
        place = Place(index=(1,)) if indices else Place((1,))
        assert (violation.message, violation.place) == (
            "'src' must back the eight-row block of a 4-row copy, rows 0..7 or rows -4..3 of "
            f"{place.issue} inside bytes 0..175 of the root, got rows 4..7 up to byte 191 and rows "
            "-4..-1 from byte -16 [F11]",
            place,
        )
        assert of(FOUR, src, read, src_indices=indices, src_base=long).bounded
