"""Warps that allocate side by side, and blocks that allocate again and again."""

from __future__ import annotations

import numpy as np
from tcgen05_mlir.model import Instruction

from .case import Arrays, Case, Kernel
from .copies import STAGES, Copy
from .frame import BARRIER, CHOICES, IMAGE, SLOT, WORDS, Frame
from .inputs import arguments, images, pattern

WARPS = 4
SLOTS = SLOT.replace("@taddr", "@taddr_of_warp").removesuffix("i32") + f"!llvm.array<{WARPS} x i32>"
ROUNDS = 3
BLOCKS = 396
"""Three for each multiprocessor of a large GPU."""


def _every_warp() -> Kernel:
    """Each warp allocates, issues the copy to what it got, and gives it back."""
    frame = Frame("every_warp", arrivals=WARPS)
    copy = Copy(Instruction("128x128b"), 2)
    each = f"""scf.for %part = %c0 to %c4 step %c1 {{
      %part_i64 = arith.index_cast %part : index to i64
      %slot_of_part = llvm.getelementptr %slots[%part_i64] {_ELEMENT}
      %base = llvm.load %slot_of_part : !llvm.ptr<3> -> i32
      %lanes = arith.muli %row_i32, %lane_step : i32
      %mine = arith.addi %base, %lanes : i32
      """
    function = f"""  gpu.func @{frame.name}(%units: index, %chunks: index,
      %A: memref<1x{WORDS}xi32>, %pattern: memref<128x32xi32>, %choices: memref<{CHOICES}xi32>,
      %out: memref<{WARPS}x128x32xi32>) {frame.attributes} {{
    {frame.constants}
    %warp_i64 = arith.index_cast %warp : index to i64
    %slots = llvm.mlir.addressof @taddr_of_warp : !llvm.ptr<3>
    %own = llvm.getelementptr %slots[%warp_i64] {_ELEMENT}
    {frame.initialize}
    nvvm.tcgen05.alloc %own, %columns : !llvm.ptr<3>, i32
    {frame.fill_shared}
    gpu.barrier
    {each}
      {frame.fill_tensor}
    }}
    %issuer = nvvm.elect.sync -> i1
    scf.if %issuer {{
      nvvm.tcgen05.fence <after>
      %stage = arith.remui %warp, %c3 : index
      %base = llvm.load %own : !llvm.ptr<3> -> i32
      {copy.text(0, "%stage")}
      {frame.commit}
    }}
    {frame.wait}
    {each}
      {frame.read_tensor().replace("%out[%block", "%out[%part").replace("<1x128x", "<4x128x")}
    }}
    %given = llvm.load %own : !llvm.ptr<3> -> i32
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.relinquish_alloc_permit
    %allocated = llvm.inttoptr %given : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %allocated, %columns : !llvm.ptr<6>, i32
    gpu.return
  }}"""
    return Kernel(frame.name, function, (IMAGE, SLOTS, SLOT, BARRIER))


_ELEMENT = ": (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32"


def _make_every_warp() -> tuple[Arrays, Arrays]:
    units, chunks, image, cells, chosen, _ = arguments(Frame("every_warp"), images(1))
    given = (units, chunks, image, cells, chosen, np.zeros((WARPS, 128, 32), np.uint32))
    out = np.stack([pattern(32)] * WARPS)
    for warp in range(WARPS):
        Copy(Instruction("128x128b"), 2).run(out[warp], image[0].view("u1"), warp % STAGES)
    return given, (*given[:-1], out)


def _again() -> Kernel:
    """Rounds of alloc, copy and dealloc; every round's columns come back."""
    frame = Frame("again", blocks=BLOCKS, columns=64)
    copy = Copy(Instruction("64x128b", "warpx2::02_13"), 1)
    out = f"memref<{BLOCKS}x128x64xi32>"
    rounds = f"memref<{BLOCKS * ROUNDS}x128x64xi32>"
    issue = frame.issue(copy.text(0, "%stage"), None).replace(frame.choices, "")
    finish = frame.finish.replace("nvvm.tcgen05.relinquish_alloc_permit", "//")
    function = f"""  gpu.func @{frame.name}(%units: index, %chunks: index,
      %A: memref<{BLOCKS}x{WORDS}xi32>, %pattern: memref<128x64xi32>,
      %choices: memref<{CHOICES}xi32>, %out: {rounds}) {frame.attributes} {{
    {frame.constants}
    {frame.leading}
    {frame.initialize}
    {frame.fill_shared}
    gpu.barrier
    {frame.choices}
    scf.for %round = %c0 to %choice0 step %c1 {{
      %round_i32 = arith.index_cast %round : index to i32
      %phase = arith.andi %round_i32, %one : i32
      %turn = arith.addi %round, %block : index
      %stage = arith.remui %turn, %c3 : index
      %row_of = arith.muli %block, %c3 : index
      %part = arith.addi %row_of, %round : index
      {frame.allocate}
      gpu.barrier
      {frame.address}
      {frame.fill_tensor}
      {issue}
      {frame.wait.replace("%mbar, %zero", "%mbar, %phase")}
      {frame.read_tensor().replace("%out[%block", "%out[%part").replace(out, rounds)}
      {finish}
    }}
    scf.if %is_warp0 {{
      nvvm.tcgen05.relinquish_alloc_permit
    }}
    gpu.return
  }}"""
    return Kernel(frame.name, function, (IMAGE, SLOT, BARRIER))


def _make_again(blocks: int) -> tuple[Arrays, Arrays]:
    """Blocks have one of three images, so that there are few results to make."""
    frame = Frame("again", blocks=BLOCKS, columns=64)
    image = np.tile(images(3), (BLOCKS // 3, 1))
    units, chunks, image, cells, chosen, out = arguments(frame, image, (ROUNDS,))
    out = np.zeros((BLOCKS * ROUNDS, 128, 64), np.uint32)
    given = (units, chunks, image, cells, chosen, out.copy())
    copy = Copy(Instruction("64x128b", "warpx2::02_13"), 1)
    made = {}
    for place in range(blocks * ROUNDS):
        block, turn = divmod(place, ROUNDS)
        key = block % 3, (turn + block) % STAGES
        if key not in made:
            made[key] = cells.copy()
            copy.run(made[key], image[block].view("u1"), key[1])
        out[place] = made[key]
    return given, (*given[:-1], out)


def _cases_again() -> list[Case]:
    kernel = _again()
    return [
        Case(
            f"again-{blocks}",
            "allocations in a loop",
            kernel,
            lambda blocks=blocks: _make_again(blocks),
            grid=blocks,
            large=blocks > 100,
        )
        for blocks in (3, BLOCKS)
    ]


CASES = [
    Case("every-warp", "several allocations", _every_warp(), _make_every_warp),
    *_cases_again(),
]
