"""Every recorded copy through the whole path: IR, proof, lowering, and back to what it writes.

Each is lowered, with its own descriptor and with an inferred one; the constants that the
instruction gets are read back, and the reference executes them on the recorded memory. All of them
are legal; every third is also made wrong in one place after the other, and refused with the rule.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import tcgen05_mlir
from footprint_text import (
    LOWER,
    byte_buffer,
    copy_text,
    function,
    memref,
    rules,
    view_of_base,
    view_of_bytes,
)
from lowered_values import Machine
from mlir import ir
from tcgen05_mlir.model import (
    COL,
    LANE,
    Instruction,
    SmemDescriptor,
    SmemLayout,
    TmemLayout,
    execute_cp,
)

RECORDED = Path(__file__).parents[2] / "data" / "cp_cases.npz"
SMEM_BYTES = 40960
COUNT = 156


@cache
def recorded() -> dict[str, np.ndarray]:
    with np.load(RECORDED) as data:
        return dict(data)


def instruction_of(case: int) -> Instruction:
    data = recorded()
    shape, _, multicast = str(data["shape_names"][data["shape"][case]]).partition(".")
    decompression = str(data["dec_names"][data["dec"][case]]).removeprefix("b8x16.")
    return Instruction(
        shape,
        multicast or None,
        int(data["cta_group"][case]),
        None if decompression == "none" else decompression,
    )


def descriptor_of(case: int) -> SmemDescriptor:
    """As recorded, but for the start: the layout's offset brings that."""
    data = recorded()
    fields = {name: int(data[name][case]) for name in ("ldo", "sdo", "swizzle")}
    return SmemDescriptor(**fields)


def source_of(case: int) -> SmemLayout:
    """The walk of the recorded descriptor as a layout."""
    data, instruction, found = recorded(), instruction_of(case), descriptor_of(case)
    pitch = 4 << found.swizzle
    rows, words = instruction.rows, instruction.words
    row = ((rows // 8, 8), (found.sdo // 4, pitch)) if rows >= 8 else (rows, pitch)
    word = ((words // 4, 4), (found.ldo // 4, 1)) if found.swizzle == 0 else (words, 1)
    offset = int(data["start"][case]) // 4
    return SmemLayout((row[0], word[0]), (row[1], word[1]), offset, found.swizzle)


def target_of(case: int) -> TmemLayout:
    data, whole = recorded(), TmemLayout.for_instruction(instruction_of(case))
    offset = (int(data["lane"][case]), int(data["col"][case]))
    return TmemLayout(whole.extents, whole.strides, whole.replicas, offset)


def text_of(case: int, alignment: int = 1024, **changes) -> str:
    """The copy of a case; `source=`, `target=`, `descriptor=` take the place of its own."""
    parts = {
        "source": source_of(case),
        "target": target_of(case),
        "descriptor": descriptor_of(case),
        **changes,
    }
    source, target, descriptor = parts.values()
    body = "\n".join(
        [
            view_of_bytes(source, SMEM_BYTES),
            view_of_base(target),
            copy_text(instruction_of(case), target, memref(source), descriptor),
        ]
    )
    return function(body, buffer=byte_buffer(SMEM_BYTES, alignment))


def written(case: int, text: str) -> dict[tuple[int, int, int], int]:
    """The cells (CTA, lane, column) that the lowered copy writes, with their values."""
    data = recorded()
    with ir.Context():
        lowered = tcgen05_mlir.run_pipeline(ir.Module.parse(text), LOWER)
        (issued,) = Machine({"tiles": 0}).run(lowered.body.operations[1], 0)
    cells = {}
    for cta in range(instruction_of(case).cta_group):
        before = np.full((128, 512), 0xDEADBEEF, np.uint32)
        twin = ~before
        for tmem in (before, twin):
            execute_cp(tmem, data["smem"][cta], issued.address, issued.descriptor,
                       instruction_of(case))  # fmt: skip
        for lane, column in np.argwhere(before == twin).tolist():
            cells[cta, lane, column] = int(before[lane, column])
    return cells


def wanted(case: int) -> dict[tuple[int, int, int], int]:
    data = recorded()
    cells = slice(data["cell_ptr"][case], data["cell_ptr"][case + 1])
    places = zip(*(data[f"cell_{name}"][cells].tolist() for name in ("cta", "lane", "col")),
                 strict=True)  # fmt: skip
    return dict(zip(places, data["cell_val"][cells].tolist(), strict=True))


@pytest.mark.parametrize("case", range(COUNT))
def test_a_recorded_copy_through_the_whole_path(case):
    assert written(case, text_of(case)) == wanted(case)
    assert written(case, text_of(case, descriptor=None)) == wanted(case)


def test_all_cases_are_there():
    assert len(recorded()["desc"]) == COUNT


def moved_by(target: TmemLayout, lanes: int, columns: int) -> TmemLayout:
    offset = (target.offset[0] + lanes, target.offset[1] + columns)
    return replace(target, offset=offset)


@pytest.mark.parametrize("case", range(0, COUNT, 3))
def test_a_recorded_copy_made_wrong_is_refused(case):
    instruction, source, target = instruction_of(case), source_of(case), target_of(case)
    given = descriptor_of(case)
    assert "F4" in found_rules(case, target=moved_by(target, 0, 2))
    assert "F5" in found_rules(case, target=moved_by(target, 128, 0))
    assert "F6" in found_rules(case, target=moved_by(target, 0, 512))
    replicas = ((2,), (16 @ LANE,))
    assert "F1" in found_rules(case, target=replace(target, replicas=replicas))
    rows_apart = TmemLayout(
        target.shape, (2 @ LANE, target.strides[1]), target.replicas, target.offset
    )
    assert "F2" in found_rules(case, target=rows_apart)
    words_apart = replace(target, strides=(target.strides[0], 2 @ COL))
    assert "F3" in found_rules(case, target=words_apart)
    assert "F9" in found_rules(case, source=replace(source, offset=source.offset + 1))
    assert found_rules(case, alignment=8 << given.swizzle) == ["F9"]
    assert "F10" in found_rules(case, source=replace(source, offset=SMEM_BYTES // 4))
    if instruction.reads_sdo:
        assert "F8" in found_rules(case, descriptor=replace(given, sdo=given.sdo + 16))
    if instruction.reads_ldo(given.swizzle):
        assert "F8" in found_rules(case, descriptor=replace(given, ldo=given.ldo + 16))
    assert "F8" in found_rules(case, descriptor=replace(given, swizzle=(given.swizzle + 1) % 4))


def found_rules(case: int, **changes) -> list[str]:
    return rules(text_of(case, **changes))
