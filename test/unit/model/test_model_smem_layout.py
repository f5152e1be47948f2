"""SmemLayout: its text, its maps and how they meet the descriptor's walk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import slow_layout as slow
from expectation import raises
from hypothesis import given
from hypothesis import strategies as st
from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout

NESTED = "#tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1)), offset = 4, swizzle = 3>"


@pytest.mark.parametrize(
    "text",
    [
        NESTED,
        "#tcgen05.smem_layout<(128, 4) : (4, 1)>",
        "#tcgen05.smem_layout<(?, 128, 4) : (512, 4, 1)>",
        "#tcgen05.smem_layout<((?, 8), 4) : ((32, 4), 1), swizzle = 1>",
        "#tcgen05.smem_layout<(2, 4) : (0, -1), offset = -3>",
        "#tcgen05.smem_layout<() : ()>",
    ],
)
def test_the_text_round_trips(text: str) -> None:
    assert str(SmemLayout.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        NESTED.removeprefix("#tcgen05.smem_layout"),
        NESTED.removeprefix("#tcgen05.smem_layout<").removesuffix(">"),
        NESTED.replace(" ", ""),
        "(((16), 8), (2, 4)) : (((64), 4), (32, 1)), swizzle = 3, offset = 4",
    ],
)
def test_other_spellings_of_a_layout_are_equal(text: str) -> None:
    layout = SmemLayout.parse(text)
    assert layout == SmemLayout(((16, 8), (2, 4)), ((64, 4), (32, 1)), offset=4, swizzle=3)
    assert hash(layout) == hash(SmemLayout.parse(NESTED))
    assert str(layout) == NESTED


def test_zero_offset_and_swizzle_are_not_printed() -> None:
    layout = SmemLayout.parse("(4) : (1), offset = 0, swizzle = 0")
    assert str(layout) == "#tcgen05.smem_layout<(4) : (1)>"


def slow_swizzle(address: int, swizzle: int) -> int:
    for bit in range(swizzle):
        if address // (128 << bit) % 2:
            address += -(16 << bit) if address // (16 << bit) % 2 else 16 << bit
    return address


@given(
    slow.modes(st.integers(-9, 70)),
    st.integers(0, 99),
    st.integers(0, 3),
    st.integers(0, 64).map(lambda unit: 16 * unit),
)
def test_maps_and_text_are_the_slow_ones(
    modes: list[slow.Mode], offset: int, swizzle: int, base: int
) -> None:
    extents = [[extent for extent, _ in mode] for mode in modes]
    strides = [[stride for _, stride in mode] for mode in modes]
    layout = SmemLayout(slow.nested(extents), slow.nested(strides), offset, swizzle)
    assert layout.rank == len(modes)
    assert layout.shape == tuple(slow.mode_size(mode) for mode in modes)
    linear, addresses = layout.linear_addresses(base), layout.addresses(base)
    assert (linear.shape, addresses.shape) == (layout.shape, layout.shape)
    assert (linear.dtype, addresses.dtype) == (np.int64, np.int64)
    for index in slow.every_index(modes):
        place = 4 * (offset + slow.distance(modes, index, strides))
        assert layout.linear_bytes(index) == place
        assert layout.offset_of(index) == slow_swizzle(place, swizzle) // 4
        assert linear[index] == base + place
        assert addresses[index] == slow_swizzle(base + place, swizzle)
    tail = (f", offset = {offset}" if offset else "") + (
        f", swizzle = {swizzle}" if swizzle else ""
    )
    text = f"#tcgen05.smem_layout<{slow.spelled(extents)} : {slow.spelled(strides)}{tail}>"
    assert str(layout) == text
    assert SmemLayout.parse(text) == layout


def test_a_dynamic_leading_extent() -> None:
    layout = SmemLayout.row_major((None, 32, 4))
    assert str(layout) == "#tcgen05.smem_layout<(?, 32, 4) : (128, 4, 1)>"
    assert (layout.shape, layout.rank) == ((None, 32, 4), 3)
    assert layout.linear_bytes((1000,)) == 512000
    np.testing.assert_array_equal(
        layout.addresses(leading=3), SmemLayout.row_major((3, 32, 4)).addresses()
    )


def test_a_dynamic_extent_inside_the_leading_mode() -> None:
    layout = SmemLayout.parse("((?, 8), 4) : ((64, 4), 1)")
    assert layout.shape == (None, 4)
    assert layout.linear_bytes((17, 2)) == 4 * (2 * 64 + 4 + 2)
    np.testing.assert_array_equal(
        layout.addresses(leading=16), SmemLayout.parse("((2, 8), 4) : ((64, 4), 1)").addresses()
    )


@pytest.mark.parametrize(
    ("text", "leading", "message"),
    [
        ("(?, 4) : (4, 1)", None, "the leading extent is '?': give 'leading'"),
        ("(?, 4) : (4, 1)", -1, "'leading' must fit the first of the extents (?, 4), got -1"),
        ("(3, 4) : (4, 1)", 2, "'leading' must fit the first of the extents (3, 4), got 2"),
        (
            "((?, 8), 4) : ((64, 4), 1)",
            12,
            "'leading' must fit the first of the extents ((?, 8), 4), got 12",
        ),
        ("() : ()", 1, "'leading' must fit the first of the extents (), got 1"),
    ],
)
def test_a_leading_extent_that_does_not_fit(text: str, leading: int | None, message: str) -> None:
    with raises(ValueError, message):
        SmemLayout.parse(text).addresses(leading=leading)


def test_an_index_of_a_dynamic_extent_is_not_negative() -> None:
    with pytest.raises(ValueError, match=r"^index -1 of dimension 0 must be at least 0$"):
        SmemLayout.row_major((None, 4)).linear_bytes((-1,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "(4) : (1), replicas = (2) : (4)",
            "smem_layout: expected 'offset' or 'swizzle', found 'replicas' at character 12 "
            "of '(4) : (1), replicas = (2) : (4)'",
        ),
        (
            "(4) : (1@col)",
            "smem_layout: expected ',' or ')', found '@' at character 9 of '(4) : (1@col)'",
        ),
        (
            "(4) : (?)",
            "smem_layout: expected an integer, found '?' at character 8 of '(4) : (?)'",
        ),
        (
            "(4, ?) : (4, 1)",
            "an extent must be a number here: only the leading one in shared memory may be '?'",
        ),
        (
            "(4) : (1), swizzle = 4",
            "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 4 [C5]",
        ),
        ("(0) : (1)", "an extent must be at least 1, got 0"),
        (
            "(4) : (1), offset = 2147483648",
            "'offset' must be inside +-2147483647, got 2147483648",
        ),
        ("(4) : (-2147483648)", "'stride' must be inside +-2147483647, got -2147483648"),
    ],
)
def test_what_no_layout_is(text: str, message: str) -> None:
    with raises(ValueError, message):
        SmemLayout.parse(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, (1,)), "'extents' must be a tuple, got int 4"),
        (((4,), (1.0,)), "'stride' must be an integer, got float 1.0"),
        (((4,), (1,), None), "'offset' must be an integer, got NoneType None"),
        (((4,), (1,), 0, "3"), "'swizzle' must be an integer, got str '3'"),
    ],
)
def test_arguments_of_the_wrong_kind(arguments: tuple[Any, ...], message: str) -> None:
    with raises(TypeError, message):
        SmemLayout(*arguments)


def test_row_major() -> None:
    layout = SmemLayout.row_major((3, 128, 4), offset=8, swizzle=1)
    text = "#tcgen05.smem_layout<(3, 128, 4) : (512, 4, 1), offset = 8, swizzle = 1>"
    assert str(layout) == text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"rows": 128, "words": 8}, "((16, 8), (2, 4)) : ((64, 4), (32, 1))"),
        ({"rows": 64, "words": 4}, "((8, 8), (1, 4)) : ((32, 4), (32, 1))"),
        (
            {"rows": 128, "words": 8, "ldo": 2048, "sdo": 128, "offset": 4},
            "((16, 8), (2, 4)) : ((32, 4), (512, 1)), offset = 4",
        ),
    ],
)
def test_core_matrices(arguments: dict[str, int], text: str) -> None:
    assert str(SmemLayout.core_matrices(**arguments)) == f"#tcgen05.smem_layout<{text}>"


@pytest.mark.parametrize(("ldo", "sdo"), [(128, 256), (2048, 128), (144, 400)])
def test_core_matrices_are_the_unswizzled_walk(ldo: int, sdo: int) -> None:
    layout = SmemLayout.core_matrices(128, 8, ldo=ldo, sdo=sdo, offset=4)
    walk = SmemDescriptor(start=1040, ldo=ldo, sdo=sdo).walk(Instruction("128x256b"))
    np.testing.assert_array_equal(layout.addresses(base=1024), walk)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rows": 4, "words": 8}, "'rows' must be a multiple of 8, got 4"),
        ({"rows": 128, "words": 6}, "'words' must be a multiple of 4, got 6"),
        ({"rows": 128, "words": 8, "ldo": 130}, "'ldo' must be a multiple of 4, got 130"),
        ({"rows": 128, "words": 8, "sdo": -4}, "'sdo' must be a multiple of 4, got -4"),
    ],
)
def test_core_matrices_that_are_none(arguments: dict[str, int], message: str) -> None:
    with raises(ValueError, message):
        SmemLayout.core_matrices(**arguments)


def test_schedule_four_copies_of_a_swizzled_tile() -> None:
    wide = Instruction("128x256b")
    layout = SmemLayout.swizzled_tile(wide.rows, wide.words, 3)
    assert str(layout) == "#tcgen05.smem_layout<(4, 128, 8) : (8, 32, 1), swizzle = 3>"
    starts = [layout.linear_bytes((copy,)) for copy in range(4)]
    assert starts == [0, 32, 64, 96]
    walks = [SmemDescriptor(2048 + at, sdo=1024, swizzle=3).walk(wide) for at in starts]
    np.testing.assert_array_equal(layout.addresses(base=2048), walks)


def test_schedule_scatter_of_a_swizzled_tile() -> None:
    four = Instruction("4x256b")
    layout = SmemLayout.parse("(16, 4, 8) : (32, 8, 1), swizzle = 1")
    starts = [layout.linear_bytes((copy,)) for copy in range(16)]
    assert starts == [128 * copy for copy in range(16)]
    tile = SmemLayout.swizzled_tile(64, 8, 1).addresses(base=256)[0]
    for copy, at in enumerate(starts):
        if copy % 2 == 0:
            walk = SmemDescriptor(256 + at, swizzle=1).walk(four)
            np.testing.assert_array_equal(walk, tile[4 * copy : 4 * copy + 4])
    np.testing.assert_array_equal(layout.addresses(base=256).reshape(64, 8), tile)


@pytest.mark.parametrize(("swizzle", "words"), [(0, 8), (1, 16), (3, 12), (2, 0)])
def test_a_copy_divides_the_row_of_a_swizzled_tile(swizzle: int, words: int) -> None:
    wanted = f"the {4 << swizzle} words of a row with swizzle {swizzle}"
    with raises(ValueError, f"'words' must divide {wanted}, got {words}"):
        SmemLayout.swizzled_tile(128, words, swizzle)
