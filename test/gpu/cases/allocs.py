"""Several allocations, given back in another order, and one made again."""

from __future__ import annotations

import numpy as np
from tcgen05_mlir.model import Instruction

from .case import Arrays, Case, Kernel
from .copies import Copy
from .frame import BARRIER, CHOICES, IMAGE, SLOT, WORDS, Frame
from .inputs import arguments, images, pattern

COUNTS = (128, 64, 32)
"""Columns, in the order of the allocs: none may ask for more than the one before."""
SLOTS = SLOT.replace("@taddr", "@taddrs").removesuffix("i32") + "!llvm.array<3 x i32>"
ROUNDS = (0, 1, 2, 1)
"""Which allocation each round fills, copies to and reads; the last one is made again before."""


def _alloc(number: int, columns: int) -> str:
    return f"""scf.if %is_warp0 {{
      nvvm.tcgen05.alloc %slot{number}, %n{columns} : !llvm.ptr<3>, i32
    }}"""


def _dealloc(number: int, columns: int) -> str:
    return f"""scf.if %is_warp0 {{
      %allocated = llvm.inttoptr %taken{number} : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %allocated, %n{columns} : !llvm.ptr<6>, i32
    }}"""


def _slots() -> str:
    lines = ["%slots = llvm.mlir.addressof @taddrs : !llvm.ptr<3>"]
    for number, columns in enumerate(COUNTS):
        lines += [
            f"%slot{number} = llvm.getelementptr %slots[{number}] "
            ": (!llvm.ptr<3>) -> !llvm.ptr<3>, i32",
            f"%n{columns} = arith.constant {columns} : i32",
        ]
    return "\n    ".join(lines)


def _round(frame: Frame, number: int, slot: int) -> str:
    """Fill, copy, read: the first 32 columns of one allocation, to part `number` of `%out`."""
    copy = Copy(Instruction("128x128b"), slot).text(number)
    text = f"""%base = llvm.load %slot{slot} : !llvm.ptr<3> -> i32
      %lanes = arith.muli %row_i32, %lane_step : i32
      %mine = arith.addi %base, %lanes : i32
      %phase = arith.constant {number % 2} : i32
      %part = arith.constant {number} : index
      {frame.fill_tensor}
      scf.if %is_warp0 {{
        %issuer = nvvm.elect.sync -> i1
        scf.if %issuer {{
          {frame.choices}
          nvvm.tcgen05.fence <after>
          {copy}
          {frame.commit}
        }}
      }}
      {frame.wait.replace("%mbar, %zero", "%mbar, %phase")}
      {frame.read_tensor().replace("%out[%block", "%out[%part")}
      nvvm.tcgen05.fence <before>
      gpu.barrier"""
    return f"scf.if %true {{\n      {text}\n    }}".replace("memref<1x128x", "memref<4x128x")


def _kernel() -> Kernel:
    frame = Frame("allocs")
    allocate = frame.prepare.replace(
        f"nvvm.tcgen05.alloc %slot, %columns {frame.attribute} : !llvm.ptr<3>, i32",
        "\n      ".join(
            f"nvvm.tcgen05.alloc %slot{number}, %n{columns} : !llvm.ptr<3>, i32"
            for number, columns in enumerate(COUNTS)
        ),
    )
    taken = "%taken{0} = llvm.load %slot{0} : !llvm.ptr<3> -> i32"
    rounds = [_round(frame, number, slot) for number, slot in enumerate(ROUNDS)]
    function = f"""  gpu.func @{frame.name}(%units: index, %chunks: index,
      %A: memref<1x{WORDS}xi32>, %pattern: memref<128x32xi32>, %choices: memref<{CHOICES}xi32>,
      %out: memref<4x128x32xi32>) {frame.attributes} {{
    {frame.constants}
    {_slots()}
    {allocate}
    {frame.fill_shared}
    gpu.barrier
    {rounds[0]}
    {rounds[1]}
    {rounds[2]}
    {taken.format(0)}
    {taken.format(1)}
    {taken.format(2)}
    gpu.barrier
    {_dealloc(1, 64)}
    {_dealloc(2, 32)}
    {_alloc(1, 32)}
    gpu.barrier
    {rounds[3]}
    %again = llvm.load %slot1 : !llvm.ptr<3> -> i32
    scf.if %is_warp0 {{
      nvvm.tcgen05.relinquish_alloc_permit
      %last = llvm.inttoptr %again : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %last, %n32 : !llvm.ptr<6>, i32
    }}
    {_dealloc(0, 128)}
    gpu.return
  }}"""
    return Kernel(
        frame.name,
        function,
        (
            IMAGE,
            SLOTS,
            SLOT,
            BARRIER,
        ),
    )


def _make() -> tuple[Arrays, Arrays]:
    frame = Frame("allocs")
    units, chunks, image, cells, chosen, _ = arguments(frame, images(1), (1,))
    given = (units, chunks, image, cells, chosen, np.zeros((4, 128, 32), np.uint32))
    out = np.stack([pattern(32)] * 4)
    for part, slot in enumerate(ROUNDS):
        Copy(Instruction("128x128b"), slot).run(out[part], image[0].view("u1"), 1)
    return given, (*given[:-1], out)


CASES = [Case("allocs", "several allocations", _kernel(), _make)]
