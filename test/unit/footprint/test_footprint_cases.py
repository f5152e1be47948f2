"""Cases from public failure reports, through the passes; ids are those of the project's list."""

from __future__ import annotations

import pytest
import tcgen05_mlir
from footprint_text import (
    LOWER,
    WORKGROUP,
    byte_buffer,
    copy_text,
    errors,
    errors_and_notes,
    function,
    memref,
    rules,
    view_of_base,
    view_of_bytes,
)
from lowered_values import Issued, Machine
from mlir import ir
from tcgen05_mlir.model import COL, LANE, Instruction, SmemDescriptor, SmemLayout, TmemLayout


def text_of(
    instruction: Instruction,
    source: SmemLayout,
    descriptor: SmemDescriptor | None,
    target: TmemLayout | None = None,
    **indices: str,
) -> str:
    """A copy out of 64 KiB that are aligned to 1024, to the start of an allocation."""
    target = target or TmemLayout.for_instruction(instruction)
    body = [view_of_bytes(source), view_of_base(target)]
    body.append(copy_text(instruction, target, memref(source), descriptor, **indices))
    return function("\n".join(body), buffer=byte_buffer())


def issued(text: str, pipeline: str = LOWER, shared: int = 0) -> list[Issued]:
    """What each instruction is given, with the buffer at `shared` and tensor memory at 0."""
    with ir.Context():
        lowered = tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline)
        return Machine({"tiles": shared}).run(lowered.body.operations[1], 0)


def tile(instruction: Instruction, swizzle: int, **fields: int) -> SmemLayout:
    """A dense swizzled tile, one copy wide."""
    rows, words = instruction.rows, instruction.words
    return SmemLayout((rows, words), (4 << swizzle, 1), swizzle=swizzle, **fields)


def test_a03_dead_leading_offsets_change_nothing():
    narrow, wide = Instruction("128x128b"), Instruction("128x256b")
    found = {
        issued(text_of(narrow, tile(narrow, 3), SmemDescriptor(ldo=ldo, sdo=1024, swizzle=3)))[0]
        for ldo in (0, 16, 4096, None)
    }
    assert len(found) == 1
    text = text_of(wide, SmemLayout.core_matrices(128, 8), SmemDescriptor(sdo=256))
    with pytest.raises(tcgen05_mlir.MLIRError) as caught, ir.Context():
        ir.Module.parse(text)
    assert "'tcgen05.cp' op 'ldo' must be given: 128x256b reads it" in str(caught.value)


@pytest.mark.parametrize(
    ("swizzle", "base", "alignment"),
    [(3, 0x1200, 1024), (2, 0x1100, 512), (1, 0x1080, 256)],
)
def test_a05_the_base_of_a_swizzled_buffer(swizzle, base, alignment):
    instruction = Instruction("128x128b")
    layout, target = tile(instruction, swizzle), TmemLayout.for_instruction(instruction)
    descriptor = SmemDescriptor(sdo=128 << swizzle, swizzle=swizzle)

    def at(address: int) -> str:
        body = [
            f"%n = arith.constant {address} : i64",
            "%p = llvm.inttoptr %n : i64 to !llvm.ptr<3>",
            f"%src = tcgen05.view %p : !llvm.ptr<3> to {memref(layout)}",
            view_of_base(target),
            copy_text(instruction, target, memref(layout), descriptor),
        ]
        return function("\n".join(body))

    assert errors_and_notes(at(base)) == [
        (
            f"'tcgen05.cp' op 'src' root must be aligned to {alignment} bytes with swizzle "
            f"{swizzle}, got address {base} ({base:#x}) [F9]",
            [
                f"the root of 'src' is address {base:#x}",
                f"align the buffer to {alignment} bytes; where it is known to be, say so by "
                f"alignment({alignment}) on its tcgen05.view",
            ],
        )
    ]
    accepted = {3: 0x1400, 2: 0x1200, 1: 0x1100}[swizzle]
    assert errors(at(accepted)) == []


