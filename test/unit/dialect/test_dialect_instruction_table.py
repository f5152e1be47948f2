"""Case A08, the dialect's half: the verifier's table is the model's, in every combination.

The verifier must accept exactly the instructions that the model has, with their atoms, and demand
exactly the descriptor fields that they read; its messages list the model's forms.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
import tcgen05_mlir  # noqa: F401
from mlir import ir
from tcgen05_mlir.dialects import tcgen05
from tcgen05_mlir.model import Instruction, TmemLayout, legal_instructions
from tcgen05_mlir.model.forms import FORMS, LEGAL_FORMS, SOURCE_FORMATS

SHAPES = ("128x256b", "4x256b", "128x128b", "64x128b", "32x128b")
MULTICASTS = ("none", "warpx2_02_13", "warpx2_01_23", "warpx4")
CTA_GROUPS = ("cta_1", "cta_2")
SOURCES = (None, *(source.name for source in SOURCE_FORMATS))
INSTRUCTIONS = list(legal_instructions())
ATOMS = sorted({(form.rows, form.words) for form in FORMS} | {(1, 1), (8, 8), (64, 8), (256, 4)})


@pytest.fixture(autouse=True, scope="module")
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def judge(
    shape: str, multicast: str, cta_group: str, source: str | None, atom: tuple[int, int], desc: str
) -> str:
    """The verifier's message for a copy of one atom, notes included; empty where it has none."""
    rows, words = atom
    layout = TmemLayout.parse(f"({rows}, {words}) : (1@lane, 1@col)")
    clauses = f"multicast(<{multicast}>) cta_group(<{cta_group}>)"
    clauses += "" if source is None else f" src_format(<{source}>)"
    dst, src = f"memref<{rows}x{words}xi32, {layout}, 6>", f"memref<{rows}x{words}xi32, 3>"
    try:
        ir.Module.parse(
            f"func.func @f(%dst: {dst}, %src: {src}) {{\n"
            f"  tcgen05.cp <shape_{shape}> %dst, %src {clauses} {desc} : {dst}, {src}\n"
            "  return\n}"
        )
    except ir.MLIRError as error:
        (diagnostic,) = error.error_diagnostics
        notes = [note.message for note in diagnostic.notes]
        own = [note for note in notes if not note.startswith("see current operation: ")]
        return "\n".join([diagnostic.message, *own])
    return ""


def model_has(shape: str, multicast: str, cta_group: str, source: str | None) -> bool:
    try:
        Instruction(shape, multicast, cta_group, source)
    except ValueError:
        return False
    return True


PAIRS = list(itertools.product(SHAPES, MULTICASTS))
ILLEGAL = [pair for pair in PAIRS if not model_has(*pair, "cta_1", None)]


def test_a08_the_enums_are_upstreams() -> None:
    """The combinations below leave out nothing that can be written."""
    for mnemonic, cases in (
        ("tcgen05_cp_shape", [f"shape_{shape}" for shape in SHAPES]),
        ("tcgen05_cp_multicast", MULTICASTS),
        ("tcgen05_cp_src_fmt", SOURCES[1:]),
        ("cta_group", CTA_GROUPS),
    ):
        with pytest.raises(ir.MLIRError) as error:
            ir.Attribute.parse(f"#nvvm.{mnemonic}<nothing>")
        listed = error.value.error_diagnostics[0].message.partition("to be one of: ")[2]
        assert sorted(listed.split(", ")) == sorted(cases)


def test_a08_six_pairs_are_legal() -> None:
    assert (len(PAIRS), len(ILLEGAL), len(FORMS)) == (20, 14, 6)


@pytest.mark.parametrize(("shape", "multicast"), PAIRS)
def test_a08_the_verifier_accepts_what_the_model_has(shape: str, multicast: str) -> None:
    for cta_group, source in itertools.product(CTA_GROUPS, SOURCES):
        accepted = [
            atom for atom in ATOMS if not judge(shape, multicast, cta_group, source, atom, "")
        ]
        if model_has(shape, multicast, cta_group, source):
            instruction = Instruction(shape, multicast, cta_group, source)
            assert accepted == [(instruction.rows, instruction.words)]
        else:
            assert accepted == []


@pytest.mark.parametrize(("shape", "multicast"), ILLEGAL)
def test_a08_the_message_lists_the_models_forms(shape: str, multicast: str) -> None:
    wanted = [Instruction(f.shape, f.multicast).nvvm.multicast for f in FORMS if f.shape == shape]
    formats = " or ".join(source.name for source in SOURCE_FORMATS)
    assert judge(shape, multicast, "cta_2", None, (128, 4), "") == (
        f"'tcgen05.cp' op 'multicast' must be {' or '.join(wanted)} with shape_{shape}, "
        f"got {multicast} [C1]\n{LEGAL_FORMS}, each without 'src_format' or with {formats}"
    )


@pytest.mark.parametrize("swizzle", [0, 1, 2, 3])
@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda i: i.ptx[11:])
def test_a08_the_verifier_wants_the_fields_that_the_model_reads(
    instruction: Instruction, swizzle: int
) -> None:
    spelling = instruction.nvvm
    shape = spelling.shape.removeprefix("shape_")
    name, atom = instruction.form.name, (instruction.rows, instruction.words)

    def message(fields: str) -> str:
        desc = f"descriptor(<{fields}swizzle = {swizzle}>)"
        return judge(shape, spelling.multicast, spelling.cta_group, spelling.src_format, atom, desc)

    no_ldo = f"'tcgen05.cp' op 'ldo' must be given: {name} reads it when unswizzled [C5]"
    no_sdo = f"'tcgen05.cp' op 'sdo' must be given: {name} reads it [C5]"
    reads_ldo, reads_sdo = instruction.reads_ldo(swizzle), instruction.reads_sdo
    assert message("ldo = 16, sdo = 128, ") == ""
    assert message("sdo = 128, ") == (no_ldo if reads_ldo else "")
    assert message("ldo = 16, ") == (no_sdo if reads_sdo else "")
    assert message("") == (no_ldo if reads_ldo else no_sdo if reads_sdo else "")


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda i: i.ptx[11:])
def test_a08_an_op_of_every_instruction_says_which_it_is(
    instruction: Instruction,
) -> None:
    """The layout that the model gives an instruction is accepted, and the op reads back as it."""
    i32 = ir.IntegerType.get_signless(32)
    layout = TmemLayout.for_instruction(instruction, 2)
    tensor, shared = ir.Attribute.parse("6"), ir.Attribute.parse("3")
    dst = ir.MemRefType.get(layout.shape, i32, tcgen05.TmemLayoutAttr.get(layout), tensor)
    src = ir.MemRefType.get(layout.shape, i32, None, shared)
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        operands = ir.Operation.create("builtin.unrealized_conversion_cast", results=[dst, src])
        op = tcgen05.cp(*operands.results, instruction)
    assert module.operation.verify()
    assert tcgen05.instruction_of(op) == instruction
    assert tcgen05.descriptor_of(op) is None
