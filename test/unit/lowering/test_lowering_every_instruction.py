"""Case A08: every legal copy goes through every pass, and PTX has the instruction asked for."""

from __future__ import annotations

import itertools

import pytest
import tcgen05_mlir
from mlir import ir
from mlir.dialects import gpu
from sources import WORKGROUP, atom_modes, copy, descriptor_for, memref, tile_words
from tcgen05_mlir.model import Instruction, SmemLayout, TmemLayout, legal_instructions
from tcgen05_mlir.passes import tcgen05_to_ptx

SWIZZLES = range(4)
CASES = list(itertools.product(legal_instructions(), SWIZZLES))


def lines(instruction: Instruction, swizzle: int, number: int) -> str:
    """One copy from the buffer `%tiles` to the address `%taddr`."""
    source = memref(SmemLayout(*atom_modes(instruction, swizzle), swizzle=swizzle))
    target = memref(TmemLayout.for_instruction(instruction))
    words = tile_words(instruction, swizzle)
    buffer = f"memref<{words}xi32, {WORKGROUP}>"
    return "\n".join(
        [
            f"%b{number} = memref.view %tiles[%c0][] : memref<32768xi8, {WORKGROUP}> to {buffer}",
            f"%s{number} = tcgen05.view %b{number} alignment(1024) : {buffer} to {source}",
            f"%t{number} = tcgen05.view %taddr : i32 to {target}",
            copy(
                instruction,
                descriptor_for(instruction, swizzle),
                (f"%t{number}", f"%s{number}"),
                (target, source),
            ),
        ]
    )


def kernel(cta_group: int) -> str:
    """A module with every copy of a group, in the order of `CASES`."""
    wanted = [case for case in CASES if case[0].cta_group == cta_group]
    body = "\n".join(lines(*case, number) for number, case in enumerate(wanted))
    return f"""
      gpu.module @m {{
        memref.global "private" @tiles : memref<32768xi8, {WORKGROUP}> {{alignment = 1024}}
        gpu.func @k(%taddr: i32) kernel {{
          %c0 = arith.constant 0 : index
          %tiles = memref.get_global @tiles : memref<32768xi8, {WORKGROUP}>
          {body}
          gpu.return
        }}
      }}"""


@pytest.mark.parametrize("descriptor_add", ["add64", "split"])
@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("cta_group", [1, 2])
def test_a08_every_legal_copy_through_every_pass(cta_group, path, descriptor_add):
    options = tcgen05_to_ptx.ToPtxOptions(chip="sm_100a", path=path)
    front = tcgen05_to_ptx.front(options).replace(
        f"{{path={path}}}", f"{{path={path} descriptor-add={descriptor_add}}}"
    )
    pipeline = ",".join([front, tcgen05_to_ptx.lower(), tcgen05_to_ptx.emit()])
    with ir.Context():
        module = ir.Module.parse(kernel(cta_group))
        # The verifier runs after each pass, ours and upstream's.
        compiled = tcgen05_mlir.run_pipeline(module, pipeline, verify=True)
        (binary,) = compiled.body.operations
        ptx = gpu.ObjectAttr(binary.attributes["objects"][0]).object.decode()
    found = [line.split() for line in ptx.splitlines() if "tcgen05.cp" in line]
    wanted = [case[0].ptx for case in CASES if case[0].cta_group == cta_group]
    assert [mnemonic for mnemonic, *_ in found] == wanted
    assert len(wanted) == 72
    # Registers, never literals.
    assert {(address[:3], descriptor[:3]) for _, address, descriptor in found} == {("[%r", "%rd")}
