"""The instruction table, its spellings and rule C1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expectation import raises
from tcgen05_mlir.model import Instruction, legal_instructions

LEGAL = (
    "legal forms are 128x256b, 128x128b, 4x256b, 64x128b.warpx2::02_13, 64x128b.warpx2::01_23, "
    "32x128b.warpx4"
)

# shape, multicast, rows, words, bytes, lanes of row 1, lanes of the last row, SASS suffix
TABLE = [
    ("128x256b", None, 128, 8, 4096, (1,), (127,), ""),
    ("128x128b", None, 128, 4, 2048, (1,), (127,), ".128dp128bit"),
    ("4x256b", None, 4, 8, 128, (32,), (96,), ".4dp256bit"),
    ("64x128b", "warpx2::02_13", 64, 4, 1024, (1, 65), (63, 127), ".2x64dp128bit_lw02_lw13"),
    ("64x128b", "warpx2::01_23", 64, 4, 1024, (1, 33), (95, 127), ".2x64dp128bit_lw01_lw23"),
    ("32x128b", "warpx4", 32, 4, 512, (1, 33, 65, 97), (31, 63, 95, 127), ".4x32dp128bit"),
]


def slow_lanes(shape: str, multicast: str | None, row: int) -> list[int]:
    """The lanes of a row, written form by form from the specification."""
    if shape == "4x256b":
        return [32 * row]
    if multicast == "warpx4":
        return [row + 32 * warp for warp in range(4)]
    if multicast == "warpx2::02_13":
        return [row, row + 64]
    if multicast == "warpx2::01_23":
        return [64 * (row // 32) + row % 32, 64 * (row // 32) + row % 32 + 32]
    return [row]


@pytest.mark.parametrize(("shape", "multicast", "rows", "words", "size", "one", "last", "_"), TABLE)
def test_the_atom_of_each_form(
    shape: str,
    multicast: str | None,
    rows: int,
    words: int,
    size: int,
    one: tuple[int, ...],
    last: tuple[int, ...],
    _: str,
) -> None:
    instruction = Instruction(shape, multicast)
    assert (instruction.rows, instruction.words, instruction.bytes_read) == (rows, words, size)
    assert (instruction.lanes(1), instruction.lanes(rows - 1)) == (one, last)
    every = [slow_lanes(shape, multicast, row) for row in range(rows)]
    assert [list(instruction.lanes(row)) for row in range(rows)] == every
    assert [instruction.row_lane(row) for row in range(rows)] == [lanes[0] for lanes in every]
    np.testing.assert_array_equal(instruction.row_lanes(), [lanes[0] for lanes in every])
    assert instruction.row_lanes().dtype == np.int64
    assert list(instruction.replicas) == [lane - every[0][0] for lane in every[0]]


@pytest.mark.parametrize("form", TABLE, ids=lambda form: f"{form[0]}-{form[1]}")
def test_the_replicas_of_a_form_never_meet(form: tuple[Any, ...]) -> None:
    instruction = Instruction(form[0], form[1])
    lanes = [lane for row in range(instruction.rows) for lane in instruction.lanes(row)]
    assert sorted(lanes) == ([0, 32, 64, 96] if form[0] == "4x256b" else list(range(128)))


def test_a08_the_legal_instructions_are_these() -> None:
    forms = [shape if many is None else f"{shape}.{many}" for shape, many, *_ in TABLE]
    assert [instruction.ptx for instruction in legal_instructions()] == [
        f"tcgen05.cp.cta_group::{group}.{form}{suffix}"
        for form in forms
        for group in (1, 2)
        for suffix in ("", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32")
    ]


def test_a08_the_sass_of_the_legal_instructions() -> None:
    assert [instruction.sass for instruction in legal_instructions()] == [
        f"UTCCP.T.S{pair}{form[-1]}{suffix}"
        for form in TABLE
        for pair in ("", ".2CTA")
        for suffix in ("", ".U4x16P64", ".U6x16P32")
    ]


@pytest.mark.parametrize("instruction", list(legal_instructions()), ids=str)
def test_both_spellings_of_each_instruction_are_equal(instruction: Instruction) -> None:
    assert Instruction(*instruction.nvvm) == instruction
    assert Instruction.from_ptx(instruction.ptx) == instruction
    assert hash(Instruction(*instruction.nvvm)) == hash(instruction)
    assert str(instruction) == instruction.ptx


@pytest.mark.parametrize(
    "parts",
    [
        ("shape_64x128b", "warpx2_02_13", "cta_2", "b4x16_p64"),
        ("64x128b", "warpx2::02_13", 2, "b4x16_p64"),
        (".64x128b", ".warpx2::02_13", ".cta_group::2", ".b8x16.b4x16_p64"),
        ("64x128b", "warpx2::02_13", "cta_group::2", "b8x16.b4x16_p64"),
        ("64x128b", "warpx2::02_13", np.int64(2), "b4x16_p64"),
    ],
)
def test_spellings(parts: tuple[Any, ...]) -> None:
    instruction = Instruction(*parts)
    assert instruction.ptx == "tcgen05.cp.cta_group::2.64x128b.warpx2::02_13.b8x16.b4x16_p64"
    assert tuple(instruction.nvvm) == ("shape_64x128b", "warpx2_02_13", "cta_2", "b4x16_p64")
    assert (instruction.shape, instruction.multicast) == ("64x128b", "warpx2::02_13")
    assert (instruction.cta_group, instruction.src_format) == (2, "b4x16_p64")


def test_none_is_spelled_none() -> None:
    assert Instruction("128x128b", "none", 1, "none") == Instruction("128x128b")
    assert tuple(Instruction("128x128b").nvvm) == ("shape_128x128b", "none", "cta_1", None)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("64x128b",), "'multicast' must be warpx2::02_13 or warpx2::01_23 with 64x128b, got none"),
        (("32x128b", None), "'multicast' must be warpx4 with 32x128b, got none"),
        (("32x128b", "warpx2_02_13"), "'multicast' must be warpx4 with 32x128b, got warpx2::02_13"),
        (("shape_128x128b", "warpx4"), "'multicast' must be none with 128x128b, got warpx4"),
        (("4x256b", "warpx9"), "'multicast' must be none with 4x256b, got warpx9"),
        (("128x64b",), "'shape' must be that of a legal form, got 128x64b"),
    ],
)
def test_c1_names_the_legal_forms(parts: tuple[Any, ...], message: str) -> None:
    with raises(ValueError, f"{message}; {LEGAL} [C1]"):
        Instruction(*parts)


@pytest.mark.parametrize(
    ("kind", "parts", "message"),
    [
        (
            ValueError,
            {"src_format": "b4x16_p32"},
            "'src_format' must be none or b4x16_p64 or b6x16_p32, got b4x16_p32 [C1]",
        ),
        (ValueError, {"cta_group": 3}, "'cta_group' must be 1 or 2, got 3 [C1]"),
        (ValueError, {"cta_group": "cta_4"}, "'cta_group' must be 1 or 2, got 'cta_4' [C1]"),
        (TypeError, {"cta_group": True}, "'cta_group' must be an integer, got bool True"),
        (TypeError, {"cta_group": None}, "'cta_group' must be an integer, got NoneType None"),
        (TypeError, {"multicast": 4}, "'multicast' must be a string, got int 4"),
        (TypeError, {"src_format": 6}, "'src_format' must be a string, got int 6"),
    ],
)
def test_parts_that_no_instruction_has(
    kind: type[Exception], parts: dict[str, Any], message: str
) -> None:
    with raises(kind, message):
        Instruction("128x128b", **parts)


def test_a_shape_is_a_string() -> None:
    with pytest.raises(TypeError, match=r"^'shape' must be a string, got int 128$"):
        Instruction(128)  # pyright: ignore[reportArgumentType]


def test_an_unknown_mnemonic_is_an_error() -> None:
    with raises(
        ValueError,
        "'mnemonic' must be tcgen05.cp.cta_group::{1,2}.FORM{.b8x16.SRC_FORMAT}, "
        f"got tcgen05.cp.cta_group::1.64x128b; {LEGAL} [C1]",
    ):
        Instruction.from_ptx("tcgen05.cp.cta_group::1.64x128b")


@pytest.mark.parametrize("row", [-1, 4])
def test_a_row_outside_the_atom_is_an_error(row: int) -> None:
    with raises(ValueError, f"'row' must be at least 0 and below 4, got {row}"):
        Instruction("4x256b").lanes(row)


def test_which_offsets_the_hardware_reads() -> None:
    reads = {form[0]: Instruction(form[0], form[1]) for form in TABLE}
    assert [name for name, one in reads.items() if one.reads_ldo(0)] == ["128x256b", "4x256b"]
    assert [name for name, one in reads.items() for s in (1, 2, 3) if one.reads_ldo(s)] == []
    assert [name for name, one in reads.items() if not one.reads_sdo] == ["4x256b"]


def test_an_instruction_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Instruction("128x128b").cta_group = 2  # pyright: ignore[reportAttributeAccessIssue]
