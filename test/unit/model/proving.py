"""Copies with one operand that is right, and what is wrong with the other."""

from __future__ import annotations

from typing import Any

import pytest
from tcgen05_mlir.model import (
    CopyPlan,
    FootprintError,
    Instruction,
    SmemDescriptor,
    SmemLayout,
    TmemLayout,
    Violation,
    prove,
)

TILE = Instruction("128x128b")
WIDE = Instruction("128x256b")
FOUR = Instruction("4x256b")
HALF_02 = Instruction("64x128b", "warpx2::02_13")
HALF_01 = Instruction("64x128b", "warpx2::01_23")
SCALES = Instruction("32x128b", "warpx4")

DENSE = SmemDescriptor(ldo=16, sdo=128)


def layout(text: str) -> TmemLayout:
    return TmemLayout.parse(text)


def source(text: str) -> SmemLayout:
    return SmemLayout.parse(text)


def rows_of_16_bytes(instruction: Instruction, *repeats: int) -> SmemLayout:
    return SmemLayout.row_major((*repeats, instruction.rows, 4))


def to(instruction: Instruction, dst: TmemLayout | str, **facts: Any) -> CopyPlan:
    """A copy from dense rows of 16 bytes, whose source is right."""
    target = TmemLayout.parse(dst) if isinstance(dst, str) else dst
    repeats = target.shape[len(facts.get("dst_indices", ())) : -2]
    return prove(instruction, target, rows_of_16_bytes(instruction, *repeats), DENSE, **facts)


def of(
    instruction: Instruction, src: SmemLayout | str, descriptor: SmemDescriptor, **facts: Any
) -> CopyPlan:
    """A copy whose destination is right."""
    origin = SmemLayout.parse(src) if isinstance(src, str) else src
    repeats = origin.shape[len(facts.get("src_indices", ())) : -2]
    dst = TmemLayout.for_instruction(instruction, [extent or 0 for extent in repeats])
    return prove(instruction, dst, origin, descriptor, **facts)


def violations(copy: Any, *arguments: Any, **facts: Any) -> tuple[Violation, ...]:
    with pytest.raises(FootprintError) as caught:
        copy(*arguments, **facts)
    return caught.value.violations


def only(copy: Any, *arguments: Any, **facts: Any) -> Violation:
    (violation,) = violations(copy, *arguments, **facts)
    return violation
