"""What an emulated copy leaves in tensor memory, against the model's reference."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray
from tcgen05_mlir.model import Instruction, SmemDescriptor, execute_cp
from tcgen05_mlir.model.instruction import legal_instructions
from tcgen05_mlir.runtime.tensor_memory import POISON
from tensor_kernels import INPUT, fill, result

COLUMNS = 64
THREADS = 128
START = 1024
"""Where the buffer in shared memory lies for the reference: its alignment is what counts."""

_HEAD = """
    %warp = arith.divui %t, %c32 : i32
    %is_first = arith.cmpi eq, %warp, %c0 : i32
    scf.if %is_first {{ nvvm.tcgen05.alloc %slot, %c64 : !llvm.ptr<3>, i32 }}
    {fill}
    gpu.barrier
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    scf.if %is_first {{
      {issue}
    }}
    gpu.barrier
    %lanes = arith.constant 2097152 : i32
    %row = arith.muli %warp, %lanes : i32
    %mine = arith.addi %base, %row : i32
    %back = llvm.inttoptr %mine : i32 to !llvm.ptr<6>
    %got = nvvm.tcgen05.ld %back {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<64xi32>
    nvvm.tcgen05.wait <load>
    %width = arith.constant 64 : index
    %at = arith.muli %thread, %width : index
    vector.store %got, %out[%at] : memref<8192xi32>, vector<64xi32>
"""


def _cells(issue: str, fields: int) -> NDArray[np.uint32]:
    """The cells, lanes by 64 columns, after `issue` ran in warp 0; %desc is a descriptor."""
    body = _HEAD.format(fill=fill(fields), issue=issue)
    found = result(body, threads=THREADS, outputs=THREADS * COLUMNS)
    return found.view(np.uint32).reshape(THREADS, COLUMNS)


def _reference(
    instruction: Instruction, issued: Iterable[tuple[int, SmemDescriptor]]
) -> NDArray[np.uint32]:
    tmem = np.full((128, 512), POISON, np.uint32)
    smem = np.concatenate([np.zeros(START, np.uint8), INPUT.view(np.uint8)])
    for taddr, descriptor in issued:
        execute_cp(tmem, smem, taddr, descriptor, instruction)
    return tmem[:, :COLUMNS]


def _operation(instruction: Instruction, taddr: str, descriptor: str) -> str:
    parts = instruction.nvvm
    source = f", srcFormat = #nvvm.tcgen05_cp_src_fmt<{parts.src_format}>"
    multicast = f"#nvvm.tcgen05_cp_multicast<{parts.multicast}>"
    return f"""%taddr = llvm.inttoptr {taddr} : i32 to !llvm.ptr<6>
      nvvm.tcgen05.cp %taddr, {descriptor} {{shape = #nvvm.tcgen05_cp_shape<{parts.shape}>,
        multicast = {multicast}{source if parts.src_format else ""}}}"""


ONE_BLOCK = [one for one in legal_instructions() if one.cta_group == 1]


def _descriptor(instruction: Instruction, swizzle: int) -> SmemDescriptor:
    """Rows as they lie densely; a 256-bit row of another column of core matrices."""
    rows = 16 << swizzle
    sdo = 16 * rows if instruction.words == 8 and not swizzle else 8 * rows
    return SmemDescriptor(START, ldo=128, sdo=sdo, swizzle=swizzle)


@pytest.mark.parametrize("number", range(len(ONE_BLOCK)), ids=[str(one) for one in ONE_BLOCK])
def test_every_instruction(number: int) -> None:
    instruction, swizzle = ONE_BLOCK[number], (number + number // 4) % 4
    descriptor = _descriptor(instruction, swizzle)
    issue = f"""%twelve = arith.constant 12 : i32
      %to = arith.addi %base, %twelve : i32
      %one = nvvm.elect.sync -> i1
      scf.if %one {{ {_operation(instruction, "%to", "%desc")} }}"""
    fields = descriptor.encode() - START // 16
    wanted = _reference(instruction, [(12, descriptor)])
    np.testing.assert_array_equal(_cells(issue, fields), wanted)


WARPX4 = Instruction("32x128b", "warpx4")


@pytest.mark.parametrize("lanes", [1, 3, 32])
def test_lanes_that_issue_together_do_so_one_after_the_other(lanes: int) -> None:
    """Lane i copies from byte 16*i on to columns 4*(i%4); later lanes overwrite earlier."""
    issue = f"""%count = arith.constant {lanes} : i32
      %here = arith.cmpi ult, %t, %count : i32
      scf.if %here {{
        %c4 = arith.constant 4 : i32
        %turn = arith.remui %t, %c4 : i32
        %step = arith.muli %turn, %c4 : i32
        %to = arith.addi %base, %step : i32
        %t64 = arith.extui %t : i32 to i64
        %d = arith.addi %desc, %t64 : i64
        {_operation(WARPX4, "%to", "%d")}
      }}"""
    issued = [(4 * (i % 4), SmemDescriptor(START + 16 * i, sdo=128)) for i in range(lanes)]
    fields = SmemDescriptor(sdo=128).encode()
    np.testing.assert_array_equal(_cells(issue, fields), _reference(WARPX4, issued))


@pytest.mark.parametrize("issuers", [0, 1, 0b1010, 0x80000001])
def test_a_predicate_in_assembly(issuers: int) -> None:
    """The whole warp runs the assembly; lanes whose bit is set issue, lane i to column 4*(i%8)."""
    signed = issuers - (issuers >> 31 << 32)
    issue = f"""%bits = arith.constant {signed} : i32
      %mine_bit = arith.shrui %bits, %t : i32
      %p = arith.trunci %mine_bit : i32 to i1
      %c8 = arith.constant 8 : i32
      %c4 = arith.constant 4 : i32
      %turn = arith.remui %t, %c8 : i32
      %step = arith.muli %turn, %c4 : i32
      %to = arith.addi %base, %step : i32
      llvm.inline_asm has_side_effects "@$2 {WARPX4.ptx} [$0], $1;", "r,l,b,~{{memory}}"
        %to, %desc, %p : (i32, i64, i1) -> ()"""
    descriptor = SmemDescriptor(START, sdo=128)
    issued = [(4 * (i % 8), descriptor) for i in range(32) if issuers >> i & 1]
    fields = SmemDescriptor(sdo=128).encode()
    np.testing.assert_array_equal(_cells(issue, fields), _reference(WARPX4, issued))
