"""Whole kernels around copies, and what becomes of them with any options of the lowering."""

from __future__ import annotations

import re

import tcgen05_mlir
from mlir import ir
from mlir.dialects import gpu
from sources import WORKGROUP
from tcgen05_mlir import cuda_tools
from tcgen05_mlir.passes import tcgen05_to_ptx

CHIP = "sm_100a"
_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(.*)$", re.MULTILINE)
_PADDING = re.compile(r"NOP|BRA `\(\.L_x_\d+\)")


def issued_by_one_thread(copies: str, views: str = "", buffer: str = "") -> str:
    """A kernel that allocates tensor memory and runs `copies` under elect.sync.

    They may use `%taddr`, an i32, and the arguments `%stage`, an index, `%p`, an i1. `buffer` is
    placed in the gpu.module, `views` before the branch that a warp takes.
    """
    return f"""
      gpu.module @m {{
        {buffer}
        llvm.mlir.global internal @slot() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
        gpu.func @k(%stage: index, %p: i1) kernel
            attributes {{nvvm.reqntid = array<i32: 128, 1, 1>}} {{
          %c32 = arith.constant 32 : index
          %columns = arith.constant 512 : i32
          %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
          %tid = gpu.thread_id x
          %is_warp0 = arith.cmpi ult, %tid, %c32 : index
          scf.if %is_warp0 {{
            nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
          }}
          gpu.barrier
          %taddr = llvm.load %slot : !llvm.ptr<3> -> i32
          {views}
          scf.if %is_warp0 {{
            %one = nvvm.elect.sync -> i1
            scf.if %one {{
              {copies}
            }}
          }}
          gpu.return
        }}
      }}"""


def scale_factor_ring(count: int) -> str:
    """A buffer of three stages of `count` scale-factor tiles, `%ring` in the kernel."""
    kind = ring_type(count)
    return f'memref.global "private" @ring : {kind} {{alignment = 16}}'


def ring_type(count: int) -> str:
    return f"memref<3x{count}x32x4xi32, {WORKGROUP}>"


def to_ptx(text: str, path: str = "nvvm", descriptor_add: str = "add64", opt_level: int = 3) -> str:
    """The PTX of the one gpu.module."""
    options = tcgen05_to_ptx.ToPtxOptions(chip=CHIP, path=path, opt_level=str(opt_level))
    front = tcgen05_to_ptx.front(options)
    bare = f"{{path={path}}}"
    assert bare in front
    front = front.replace(bare, f"{{path={path} descriptor-add={descriptor_add}}}")
    pipeline = ",".join([front, tcgen05_to_ptx.lower(), tcgen05_to_ptx.emit()])
    with ir.Context():
        compiled = tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline)
        (binary,) = compiled.body.operations
        return gpu.ObjectAttr(binary.attributes["objects"][0]).object.decode()


def to_sass(text: str, **options) -> str:
    """The SASS of the one gpu.module."""
    ptx = to_ptx(text, **options)
    cubin = cuda_tools.assemble(ptx, CHIP, options.get("opt_level", 3))
    return cuda_tools.disassemble(cubin)


def instructions(sass: str) -> list[str]:
    """All instructions but for padding and jumps between blocks."""
    return [text for text in _INSTRUCTION.findall(sass) if not _PADDING.match(text)]


def utccp(sass: str) -> list[str]:
    """The mnemonic of every copy, in order."""
    found = (re.match(r"(?:@!?U?P\d+ )?(UTCCP\S+)", text) for text in instructions(sass))
    return [match[1] for match in found if match]
