"""Rules F1 to F3: where the rows, words and replicas of an atom lie. Whole messages."""

from __future__ import annotations

import pytest
from proving import HALF_01, HALF_02, SCALES, TILE, only, to, violations
from tcgen05_mlir.model import Instruction, Place, TmemLayout, Violation

# F1


@pytest.mark.parametrize(
    "replicas",
    [
        "(4) : (32@lane)",
        "(2, 2) : (64@lane, 32@lane)",
        "(2, 2) : (32@lane, 64@lane)",
        "(2, 1, 2) : (32@lane, 7@col, 64@lane)",
    ],
)
def test_f1_replicas_in_any_spelling(replicas: str) -> None:
    plan = to(SCALES, f"(32, 4) : (1@lane, 1@col), replicas = {replicas}")
    assert plan == to(SCALES, TmemLayout.for_instruction(SCALES))


def test_f1_a_set_that_is_spelled_from_its_end() -> None:
    dst = "((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (-32@lane), "
    plan = to(HALF_01, dst + "offset = (32@lane, 8@col)")
    assert plan.steps[0][1:] == (0, 8, 0)


@pytest.mark.parametrize("found", ["none", "(2) : (32@lane)", "(4) : (4@col)", "(4) : (16@lane)"])
def test_f1_other_replicas(found: str) -> None:
    replicas = "" if found == "none" else f", replicas = {found}"
    violation = only(to, SCALES, f"(32, 4) : (1@lane, 1@col){replicas}")
    assert violation == Violation(
        "F1",
        "dst",
        f"'dst' replicas must be (4) : (32@lane) with 32x128b.warpx4, got {found} [F1]",
        "give the layout replicas = (4) : (32@lane)",
        found,
        "(4) : (32@lane)",
    )


def test_f1_replicas_where_there_are_none() -> None:
    violation = only(to, TILE, "(128, 4) : (1@lane, 1@col), replicas = (2) : (8@col)")
    assert (violation.message, violation.remedy) == (
        "'dst' replicas must be none with 128x128b, got (2) : (8@col) [F1]",
        "give the layout no replicas",
    )


def test_f1_the_other_multicast_is_named() -> None:
    dst = "(64, 4) : (1@lane, 1@col), replicas = (2) : (64@lane)"
    violation, rows = violations(to, HALF_01, dst)
    assert (violation.message, violation.remedy) == (
        "'dst' replicas must be (2) : (32@lane) with 64x128b.warpx2::01_23, "
        "got (2) : (64@lane) [F1]",
        "give the layout replicas = (2) : (32@lane), or copy with 64x128b.warpx2::02_13",
    )
    assert rows.rule == "F2"


# F2


@pytest.mark.parametrize("instruction", [TILE, HALF_02, HALF_01, SCALES], ids=lambda i: i.form.name)
def test_f2_f3_the_instruction_s_own_layout(instruction: Instruction) -> None:
    plan = to(instruction, TmemLayout.for_instruction(instruction, 2))
    assert [step.column_offset for step in plan.steps] == [0, 4]


def test_f2_the_row_map_of_01_23_has_a_gap() -> None:
    violation = only(to, HALF_01, "(64, 4) : (1@lane, 1@col), replicas = (2) : (32@lane)")
    assert violation == Violation(
        "F2",
        "dst",
        "'dst' row 32, word 0 must lie in lane 64, got lane 32 [F2]",
        "rows and words of 64x128b.warpx2::01_23 lie as in #tcgen05.tmem_layout<((2, 32), 4) : "
        "((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)>",
        32,
        64,
        Place(row=32),
    )


def test_f2_a_lane_that_depends_on_the_word() -> None:
    first, second = violations(
        to, TILE, "(3, 128, 4) : (4@col, 1@lane, 1@lane), offset = (2@lane, 0@col)"
    )[:2]
    assert first.message == ("'dst' repeat (0), row 0, word 1 must lie in lane 2, got lane 3 [F2]")
    assert second.rule == "F3"


# F3


def test_f3_words_apart() -> None:
    violation = only(to, TILE, "(128, 4) : (1@lane, 2@col), offset = (0@lane, 8@col)")
    assert violation == Violation(
        "F3",
        "dst",
        "'dst' row 0, word 1 must lie in column 9, got column 10 [F3]",
        "rows and words of 128x128b lie as in #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>",
        10,
        9,
        Place(word=1),
    )


def test_f3_a_column_that_depends_on_the_row() -> None:
    found = violations(to, TILE, "((64, 2), 4) : ((2@lane, 4@col), 1@col)")
    assert [violation.message for violation in found] == [
        "'dst' row 1, word 0 must lie in lane 1, got lane 0 [F2]",
        "'dst' row 1, word 0 must lie in column 0, got column 4 [F3]",
    ]
