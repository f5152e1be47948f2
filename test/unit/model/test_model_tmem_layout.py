"""TmemLayout: its text, its maps, canonical replicas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import slow_layout as slow
from expectation import raises
from hypothesis import given
from hypothesis import strategies as st
from tcgen05_mlir.model import COL, LANE, Instruction, Stride, TmemLayout

NESTED = (
    "#tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col), "
    "replicas = (2) : (32@lane), offset = (0@lane, 16@col)>"
)

TEXTS = [
    NESTED,
    "#tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>",
    "#tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>",
    "#tcgen05.tmem_layout<(2, 4) : (0@col, -1@col), offset = (3@lane, 0@col)>",
    "#tcgen05.tmem_layout<(4) : (1@col), replicas = (2, 3, 2) : (32@lane, 8@col, 64@col)>",
    "#tcgen05.tmem_layout<() : ()>",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_round_trips(text: str) -> None:
    assert str(TmemLayout.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        NESTED.removeprefix("#tcgen05.tmem_layout"),
        NESTED.removeprefix("#tcgen05.tmem_layout<").removesuffix(">"),
        NESTED.replace(" ", ""),
        NESTED.replace(" ", " \n "),
        NESTED.replace("(0@lane, 16@col)", "(16@col)"),
        NESTED.replace("(0@lane, 16@col)", "(16@col, 0@lane)"),
        NESTED.replace("(2) : (32@lane)", "(1, 2) : (7@col, 32@lane)"),
        "((2,32),4):((64@lane,1@lane),1@col),offset=(0@lane,16@col),replicas=(2):(32@lane)",
    ],
)
def test_other_spellings_of_a_layout_are_equal(text: str) -> None:
    layout = TmemLayout.parse(text)
    assert layout == TmemLayout(
        ((2, 32), 4), ((64 @ LANE, 1 @ LANE), 1 @ COL), ((2,), (32 @ LANE,)), (0, 16)
    )
    assert hash(layout) == hash(TmemLayout.parse(NESTED))
    assert str(layout) == NESTED


def test_its_repr_is_python() -> None:
    layout = TmemLayout.parse(NESTED)
    assert repr(layout) == (
        "TmemLayout(extents=((2, 32), 4), strides=((64 @ LANE, 1 @ LANE), 1 @ COL), "
        "replicas=((2,), (32 @ LANE,)), offset=(0, 16))"
    )
    assert eval(repr(layout)) == layout


@pytest.mark.parametrize(
    ("given_text", "canonical"),
    [
        ("(2, 2) : (64@lane, 32@lane)", "(4) : (32@lane)"),
        ("(2, 2) : (32@lane, 64@lane)", "(4) : (32@lane)"),
        ("((2, 2)) : ((64@lane, 32@lane))", "(4) : (32@lane)"),
        ("(1, 4, 1) : (5@col, 32@lane, 0@lane)", "(4) : (32@lane)"),
        ("(2, 2) : (4@col, 64@lane)", "(2, 2) : (64@lane, 4@col)"),
        ("(2, 2) : (64@col, 32@lane)", "(2, 2) : (32@lane, 64@col)"),
        ("(3, 2) : (8@col, 4@col)", "(6) : (4@col)"),
        ("(2, 3) : (12@col, 4@col)", "(6) : (4@col)"),
        ("(2, 2) : (96@lane, 32@lane)", "(2, 2) : (32@lane, 96@lane)"),
        ("(2, 2) : (-32@lane, 16@lane)", "(2, 2) : (16@lane, -32@lane)"),
    ],
)
def test_replicas_are_canonical(given_text: str, canonical: str) -> None:
    text = "#tcgen05.tmem_layout<(4) : (1@col), replicas = "
    assert str(TmemLayout.parse(f"{text}{given_text}>")) == f"{text}{canonical}>"


def test_replicas_of_extent_1_are_none() -> None:
    layout = TmemLayout((4,), (1 @ COL,), ((1, 1), (3 @ LANE, 4 @ COL)))
    assert str(layout) == "#tcgen05.tmem_layout<(4) : (1@col)>"
    assert layout.replica_offsets == ((0, 0),)


def test_replica_offsets() -> None:
    layout = TmemLayout((4,), (1 @ COL,), ((2, 2), (4 @ COL, 32 @ LANE)))
    assert layout.replica_offsets == ((0, 0), (0, 4), (32, 0), (32, 4))


strides = st.tuples(st.integers(-9, 70), st.sampled_from([LANE, COL]))


def lane_of(stride: tuple[int, Any]) -> int:
    return stride[0] if stride[1] is LANE else 0


def column_of(stride: tuple[int, Any]) -> int:
    return stride[0] if stride[1] is COL else 0


def spell(stride: tuple[int, Any]) -> str:
    value, axis = stride
    return "0@col" if value == 0 else f"{value}@{axis.value}"


@given(slow.modes(strides), st.tuples(st.integers(-5, 99), st.integers(-5, 500)))
def test_maps_and_text_are_the_slow_ones(modes: list[slow.Mode], offset: tuple[int, int]) -> None:
    layout = TmemLayout(
        slow.nested([[extent for extent, _ in mode] for mode in modes]),
        slow.nested([[Stride(*stride) for _, stride in mode] for mode in modes]),
        offset=offset,
    )
    lane_strides = [[lane_of(stride) for _, stride in mode] for mode in modes]
    column_strides = [[column_of(stride) for _, stride in mode] for mode in modes]
    assert layout.rank == len(modes)
    assert layout.shape == tuple(slow.mode_size(mode) for mode in modes)
    lanes, columns = layout.lanes(), layout.columns()
    assert (lanes.shape, columns.shape) == (layout.shape, layout.shape)
    assert (lanes.dtype, columns.dtype) == (np.int64, np.int64)
    for index in slow.every_index(modes):
        lane = offset[0] + slow.distance(modes, index, lane_strides)
        column = offset[1] + slow.distance(modes, index, column_strides)
        assert layout.origin(index) == (lane, column)
        assert layout.offset_of(index) == lane * 65536 + column
        assert (lanes[index], columns[index]) == (lane, column)
    extents_text = slow.spelled([[extent for extent, _ in mode] for mode in modes])
    strides_text = slow.spelled([[spell(stride) for _, stride in mode] for mode in modes])
    tail = "" if offset == (0, 0) else f", offset = ({offset[0]}@lane, {offset[1]}@col)"
    assert str(layout) == f"#tcgen05.tmem_layout<{extents_text} : {strides_text}{tail}>"
    assert TmemLayout.parse(str(layout)) == layout


replica_modes = st.lists(
    st.tuples(
        st.integers(1, 3), st.tuples(st.sampled_from([1, 2, 3, 4, 6]), st.sampled_from([LANE, COL]))
    ),
    max_size=4,
)


@given(replica_modes, st.randoms())
def test_canonical_replicas_keep_the_set(modes: slow.Mode, random: Any) -> None:
    offsets = [
        (
            sum(at * lane_of(stride) for at, (_, stride) in zip(index, modes, strict=True)),
            sum(at * column_of(stride) for at, (_, stride) in zip(index, modes, strict=True)),
        )
        for index in slow.positions(modes)
    ]

    def build() -> TmemLayout:
        extents = tuple(extent for extent, _ in modes)
        return TmemLayout((4,), (1 @ COL,), (extents, tuple(Stride(*s) for _, s in modes)))

    if len(set(offsets)) < len(offsets):
        with pytest.raises(ValueError, match=r"^'replicas' must be distinct: offset \("):
            build()
        return
    layout = build()
    assert sorted(layout.replica_offsets) == sorted(offsets)
    assert TmemLayout.parse(str(layout)) == layout
    random.shuffle(modes)
    assert build() == layout


def test_deeper_nesting_is_flattened_inside_its_mode() -> None:
    deep = TmemLayout(((2, (2, 16)), (4,)), ((64 @ LANE, (16 @ LANE, 1 @ LANE)), (1 @ COL,)))
    text = "((2, 2, 16), 4) : ((64@lane, 16@lane, 1@lane), 1@col)"
    assert str(deep) == f"#tcgen05.tmem_layout<{text}>"
    assert TmemLayout.parse("((2, (2, 16)), (4)) : ((64@lane, (16@lane, 1@lane)), (1@col))") == deep
    assert deep.origin((33, 2)) == (65, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(128, 4) (1@lane)", "expected ':', found '(' at character 10"),
        ("(128, 4) : (1@lane, 1@row)", "expected 'lane' or 'col', found 'row' at character 23"),
        ("(128, 4) : (1, 1)", "expected '@', found ',' at character 14"),
        ("(128, ?) : (1@lane, 1@col)", "expected an integer, found '?' at character 7"),
        ("(128, 4 : (1@lane, 1@col)", "expected ',' or ')', found ':' at character 9"),
        ("(4) : (1@col", "expected ',' or ')', found the end at character 13"),
        ("", "expected '(', found the end at character 1"),
        ("<(4) : (1@col)", "expected '>', found the end at character 15"),
        ("(4) : (1@col)>", "expected the end of the text, found '>' at character 14"),
        (
            "(4) : (1@col), swizzle = 3",
            "expected 'replicas' or 'offset', found 'swizzle' at character 16",
        ),
        (
            "(4) : (1@col), offset = (1@lane), offset = (1@col)",
            "expected 'replicas', found 'offset' at character 35",
        ),
        (
            "#tcgen05.smem_layout<(4) : (1)>",
            "expected '#tcgen05.tmem_layout', found '#tcgen05.smem_layout' at character 1",
        ),
        (f"{'(' * 99}4", "expected at most 16 levels of modes, found '(' at character 17"),
    ],
)
def test_a_parse_error_says_what_and_where(text: str, message: str) -> None:
    with raises(ValueError, f"tmem_layout: {message} of '{text}'"):
        TmemLayout.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "((2, 32), 4) : (1@lane, 1@col)",
            "strides must nest as the extents do: sub-modes per mode (2, 1), got (1, 1)",
        ),
        ("((), 4) : (1@lane, 1@col)", "a mode must have at least one extent"),
        ("(0) : (1@col)", "an extent must be at least 1, got 0"),
        ("(-4) : (1@col)", "an extent must be at least 1, got -4"),
        ("(2147483648) : (1@col)", "'extent' must be inside +-2147483647, got 2147483648"),
        ("(4) : (2147483648@col)", "'stride' must be inside +-2147483647, got 2147483648"),
        (
            "(4) : (1@col), offset = (2147483648@col)",
            "'offset' must be inside +-2147483647, got 2147483648",
        ),
        (
            "(4) : (1@col), offset = (1@lane, 2@lane)",
            "tmem_layout: expected 'col', found 'lane' at character 36 "
            "of '(4) : (1@col), offset = (1@lane, 2@lane)'",
        ),
        (
            "(4) : (1@col), offset = (1@lane, 2@col, 3@col)",
            "tmem_layout: expected ')', found '3' at character 41 "
            "of '(4) : (1@col), offset = (1@lane, 2@col, 3@col)'",
        ),
        (
            "(4) : (1@col), replicas = (2) : (0@lane)",
            "'replicas' must be distinct: offset (0@lane, 0@col) occurs twice",
        ),
        (
            "(4) : (1@col), replicas = (2, 2) : (32@lane, 32@lane)",
            "'replicas' must be distinct: offset (32@lane, 0@col) occurs twice",
        ),
        (
            "(4) : (1@col), replicas = (65537) : (1@lane)",
            "'replicas' must be at most 65536, got 65537",
        ),
    ],
)
def test_what_no_layout_is(text: str, message: str) -> None:
    with raises(ValueError, message):
        TmemLayout.parse(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((4, (1 @ COL,)), "'extents' must be a tuple, got int 4"),
        (((4,), 1 @ COL), "'strides' must be a tuple, got Stride 1 @ COL"),
        (((4.0,), (1 @ COL,)), "'extent' must be an integer, got float 4.0"),
        (
            ((4,), (1,)),
            "a tensor-memory stride must be written '1 @ LANE' or '1 @ COL', got int 1",
        ),
        (((4,), (1 @ COL,), (), 4), "'replicas' must be a pair, got ()"),
        (((4,), (1 @ COL,), ((), ()), 4), "'offset' must be a pair, got 4"),
        (((4,), (1 @ COL,), ((), ()), (0, "4")), "'offset' must be an integer, got str '4'"),
    ],
)
def test_arguments_of_the_wrong_kind(arguments: tuple[Any, ...], message: str) -> None:
    with raises(TypeError, message):
        TmemLayout(*arguments)


def test_a_text_is_a_string() -> None:
    with pytest.raises(TypeError, match=r"^a layout's text must be a string, got int$"):
        TmemLayout.parse(4)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ((64,), "index 64 of dimension 0 must be at least 0 and below 64"),
        ((0, -1), "index -1 of dimension 1 must be at least 0 and below 4"),
        ((0, 0, 0), "got 3 indices for 2 dimensions"),
    ],
)
def test_an_index_outside_its_extent(index: tuple[int, ...], message: str) -> None:
    with raises(ValueError, message):
        TmemLayout.parse(NESTED).origin(index)


def test_a_stride_is_written_with_an_axis() -> None:
    assert Stride(64, LANE) == 64 @ LANE
    assert (str(64 @ LANE), repr(64 @ LANE)) == ("64@lane", "64 @ LANE")
    assert 0 @ LANE == 0 @ COL
    with pytest.raises(TypeError, match=r"^'stride' must be an integer, got float 0.5$"):
        _ = 0.5 @ LANE  # pyright: ignore[reportOperatorIssue]


FORMS = [
    ("128x256b", None, "(128, 8) : (1@lane, 1@col)"),
    ("128x128b", None, "(128, 4) : (1@lane, 1@col)"),
    ("4x256b", None, "(4, 8) : (32@lane, 1@col)"),
    ("64x128b", "warpx2_02_13", "(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)"),
    (
        "64x128b",
        "warpx2_01_23",
        "((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)",
    ),
    ("32x128b", "warpx4", "(32, 4) : (1@lane, 1@col), replicas = (4) : (32@lane)"),
]


@pytest.mark.parametrize(("shape", "multicast", "text"), FORMS)
def test_the_layout_of_each_instruction(shape: str, multicast: str | None, text: str) -> None:
    instruction = Instruction(shape, multicast)
    layout = TmemLayout.for_instruction(instruction)
    assert str(layout) == f"#tcgen05.tmem_layout<{text}>"
    lanes = [
        tuple(layout.origin((row,))[0] + lane for lane, _ in layout.replica_offsets)
        for row in range(instruction.rows)
    ]
    assert lanes == [instruction.lanes(row) for row in range(instruction.rows)]


def test_a07_repeats_lie_along_columns() -> None:
    layout = TmemLayout.for_instruction(Instruction("32x128b", "warpx4"), 3)
    text = "(3, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)"
    assert str(layout) == f"#tcgen05.tmem_layout<{text}>"
    assert [layout.origin((repeat,)) for repeat in range(3)] == [(0, 0), (0, 4), (0, 8)]


def test_a07_no_repeat_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^an extent must be at least 1, got 0$"):
        TmemLayout.for_instruction(Instruction("32x128b", "warpx4"), 0)


def test_repeats_in_two_dimensions_are_row_major() -> None:
    layout = TmemLayout.for_instruction(Instruction("128x256b"), (2, 3), offset=(0, 16))
    text = "(2, 3, 128, 8) : (24@col, 8@col, 1@lane, 1@col), offset = (0@lane, 16@col)"
    assert str(layout) == f"#tcgen05.tmem_layout<{text}>"


def test_schedule_scatter_of_a_swizzled_tile() -> None:
    scatter = Instruction("4x256b")
    layout = TmemLayout.for_instruction(scatter, 16, repeat_strides=[1 @ LANE])
    assert str(layout) == "#tcgen05.tmem_layout<(16, 4, 8) : (1@lane, 32@lane, 1@col)>"
    assert layout.origin((5, 3)) == (32 * 3 + 5, 0)
