"""What the proof finds is what is lowered: starts, descriptors, and the whole way to PTX."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
import tcgen05_mlir
from footprint_text import LOWER, VERIFY, WORKGROUP, errors_and_notes
from lowered_values import Machine
from mlir import ir
from tcgen05_mlir.model import SmemDescriptor

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
DESCRIPTOR = r"descriptor\(<[^>]*>\)"


def chunk(name: str) -> str:
    """The piece of the lit file that has this function."""
    text = (ROOT / "test/lit/footprint/verify.mlir").read_text()
    (found,) = (piece for piece in text.split("// -----") if f"@{name}(" in piece)
    return found


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_sources_through_views_start_where_their_operations_say(path):
    """The function of the lit file, with stage 1; the ring is 64 KiB at 0, the bytes follow."""
    with ir.Context():
        module = ir.Module.parse(chunk("sources"))
        lowered = tcgen05_mlir.run_pipeline(module, f"{LOWER}{{path={path}}}")
        found = Machine({"ring": 0, "bytes": 65536}).run(lowered.body.operations[2], 1)
    fields = [SmemDescriptor.decode(one.descriptor) for one in found]
    assert [(one.start, one.swizzle) for one in fields] == [
        (16384 + 16, 3),
        (65536 + 16384 + 2 * 16384 + 16, 3),
        (2048, 0),
        (4096, 0),
        (4096, 0),
        (16384 + 16, 3),
    ]
    assert [one.address for one in found] == [0, 0, 0, 4, 0, 0]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_without_descriptors_compiles_to_the_same(example):
    text = example.read_text()
    bare, count = re.subn(DESCRIPTOR, "", text)
    assert count > 0
    compiled = [tcgen05_mlir.compile(source, "sm_100a") for source in (text, bare)]
    assert compiled[0] == compiled[1]


def test_a_wrong_copy_does_not_reach_ptx():
    text = (ROOT / "examples/copy_readback.mlir").read_text().replace("sdo = 128", "sdo = 256")
    found = errors_and_notes(text, "tcgen05-to-ptx{chip=sm_100a}")
    assert found == errors_and_notes(text, LOWER)
    assert found == errors_and_notes(text, VERIFY)
    assert found[0] == (
        "'tcgen05.cp' op 'descriptor' must read row 8, word 0 at byte 128 of the root buffer, "
        "where 'src' has it, got byte 256 [F8]",
        ["the root of 'src' is memref.global @tile", "the layout has sdo = 128"],
    )


def dynamic_tile(statement: str, clause: str) -> str:
    """A kernel that copies a swizzled tile out of dynamic shared memory."""
    kind = f"memref<?xi8, {WORKGROUP}>"
    source = f"memref<128x8xi32, #src, {WORKGROUP}>"
    return f"""
      #src = #tcgen05.smem_layout<(128, 8) : (32, 1), swizzle = 3>
      #dst = #tcgen05.tmem_layout<(128, 8) : (1@lane, 1@col)>
      gpu.module @m {{
        gpu.func @k(%a: i32) kernel {{
          %b = gpu.dynamic_shared_memory : {kind}
          {statement}
          %s = tcgen05.view %d {clause} : {kind} to {source}
          %t = tcgen05.view %a : i32 to memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>
          tcgen05.cp <shape_128x256b> %t, %s
              : memref<128x8xi32, #dst, #nvvm.memory_space<tensor>>, {source}
          gpu.return
        }}
      }}"""


@pytest.mark.parametrize(
    ("statement", "clause"),
    [
        (f"%d = memref.assume_alignment %b, 1024 : memref<?xi8, {WORKGROUP}>", ""),
        (f"%d = memref.cast %b : memref<?xi8, {WORKGROUP}> to memref<?xi8, {WORKGROUP}>",
         "alignment(1024)"),
    ],
    ids=["assume_alignment", "alignment"],
)  # fmt: skip
def test_a_stated_alignment_of_dynamic_memory_is_one_that_it_gets(statement, clause):
    ptx = tcgen05_mlir.compile(dynamic_tile(statement, clause), "sm_100a")
    assert ".extern .shared .align 1024 .b8 __dynamic_shmem__0[];" in ptx


def test_nothing_is_changed_where_one_copy_is_wrong():
    """`errors_and_notes` compares the module before and after."""
    text = (ROOT / "test/lit/footprint/verify-invalid.mlir").read_text().split("// -----")[-1]
    for pipeline in (VERIFY, LOWER):
        assert len(errors_and_notes(text, pipeline)) == 5


def test_proofs_are_remembered_across_copies_passes_and_contexts():
    proofs = importlib.import_module("tcgen05_mlir.model.footprint.prove")._prove
    text = chunk("known")
    with ir.Context():
        tcgen05_mlir.run_pipeline(ir.Module.parse(text), VERIFY)
    before = proofs.cache_info().misses
    for pipeline in (VERIFY, LOWER):
        with ir.Context():
            tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline)
    assert proofs.cache_info().misses == before
