"""Alignments that the IR states: powers of two that shared memory can have. Rule F9."""

from __future__ import annotations

import pytest
from footprint_text import LOWER, VERIFY, copy_text, errors_and_notes, memref, view_of_base
from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout, TmemLayout

ATOM = Instruction("128x128b")
TILE = TmemLayout.for_instruction(ATOM)
BYTES = "memref<4096xi8, #gpu.address_space<workgroup>>"
SOURCE = memref(SmemLayout((128, 4), (4, 1)))
COPY = f"%src = tcgen05.view %buffer : {BYTES} to {SOURCE}\n{view_of_base(TILE)}\n" + copy_text(
    ATOM, TILE, SOURCE, SmemDescriptor(ldo=16, sdo=128)
)
REMEDY = "write the alignment that the copies need: 16, or 1024 for the largest swizzle"


def attribution(alignment: str) -> str:
    return f"""gpu.module @m {{
      gpu.func @f(%base: i32) workgroup(%buffer: {BYTES} {{llvm.align = {alignment}}}) kernel {{
        {COPY}
        gpu.return
      }}
    }}"""


def buffer_global(alignment: str) -> str:
    return f"""memref.global "private" @tiles : {BYTES} {{alignment = {alignment}}}
    func.func @f(%base: i32) {{
      %buffer = memref.get_global @tiles : {BYTES}
      {COPY}
      return
    }}"""


def assumed(alignment: str) -> str:
    return f"""func.func @f(%base: i32, %given: {BYTES}) {{
      %buffer = memref.assume_alignment %given, {alignment} : {BYTES}
      {COPY}
      return
    }}"""


@pytest.mark.parametrize("pipeline", [VERIFY, f"gpu.module({LOWER})"])
@pytest.mark.parametrize(
    ("alignment", "shown"),
    [
        ("0", "0 : i64"),
        ("-16", "-16 : i64"),
        ('"x"', '"x"'),
        ("16.0", "1.600000e+01 : f64"),
        ("3", "3 : i64"),
        ("262144", "262144 : i64"),
        ("2147483648", "2147483648 : i64"),
        ("16 : i128", "16 : i128"),
    ],
)
def test_an_attribution_without_an_alignment_that_can_be(alignment, shown, pipeline):
    assert errors_and_notes(attribution(alignment), pipeline) == [
        (
            "'gpu.func' op 'llvm.align' of workgroup attribution 0 must be a power of two in "
            f"1..131072 bytes, got {shown} [F9]",
            [REMEDY],
        )
    ]


@pytest.mark.parametrize(
    ("text", "op", "shown"),
    [
        (buffer_global("262144"), "memref.global", "262144 : i64"),
        (assumed("262144"), "memref.assume_alignment", "262144 : i32"),
    ],
)
def test_more_than_any_shared_memory_has(text, op, shown):
    message = f"'{op}' op 'alignment' must be a power of two in 1..131072 bytes, got {shown} [F9]"
    assert errors_and_notes(text) == [(message, [REMEDY])]


@pytest.mark.parametrize("alignment", ["16", "131072"])
@pytest.mark.parametrize("text", [attribution, buffer_global, assumed])
def test_alignments_that_can_be(text, alignment):
    assert errors_and_notes(text(alignment)) == []
