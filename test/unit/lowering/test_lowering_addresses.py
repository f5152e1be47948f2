"""What each instruction is given, in numbers, against the model's layouts."""

from __future__ import annotations

import tcgen05_mlir
from hypothesis import example, given
from hypothesis import strategies as st
from lowered_values import Issued, Machine
from mlir import ir
from random_copies import BUFFER_BYTES, Index, RandomCopy, random_copies
from tcgen05_mlir.model import COL, LANE, Instruction, SmemDescriptor, SmemLayout, TmemLayout

SHARED_BYTES = 232448
ADDRESS_BITS = 18

reversed_copy = RandomCopy(
    # The buffer's first byte plus a negative step: below address 0 until the offset is added.
    Instruction("32x128b", "warpx4"),
    0,
    SmemLayout((3, 2, (4, 8), 4), (-512, -128, (32, 4), 1), offset=1152),
    TmemLayout.for_instruction(Instruction("32x128b", "warpx4"), 2),
    (Index(2, dynamic=True),),
    (),
    "global",
    0,
)
three_sub_modes = RandomCopy(
    # Index 7 of (2, 3, 2) is (1, 0, 1).
    Instruction("4x256b"),
    1,
    SmemLayout(((2, 3, 2), 4, 8), ((1024, 128, 32), 8, 1), swizzle=1),
    TmemLayout(((2, 3, 2), 4, 8), ((16 @ COL, 1 @ LANE, 8 @ COL), 32 @ LANE, 1 @ COL)),
    (Index(7, dynamic=True),),
    (Index(7, dynamic=True),),
    "global",
    0,
)
last_lane = RandomCopy(
    Instruction("4x256b"),
    0,
    SmemLayout((4, (2, 4)), (4, (32, 1))),
    TmemLayout((4, 8), (32 @ LANE, 1 @ COL), offset=(31, 504)),
    (),
    (),
    "pointer",
    0,
)


def issued(
    copied: RandomCopy, path: str, descriptor_add: str, shared: int, taddr: int
) -> list[Issued]:
    with ir.Context():
        module = tcgen05_mlir.run_pipeline(
            ir.Module.parse(copied.text(shared)),
            f"convert-tcgen05-to-nvvm{{path={path} descriptor-add={descriptor_add}}}",
        )
        machine = Machine({"tiles": shared}, dynamic_memory=shared)
        values = [value for _, _, value in copied.arguments]
        return machine.run(module.body.operations[1], taddr, *values)


@given(
    random_copies(),
    st.sampled_from(["nvvm", "inline-asm"]),
    st.sampled_from(["add64", "split"]),
    # A CTA's shared memory starts at any multiple of the alignment, and in a cluster the CTA's
    # rank lies in bits 24 and up.
    st.integers(0, (SHARED_BYTES - BUFFER_BYTES) // 1024).map(lambda count: count * 1024),
    st.integers(0, 15).map(lambda rank: rank << 24),
    st.integers(0, 7).map(lambda count: count * 32),
)
@example(reversed_copy, "nvvm", "add64", 0, 0, 0)
@example(reversed_copy, "nvvm", "split", 0, 3 << 24, 0)
@example(three_sub_modes, "nvvm", "add64", 0, 0, 0)
@example(last_lane, "inline-asm", "add64", SHARED_BYTES - BUFFER_BYTES - 512, 0, 0)
def test_start_addresses_and_tensor_addresses_are_the_layouts(
    copied, path, descriptor_add, base, rank, taddr
):
    shared = base + rank
    found = issued(copied, path, descriptor_add, shared, taddr)
    assert [one.address for one in found] == copied.addresses(taddr)
    # `decode` refuses any bit outside of the fields.
    fields = [SmemDescriptor.decode(one.descriptor) for one in found]
    assert [one.start for one in fields] == [
        start % (1 << ADDRESS_BITS) for start in copied.starts(shared)
    ]
    wanted = copied.descriptor.canonical(copied.instruction)
    assert {(one.ldo, one.sdo, one.swizzle) for one in fields} == {
        (wanted.ldo, wanted.sdo, wanted.swizzle)
    }
    mnemonic = copied.instruction.ptx if path == "inline-asm" else None
    assert [one.mnemonic for one in found] == [mnemonic] * len(copied.repeats)
