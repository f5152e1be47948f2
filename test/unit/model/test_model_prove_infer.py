"""`infer_descriptor`: what it finds for the layouts that people have, and why it finds none."""

from __future__ import annotations

import pytest
from proving import FOUR, SCALES, TILE, WIDE, rows_of_16_bytes
from tcgen05_mlir.model import (
    InferenceError,
    Instruction,
    Place,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TmemLayout,
    infer_descriptor,
)


def infer(instruction: Instruction, src: SmemLayout | str, base: SharedBase) -> SmemDescriptor:
    layout = SmemLayout.parse(src) if isinstance(src, str) else src
    indices = (None,) if layout.shape[0] is None else ()
    repeats = [extent or 0 for extent in layout.shape[len(indices) : -2]]
    dst = TmemLayout.for_instruction(instruction, repeats)
    return infer_descriptor(instruction, dst, layout, src_indices=indices, src_base=base)


@pytest.mark.parametrize(
    ("instruction", "src", "wanted"),
    [
        (TILE, rows_of_16_bytes(TILE), SmemDescriptor(ldo=16, sdo=128)),
        (SCALES, "(?, 4, 32, 4) : (512, 128, 4, 1)", SmemDescriptor(ldo=16, sdo=128)),
        (WIDE, SmemLayout.core_matrices(128, 8), SmemDescriptor(ldo=128, sdo=256)),
        (
            WIDE,
            SmemLayout.core_matrices(128, 8, ldo=2048, sdo=128),
            SmemDescriptor(ldo=2048, sdo=128),
        ),
        (WIDE, SmemLayout.swizzled_tile(128, 8, 1), SmemDescriptor(ldo=16, sdo=256, swizzle=1)),
        (WIDE, SmemLayout.swizzled_tile(128, 8, 2), SmemDescriptor(ldo=16, sdo=512, swizzle=2)),
        (WIDE, SmemLayout.swizzled_tile(128, 8, 3), SmemDescriptor(ldo=16, sdo=1024, swizzle=3)),
        (
            TILE,
            SmemLayout((128, 4), (32, 1), 12, swizzle=3),
            SmemDescriptor(ldo=16, sdo=1024, swizzle=3),
        ),
        (FOUR, "(4, (2, 4)) : (4, (64, 1))", SmemDescriptor(ldo=256, sdo=128)),
    ],
)
def test_layouts_that_people_have(
    instruction: Instruction, src: SmemLayout | str, wanted: SmemDescriptor
) -> None:
    assert infer(instruction, src, SharedBase(1024, extent=65536)) == wanted


def test_another_mode_than_the_layout_s_own() -> None:
    """Plain rows of 32 bytes: no unswizzled walk has that pitch, and row 3 ends before the XOR."""
    src = SmemLayout((2, 4, 8), (64, 8, 1), 64)
    base = SharedBase(256, extent=4096)
    assert infer(FOUR, src, base) == SmemDescriptor(ldo=16, sdo=256, swizzle=1)
    with pytest.raises(InferenceError):  # in the second half of the pattern the XOR counts
        infer(FOUR, SmemLayout((2, 4, 8), (32, 8, 1), 64), base)


def test_the_first_place_of_every_mode() -> None:
    src = SmemLayout((128, 8), (9, 1))
    with pytest.raises(InferenceError) as caught:
        infer(WIDE, src, SharedBase(1024, extent=8192))
    error = caught.value
    assert str(error) == (
        "'descriptor' must be one with which 128x256b reads 'src', found none [F8]\n"
        "  swizzle 0: 'descriptor' must read row 1, word 0 at byte 36 of the root buffer, where "
        "'src' has it, got byte 16 [F8]\n"
        "  swizzle 1: 'descriptor' must read row 1, word 0 at byte 36 of the root buffer, where "
        "'src' has it, got byte 32 [F8]\n"
        "  swizzle 2: 'descriptor' must read row 1, word 0 at byte 36 of the root buffer, where "
        "'src' has it, got byte 64 [F8]\n"
        "  swizzle 3: 'descriptor' must read row 1, word 0 at byte 36 of the root buffer, where "
        "'src' has it, got byte 144 [F8]"
    )
    assert [failure.violation.place for failure in error.failures] == [Place(row=1)] * 4
    assert [(f.violation.wanted, f.violation.found) for f in error.failures] == [
        (36, 16),
        (36, 32),
        (36, 64),
        (36, 144),
    ]
    assert error.message == str(error).split("\n")[0]


def test_distances_that_no_field_can_hold() -> None:
    down = SmemLayout(((16, 8), 4), ((-32, 4), 1), 480)
    with pytest.raises(InferenceError) as caught:
        infer(TILE, down, SharedBase(1024, extent=8192))
    assert str(caught.value.failures[0]) == (
        "swizzle 0: 'descriptor' must read row 8, word 0 at byte 1792 of the root buffer, where "
        "'src' has it, got byte 1920 [F8]"
    )
    odd = SmemLayout(((16, 8), 4), ((33, 4), 1))
    with pytest.raises(InferenceError) as caught:
        infer(TILE, odd, SharedBase(1024, extent=8192))
    assert str(caught.value.failures[0]) == (
        "swizzle 0: 'descriptor' must read row 8, word 0 at byte 132 of the root buffer, where "
        "'src' has it, got byte 128 [F8]"
    )


def test_a_root_that_is_not_aligned() -> None:
    tile = SmemLayout.swizzled_tile(128, 8, 3)
    base = SharedBase(16, "memref.global @tile", extent=16384)
    with pytest.raises(InferenceError) as caught:
        infer(WIDE, tile, base)
    error = caught.value
    assert error.message == (
        "'descriptor' must be one with which 128x256b reads 'src', found none [F9]"
    )
    assert str(error.failures[0]) == (
        "swizzle 3: 'src' root must be aligned to 1024 bytes with swizzle 3, got 16 "
        "(memref.global @tile) [F9]"
    )
    assert [failure.swizzle for failure in error.failures] == [3, 0, 1, 2]
    assert {failure.violation.rule for failure in error.failures[1:]} == {"F8"}


def test_a_buffer_that_is_too_short() -> None:
    with pytest.raises(InferenceError) as caught:
        infer(TILE, rows_of_16_bytes(TILE), SharedBase(16, extent=2032))
    assert str(caught.value.failures[0]) == (
        "swizzle 0: 'descriptor' must keep the walk inside the 2032 bytes of the root, got bytes "
        "2032 to 2047 for row 127, word 0 [F10]"
    )


def test_of_the_destination_only_the_shape_counts() -> None:
    dst = TmemLayout.for_instruction(TILE, offset=(5, 1))
    found = infer_descriptor(TILE, dst, rows_of_16_bytes(TILE))
    assert found == SmemDescriptor(ldo=16, sdo=128)
