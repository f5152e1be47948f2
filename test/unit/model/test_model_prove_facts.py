"""What is known of the bases, what is assumed and listed, what `bounded` says."""

from __future__ import annotations

from typing import Any

import pytest
from expectation import raises
from proving import DENSE, FOUR, SCALES, TILE, of, only, rows_of_16_bytes, to
from tcgen05_mlir.model import (
    Assumption,
    CopyPlan,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
)

KNOWN = SharedBase(16, extent=2048)
PLAIN = TmemLayout.for_instruction(TILE)


def assumed(plan: CopyPlan) -> list[tuple[str, str, str, Any]]:
    for assumption in plan.assumptions:
        assert str(assumption) == assumption.text
        assert assumption.text.startswith(f"'{assumption.operand}' ")
        assert assumption.text.endswith(f" [{assumption.rule}]")
    return [(a.rule, a.kind, a.operand, a.value) for a in plan.assumptions]


def test_nothing_is_known() -> None:
    plan = to(TILE, TmemLayout.for_instruction(TILE, 2, offset=(0, 8)))
    assert assumed(plan) == [
        ("F4", "allocation", "dst", 32),
        ("F6", "columns", "dst", (8, 15)),
        ("F9", "alignment", "src", 16),
        ("F10", "extent", "src", (0, 4095)),
    ]
    assert [a.text for a in plan.assumptions] == [
        "'dst' address is the start of an allocation: lane 0, a multiple of 32 columns [F4]",
        "'dst' columns 8 to 15 from the root are allocated [F6]",
        "'src' root is aligned to 16 bytes [F9]",
        "'src' holds bytes 0 to 4095 of the root [F10]",
    ]
    assert not plan.bounded


def test_all_is_known() -> None:
    plan = to(TILE, PLAIN, dst_base=TensorBase(columns=32), src_base=KNOWN)
    assert (plan.assumptions, plan.bounded) == ((), True)


def test_a_constant_tensor_address() -> None:
    base = TensorBase(0, 64, absolute=True)
    plan = to(TILE, PLAIN, dst_base=base, src_base=KNOWN)
    assert assumed(plan) == [("F6", "columns", "dst", (64, 67))]
    assert plan.steps[0].column_offset == 0


def test_a_dynamic_addend_to_the_tensor_base() -> None:
    base = TensorBase(column=4, columns=64, column_factor=16)
    plan = to(TILE, PLAIN, dst_base=base, src_base=KNOWN)
    assert plan.assumptions == (
        Assumption(
            "F6",
            "range",
            "dst",
            (4, 7),
            "'dst' base stays in bounds, whatever the run time adds to it: columns 4 to 7, moved "
            "by it [F6]",
        ),
    )
    unknown = to(TILE, PLAIN, dst_base=TensorBase(lane_factor=1), src_base=KNOWN)
    assert [a.kind for a in unknown.assumptions] == ["range", "allocation", "columns"]


def test_dynamic_indices_in_range_are_no_assumption() -> None:
    dst = TmemLayout.parse("(4, 128, 4) : (8@col, 1@lane, 1@col)")
    facts = {"dst_base": TensorBase(columns=32), "dst_indices": (None,), "src_base": KNOWN}
    plan = to(TILE, dst, **facts)
    assert plan.assumptions == ()
    ring = of(
        SCALES,
        SmemLayout.row_major((3, 2, 32, 4)),
        DENSE,
        src_indices=(None,),
        src_base=SharedBase(16, extent=3072),
    )
    assert [a.operand for a in ring.assumptions] == ["dst", "dst"]
    assert ring.bounded
    assert [step.start_offset for step in ring.steps] == [0, 512]


def test_stated_alignment_is_an_assumption_and_is_checked() -> None:
    base = SharedBase(1024, "alignment(1024)", alignment_stated=True, extent=2048)
    plan = to(TILE, PLAIN, dst_base=TensorBase(columns=32), src_base=base)
    assert [str(a) for a in plan.assumptions] == [
        "'src' root is aligned to 1024 bytes, as alignment(1024) says [F9]"
    ]
    low = SharedBase(8, "alignment(8)", alignment_stated=True, extent=2048)
    assert only(to, TILE, PLAIN, src_base=low).message == (
        "'src' root must be aligned to 16 bytes, got 8 (alignment(8)) [F9]"
    )


