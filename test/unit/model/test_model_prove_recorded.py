"""The 156 recorded cases as copies with layouts: proved, executed, broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tcgen05_mlir.model import (
    COL,
    FootprintError,
    Instruction,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
    execute_cp,
    prove,
)

CASES = dict(np.load(Path(__file__).parents[2] / "data" / "cp_cases.npz"))


def case_instruction(case: int) -> Instruction:
    shape, _, multicast = str(CASES["shape_names"][CASES["shape"][case]]).partition(".")
    src_format = str(CASES["dec_names"][CASES["dec"][case]])
    return Instruction(shape, multicast or None, CASES["cta_group"][case], src_format)


def case_source(case: int) -> tuple[SmemLayout, SmemDescriptor]:
    """A layout whose offset is the descriptor's start, and the descriptor without it."""
    start, ldo, sdo, swizzle = (
        int(CASES[name][case]) for name in ("start", "ldo", "sdo", "swizzle")
    )
    instruction = case_instruction(case)
    rows: tuple[Any, Any] = (4, 4 << swizzle)
    if instruction.rows > 4:
        rows = ((instruction.rows // 8, 8), (sdo // 4, 4 << swizzle))
    words: tuple[Any, Any] = (instruction.words, 1)
    if instruction.words == 8 and swizzle == 0:
        words = ((2, 4), (ldo // 4, 1))
    layout = SmemLayout((rows[0], words[0]), (rows[1], words[1]), start // 4, swizzle)
    return layout, SmemDescriptor(ldo=ldo, sdo=sdo, swizzle=swizzle)


def case_tmem(case: int, cta: int) -> np.ndarray:
    cells = slice(CASES["cell_ptr"][case], CASES["cell_ptr"][case + 1])
    mine = CASES["cell_cta"][cells] == cta
    tmem = np.full((128, 512), 0xA5A5A5A5, np.uint32)
    place = CASES["cell_lane"][cells][mine], CASES["cell_col"][cells][mine]
    tmem[place] = CASES["cell_val"][cells][mine]
    return tmem


@pytest.mark.parametrize("case", range(len(CASES["desc"])))
def test_a_recorded_case(case: int) -> None:
    """The plan, executed, writes the cells that were recorded, and no other."""
    instruction = case_instruction(case)
    src, read = case_source(case)
    lane, column = int(CASES["lane"][case]), int(CASES["col"][case])
    dst = TmemLayout.for_instruction(instruction, offset=(lane, column))
    base = SharedBase(address=0, extent=CASES["smem"].shape[1])
    plan = prove(instruction, dst, src, read, dst_base=TensorBase(absolute=True), src_base=base)
    assert plan.bounded
    (step,) = plan.steps
    descriptor = replace(plan.descriptor, start=step.start_offset)
    assert descriptor.start == CASES["start"][case]
    for cta in range(instruction.cta_group):
        tmem = np.full((128, 512), 0xA5A5A5A5, np.uint32)
        taddr = step.lane_offset << 16 | step.column_offset
        execute_cp(tmem, CASES["smem"][cta], taddr, descriptor, instruction)
        np.testing.assert_array_equal(tmem, case_tmem(case, cta))


BREAK = {
    "F1": {"replicas": ((2,), (8 @ COL,))},
    "F4": {"offset": (0, 2)},
    "F5": {"offset": (-1, 0)},
    "F6": {"offset": (0, 512)},
}


@pytest.mark.parametrize("rule", [*BREAK, "F8", "F9", "F10"])
def test_recorded_cases_with_one_fault(rule: str) -> None:
    """Every case, made illegal in one way, is refused by that rule."""
    for case in range(len(CASES["desc"])):
        instruction = case_instruction(case)
        src, read = case_source(case)
        dst = TmemLayout.for_instruction(instruction)
        base = SharedBase(address=0, extent=CASES["smem"].shape[1])
        if rule in BREAK:
            dst = replace(dst, **BREAK[rule])
        elif rule == "F8":
            row = src.strides[0]
            row = (*row[:-1], row[-1] + 4) if isinstance(row, tuple) else row + 4
            src = replace(src, strides=(row, src.strides[1]))
        elif rule == "F9":
            src = replace(src, offset=src.offset + 1)
        else:
            src = replace(src, offset=src.offset + CASES["smem"].shape[1] // 4)
        with pytest.raises(FootprintError) as caught:
            prove(instruction, dst, src, read, src_base=base)
        found = {violation.rule for violation in caught.value.violations}
        assert found - {"F11"} == {rule}
