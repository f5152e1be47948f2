"""Operands that are no images of one copy, arguments of the wrong kind, work that is bounded."""

from __future__ import annotations

import ast
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from expectation import raises
from proving import DENSE, FOUR, SCALES, TILE, WIDE, of, only, rows_of_16_bytes, to, violations
from tcgen05_mlir.model import (
    COL,
    LANE,
    FootprintError,
    Instruction,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
    footprint,
    infer_descriptor,
    prove,
)

DST = TmemLayout.for_instruction(TILE)
SRC = rows_of_16_bytes(TILE)
HUGE = 2**31 - 1
MODULES = sorted(Path(str(footprint.__file__)).parent.glob("*.py"))


@pytest.mark.parametrize(
    ("dst", "src", "facts", "messages"),
    [
        (
            "(64, 4) : (1@lane, 1@col)",
            "(128, 8) : (8, 1)",
            {},
            [
                "'dst' must end in 128x4 (rows x 32-bit words of 128x128b), got 64x4 [C4]",
                "'src' must end in 128x4 (rows x 32-bit words of 128x128b), got 128x8 [C4]",
            ],
        ),
        (
            "(4) : (1@col)",
            "(128, 4) : (4, 1)",
            {"src_indices": (0,)},
            [
                "'dst' must keep two dimensions (row, word) behind its indices, got 1 dimensions "
                "and 0 indices [C4]",
                "'src' must keep two dimensions (row, word) behind its indices, got 2 dimensions "
                "and 1 indices [C4]",
            ],
        ),
        (
            "(2, 128, 4) : (4@col, 1@lane, 1@col)",
            "(2, 3, 128, 4) : (0, 0, 4, 1)",
            {},
            ["'dst' and 'src' must repeat alike, got (2) and (2, 3) [C4]"],
        ),
        (
            "(2, 128, 4) : (4@col, 1@lane, 1@col)",
            "(?, 128, 4) : (512, 4, 1)",
            {},
            ["'src' dimension 0 must be static and positive, got ? [C4]"],
        ),
        (
            "(128, 4) : (1@lane, 1@col)",
            "(?, 4) : (4, 1)",
            {},
            ["'src' must end in 128x4 (rows x 32-bit words of 128x128b), got ?x4 [C4]"],
        ),
        (
            "(2, 128, 4) : (4@col, 1@lane, 1@col)",
            "(?, 128, 4) : (512, 4, 1)",
            {"dst_indices": (2,), "src_indices": (-1,)},
            [
                "'dst' index 0 must be at least 0 and below 2, got 2 [C4]",
                "'src' index 0 must be at least 0, got -1 [C4]",
            ],
        ),
    ],
)
def test_operands_that_are_no_images_of_one_copy(
    dst: str, src: str, facts: dict[str, Any], messages: list[str]
) -> None:
    layouts = TmemLayout.parse(dst), SmemLayout.parse(src)
    found = violations(prove, TILE, *layouts, DENSE, **facts)
    assert [violation.message for violation in found] == messages
    assert {violation.rule for violation in found} == {"C4"}
    found = violations(infer_descriptor, TILE, *layouts, **facts)
    assert [violation.message for violation in found] == messages


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"instruction": "128x128b"}, "'instruction' must be an Instruction, got str"),
        ({"dst": SRC}, "'dst' must be a TmemLayout, got SmemLayout"),
        ({"src": DST}, "'src' must be a SmemLayout, got TmemLayout"),
        ({"descriptor": None}, "'descriptor' must be a SmemDescriptor, got NoneType"),
        ({"dst_base": 0}, "'dst_base' must be a TensorBase, got int"),
        ({"src_base": TensorBase()}, "'src_base' must be a SharedBase, got TensorBase"),
        ({"dst_indices": (True,)}, "'dst_indices' must be an integer, got bool True"),
        ({"src_indices": ("0",)}, "'src_indices' must be an integer, got str '0'"),
    ],
)
def test_arguments_of_the_wrong_kind(changed: dict[str, Any], message: str) -> None:
    arguments = {"instruction": TILE, "dst": DST, "src": SRC, "descriptor": DENSE, **changed}
    with raises(TypeError, message):
        prove(**arguments)
    if "descriptor" in changed or "dst_base" in changed:
        return
    del arguments["descriptor"]
    with raises(TypeError, message):
        infer_descriptor(**arguments)


def test_a_start_comes_from_the_source() -> None:
    with raises(
        ValueError, "'descriptor' must have start 0, got 1024: the address comes from 'src'"
    ):
        prove(TILE, DST, SRC, SmemDescriptor(1024, sdo=128))
    with raises(ValueError, "'sdo' must be given: 128x128b reads it [C5]"):
        prove(TILE, DST, SRC, SmemDescriptor())


def test_equal_arguments_are_proved_once() -> None:
    plan = prove(TILE, DST, SRC, DENSE)
    assert prove(Instruction("shape_128x128b"), TmemLayout.parse(str(DST)), SRC, DENSE) is plan


def test_an_error_is_one_of_values_and_holds_all() -> None:
    found = violations(
        to, SCALES, "(32, 4) : (1@lane, 1@col), offset = (1@lane, 2@col)", src_base=SharedBase(4)
    )
    assert [violation.rule for violation in found] == ["F1", "F4", "F5", "F9"]
    assert issubclass(FootprintError, ValueError)
    assert str(FootprintError(*found)).count("\n") == 7
    assert str(found[1]) == "'dst' column origin must be a multiple of 4, got 2 [F4]"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_numpy_the_standard_library_and_the_model_alone(path: Path) -> None:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= 2
            found |= set() if node.level else {str(node.module).split(".")[0]}
    assert found <= {*sys.stdlib_module_names, "numpy"}