def test_an_endless_index_is_assumed_to_stay_inside() -> None:
    src = SmemLayout.row_major((None, 2, 32, 4), offset=4)
    base = SharedBase(16, extent=65536)
    plan = of(SCALES, src, DENSE, src_indices=(None,), src_base=base)
    assert assumed(plan)[2:] == [("F10", "range", "src", (16, 1039))]
    assert plan.assumptions[2].text == (
        "'src' keeps the copy inside its buffer, whatever the run time chooses: bytes 16 to 1039 "
        "of the root, moved by it [F10]"
    )
    assert not plan.bounded
    chosen = of(SCALES, src, DENSE, src_indices=(60,), src_base=base)
    assert chosen.bounded
    assert chosen.steps[0].start_offset == 16 + 60 * 1024
    violation = only(of, SCALES, src, DENSE, src_indices=(64,), src_base=base)
    assert violation.message == (
        "'descriptor' must keep the walk inside the 65536 bytes of the root, got bytes 65552 to "
        "65567 for index (64), repeat (0), row 0, word 0 [F10]"
    )


def test_even_what_is_moved_must_fit_somewhere() -> None:
    src = SmemLayout.row_major((None, 2, 32, 4))
    base = SharedBase(16, extent=1008)
    violation = only(of, SCALES, src, DENSE, src_indices=(None,), src_base=base)
    assert violation.message == (
        "'descriptor' must keep the walk inside the 1008 bytes of the root, got 1024 bytes from "
        "its first to index (0), repeat (1), row 31, word 0 [F10]"
    )


def test_the_eight_row_block_of_an_unknown_buffer_is_assumed() -> None:
    plan = of(FOUR, "(4, 8) : (8, 1), swizzle = 1", SmemDescriptor(swizzle=1))
    assert assumed(plan)[2:] == [
        ("F9", "alignment", "src", 256),
        ("F10", "extent", "src", (0, 127)),
        ("F11", "block", "src", (0, 127)),
    ]
    assert plan.assumptions[-1].text == (
        "'src' holds the eight-row blocks of 4-row copies from bytes 0 to 127 of the root [F11]"
    )


def test_a_constant_shared_address_bounds_the_starts() -> None:
    plan = of(TILE, rows_of_16_bytes(TILE), DENSE, src_base=SharedBase(address=4096, offset=32))
    assert assumed(plan)[2:] == [("F10", "extent", "src", (32, 2079))]
    assert plan.bounded
    assert plan.steps[0].start_offset == 0


def test_the_swizzle_decides_how_far_a_walk_reaches() -> None:
    """Unit 1 of row 1 lies in place 0 of that row."""
    src = SmemLayout((32, 4), (32, 1), 4, swizzle=3)
    plan = of(SCALES, src, SmemDescriptor(sdo=1024, swizzle=3))
    assert assumed(plan)[3] == ("F10", "extent", "src", (16, 4079))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TensorBase(columns=0), "'columns' must be in 1..512, got 0"),
        (lambda: TensorBase(columns=513), "'columns' must be in 1..512, got 513"),
        (lambda: TensorBase(columns=-1), "'columns' must be at least 0, got -1"),
        (lambda: TensorBase(lane_factor=-1), "'lane_factor' must be at least 0, got -1"),
        (
            lambda: TensorBase(columns=32, absolute=True),
            "'columns' must be left out where 'absolute' is given",
        ),
        (lambda: TensorBase(1 << 31), "'lane' must be inside +-2147483647, got 2147483648"),
        (lambda: SharedBase(0), "'alignment' must be at least 1, got 0"),
        (lambda: SharedBase(extent=-16), "'extent' must be at least 0, got -16"),
        (lambda: SharedBase(address=1 << 18), "'address' must be below 262144, got 262144"),
    ],
)
def test_facts_that_no_base_has(make: Any, message: str) -> None:
    with raises(ValueError, message):
        make()


def test_facts_of_the_wrong_kind() -> None:
    with raises(TypeError, "'column' must be an integer, got float 1.0"):
        TensorBase(column=1.0)  # type: ignore[arg-type]
    with raises(TypeError, "'extent' must be an integer, got str '16'"):
        SharedBase(extent="16")  # type: ignore[arg-type]