def test_a06_offsets_that_a_4_row_copy_can_have():
    instruction = Instruction("4x256b")
    layout = SmemLayout((4, (2, 4)), (4, (32, 1)))
    accepted = text_of(instruction, layout, SmemDescriptor(ldo=128, sdo=262128))
    assert errors(accepted) == []
    at_0x408 = SmemLayout(layout.extents, layout.strides, offset=0x408 // 4)
    (found,) = errors(text_of(instruction, at_0x408, SmemDescriptor(ldo=128, sdo=262128)))
    assert found == ("'tcgen05.cp' op 'src' origin must be a multiple of 16 bytes, got 1032 [F9]")
    for field, wrong in (("sdo", 24), ("ldo", 8), ("sdo", 262144), ("sdo", -16)):
        text = accepted.replace("ldo = 128, sdo = 262128", "ldo = 128, sdo = 128")
        text = text.replace(f"{field} = 128", f"{field} = {wrong}")
        with pytest.raises(tcgen05_mlir.MLIRError) as caught, ir.Context():
            ir.Module.parse(text)
        assert (
            f"'tcgen05.cp' op '{field}' must be a multiple of 16 in 0..262128 bytes, got {wrong} "
            "[C5]" in str(caught.value)
        )


def test_a07_three_repeats_are_three_instructions():
    instruction = Instruction("32x128b", "warpx4")
    source, target = SmemLayout.row_major((3, 32, 4)), TmemLayout.for_instruction(instruction, 3)
    assert target.strides[0] == 4 @ COL
    text = text_of(instruction, source, SmemDescriptor(sdo=128), target)
    found = issued(text, shared=0x400)
    assert [one.address for one in found] == [0, 4, 8]
    assert [one.descriptor - found[0].descriptor for one in found] == [0, 32, 64]
    assert SmemDescriptor.decode(found[0].descriptor) == SmemDescriptor(
        start=0x400, ldo=16, sdo=128
    )
    with pytest.raises(tcgen05_mlir.MLIRError), ir.Context():
        ir.Module.parse(text.replace("3x32x4", "0x32x4"))


@pytest.mark.parametrize(
    ("form", "offset", "message"),
    [
        (
            ("128x256b", None),
            (0, 508),
            "'dst' must stay inside columns 0..511, got column 512 for row 0, word 4 [F6]",
        ),
        (("128x128b", None), (0, 2), "'dst' column origin must be a multiple of 4, got 2 [F4]"),
        (
            ("32x128b", "warpx4"),
            (32, 0),
            "'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 (its replica 96 "
            "lanes on) [F5]",
        ),
        (
            ("64x128b", "warpx2::02_13"),
            (64, 0),
            "'dst' must stay inside lanes 0..127, got lane 128 for row 0, word 0 (its replica 64 "
            "lanes on) [F5]",
        ),
        (("128x128b", None), (0, 508), None),
    ],
)
def test_a15_what_leaves_tensor_memory(form, offset, message):
    instruction = Instruction(*form)
    whole = TmemLayout.for_instruction(instruction)
    target = TmemLayout(whole.extents, whole.strides, whole.replicas, offset)
    source = SmemLayout.core_matrices(instruction.rows, instruction.words)
    found = errors(text_of(instruction, source, None, target))
    assert found == ([] if message is None else [f"'tcgen05.cp' op {message}"])


def test_b04_bytes_become_fields_shifted_by_four():
    instruction = Instruction("128x128b")
    text = text_of(instruction, tile(instruction, 3), SmemDescriptor(sdo=1024, swizzle=3))
    (found,) = issued(text, shared=0x4000)
    assert found.descriptor & 0x3FFF == 0x400
    assert found.descriptor >> 32 & 0x3FFF == 64


SHAPES = {
    "a misaligned column in the base": ("%r = arith.addi %base, %two : i32", ["F4"]),
    "a misaligned lane in the base": ("%r = arith.addi %base, %lane : i32", ["F5"]),
    "columns outside of the allocation": ("%r = arith.addi %base, %columns : i32", ["F6"]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_hidden_in_the_base_address(name):
    add, wanted = SHAPES[name]
    instruction = Instruction("128x128b")
    source, target = SmemLayout.row_major((128, 4)), TmemLayout.for_instruction(instruction)
    body = [
        "%slot = llvm.mlir.addressof @slot : !llvm.ptr<3>",
        "%columns = arith.constant 32 : i32",
        "%two = arith.constant 2 : i32",
        "%lane = arith.constant 65536 : i32",
        "nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32",
        "%base = llvm.load %slot : !llvm.ptr<3> -> i32",
        add,
        view_of_bytes(source),
        view_of_base(target, "%r"),
        copy_text(instruction, target, memref(source), SmemDescriptor(sdo=128)),
    ]
    slot = "llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : i32"
    text = function("\n".join(body), "", f"{byte_buffer()} {slot}")
    assert rules(text) == wanted


def test_the_walk_past_its_allocation():
    instruction = Instruction("128x128b")
    source = SmemLayout.row_major((128, 4), offset=16000)
    assert rules(text_of(instruction, source, SmemDescriptor(sdo=128))) == ["F10"]


def test_a_4_row_copy_over_a_4_row_block():
    instruction, kind = Instruction("4x256b"), f"memref<128xi8, {WORKGROUP}>"
    layout, target = SmemLayout((4, 8), (8, 1), swizzle=1), TmemLayout.for_instruction(instruction)
    body = [
        f"%tiles = memref.get_global @tiles : {kind}",
        f"%src = tcgen05.view %tiles : {kind} to {memref(layout)}",
        view_of_base(target),
        copy_text(instruction, target, memref(layout), SmemDescriptor(swizzle=1)),
    ]
    assert rules(function("\n".join(body), buffer=byte_buffer(128))) == ["F11"]
    body = [line.replace("128xi8", "256xi8") for line in body]
    assert rules(function("\n".join(body), buffer=byte_buffer(256))) == []


def test_repeats_that_all_write_the_same_cells():
    instruction = Instruction("32x128b", "warpx4")
    whole = TmemLayout.for_instruction(instruction)
    target = TmemLayout((4, *whole.extents), (0 @ COL, *whole.strides), whole.replicas)
    source = SmemLayout.row_major((4, 32, 4))
    assert rules(text_of(instruction, source, SmemDescriptor(sdo=128), target)) == ["F7"]


def test_a_walk_of_almost_4_megabytes():
    instruction = Instruction("128x128b")
    source = SmemLayout(((16, 8), 4), ((65532, 4), 1))
    descriptor = SmemDescriptor(sdo=262128)
    assert rules(text_of(instruction, source, descriptor)) == ["F10"]


def test_more_static_shared_memory_than_a_block_has():
    instruction = Instruction("128x128b")
    kind = f"memref<131072xi8, {WORKGROUP}>"
    layout, target = SmemLayout.row_major((128, 4)), TmemLayout.for_instruction(instruction)
    body = [
        f"%tiles = memref.get_global @tiles : {kind}",
        f"%more = memref.get_global @more : {kind}",
        f"%src = tcgen05.view %tiles : {kind} to {memref(layout)}",
        view_of_base(target),
        copy_text(instruction, target, memref(layout), SmemDescriptor(sdo=128)),
    ]
    more = byte_buffer(131072).replace("@tiles", "@more")
    text = function("\n".join(body), buffer=f"{byte_buffer(131072)} {more}")
    assert errors_and_notes(text) == [
        (
            "'func.func' op static shared memory must be at most 232448 bytes, got 262144 [F10]",
            [
                "131072 of them are memref.global @tiles",
                "131072 of them are memref.global @more",
                "use fewer or smaller buffers, or fewer stages",
            ],
        )
    ]


def test_four_replicas_may_be_spelled_as_two_by_two():
    """The one right copy that the system of the specification rejects."""
    instruction = Instruction("32x128b", "warpx4")
    whole = TmemLayout.for_instruction(instruction)
    target = TmemLayout(whole.extents, whole.strides, ((2, 2), (64 @ LANE, 32 @ LANE)))
    source = SmemLayout.row_major((32, 4))
    text = text_of(instruction, source, SmemDescriptor(sdo=128), target)
    text = text.replace("(4) : (32@lane)", "(2, 2) : (64@lane, 32@lane)")
    assert "(2, 2)" in text
    assert errors(text) == []