def measured(copy: Any, *arguments: Any, **facts: Any) -> tuple[list[str], int]:
    """The rules that are broken, and the most bytes that finding them took."""
    tracemalloc.start()
    try:
        found = violations(copy, *arguments, **facts)
        return [violation.rule for violation in found], tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_work_two_billion_repeats() -> None:
    dst = TmemLayout((HUGE, HUGE, 128, 4), (4 @ COL, 4 @ COL, 1 @ LANE, 1 @ COL))
    src = SmemLayout((HUGE, HUGE, 128, 4), (HUGE, 512, 4, 1))
    rules, memory = measured(prove, TILE, dst, src, DENSE)
    assert rules == ["F6", "F10"]
    assert memory < 1 << 26


def test_work_two_billion_repeats_of_one_place() -> None:
    dst = TmemLayout((HUGE, 4, 8), (0 @ COL, 32 @ LANE, 1 @ COL))
    src = SmemLayout((HUGE, 4, 8), (0, 8, 1), swizzle=1)
    rules, memory = measured(prove, FOUR, dst, src, SmemDescriptor(swizzle=1))
    assert rules == ["F7"]
    assert memory < 1 << 26


def test_work_as_many_repeats_as_tensor_memory_holds() -> None:
    dst = TmemLayout((64, 32, 4, 8), (8 @ COL, 1 @ LANE, 32 @ LANE, 1 @ COL))
    src = SmemLayout((64, 32, 4, 8), (512, 16, 8, 1), swizzle=2)
    rules, memory = measured(prove, FOUR, dst, src, SmemDescriptor(swizzle=1))
    assert rules == ["F8"]
    assert memory < 1 << 26
    src = SmemLayout((64, 32, 4, 8), (512, 0, 8, 1), swizzle=1)
    plan = prove(FOUR, dst, src, SmemDescriptor(swizzle=1))
    assert (len(plan.steps), plan.steps[-1]) == (2048, ((63, 31), 31, 504, 63 * 2048))


def test_work_two_billion_values_of_an_index() -> None:
    src = SmemLayout((HUGE, HUGE, 32, 4), (HUGE, 4, 4, 1), swizzle=3)
    indices = {"src_indices": (None, None)}
    rules, memory = measured(of, SCALES, src, DENSE, **indices)
    assert rules == ["F8", "F9"]
    assert memory < 1 << 26
    src = SmemLayout((HUGE, HUGE, 32, 4), (1 << 30, 4, 4, 1))
    rules, memory = measured(of, SCALES, src, DENSE, **indices)
    assert rules == ["F10"]
    assert memory < 1 << 26
    still = SmemLayout((HUGE, 32, 4), (0, 4, 1))
    assert of(SCALES, still, DENSE, src_indices=(None,)).steps[0].start_offset == 0


def test_work_indices_that_fill_a_block() -> None:
    """28,000 places, told apart by their distances, not by their 3 * 10^8 indices."""
    src = SmemLayout((14000, 14000, 32, 4), (4, 4, 4, 1))
    base = SharedBase(16, extent=232448)
    rules, memory = measured(of, SCALES, src, DENSE, src_indices=(None, None), src_base=base)
    assert (rules, memory < 1 << 26) == (["F10"], True)
    src = SmemLayout((7000, 7000, 32, 4), (4, 4, 4, 1))
    assert of(SCALES, src, DENSE, src_indices=(None, None), src_base=base).bounded


def test_work_an_index_beyond_every_memory() -> None:
    src = SmemLayout((None, 32, 4), (1 << 30, 4, 1))
    violation = only(
        of, SCALES, src, DENSE, src_indices=(HUGE,), src_base=SharedBase(16, extent=512)
    )
    first = HUGE << 32
    assert violation.message == (
        f"'descriptor' must keep the walk inside the 512 bytes of the root, got bytes {first} to "
        f"{first + 15} for index ({HUGE}), row 0, word 0 [F10]"
    )
    for phase, rules in ((32, ["F10"]), (48, ["F10", "F12"])):
        far = SmemLayout((None, 128, 8), (1 << 30, 16, 1), phase // 4, swizzle=2)
        read = SmemDescriptor(sdo=512, swizzle=2)
        found = violations(of, WIDE, far, read, src_indices=(HUGE,), src_base=SharedBase(512))
        assert [violation.rule for violation in found] == rules


def test_work_an_index_beyond_tensor_memory() -> None:
    dst = TmemLayout((HUGE, HUGE, 128, 4), (HUGE @ COL, HUGE @ LANE, 1 @ LANE, 1 @ COL))
    found = violations(to, TILE, dst, dst_indices=(None, HUGE - 1))
    column = (HUGE - 1) * HUGE
    assert [violation.message for violation in found] == [
        f"'dst' column origin of index (1, {HUGE - 1}) must be a multiple of 4, got {HUGE} [F4]",
        f"'dst' must stay inside lanes 0..127, got lane {column} for index (0, {HUGE - 1}), row "
        "0, word 0 [F5]",
        f"'dst' must stay inside columns 0..511, got column {column} for index "
        f"({HUGE - 1}, {HUGE - 1}), row 0, word 0 [F6]",
    ]
