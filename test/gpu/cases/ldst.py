"""tcgen05.ld and tcgen05.st in every shape and count of registers, plain and packed.

A kernel has one shape, plain or packed; the launch chooses the count, and for shapes of 16 lanes
which half of the warp's lanes. It fills tensor memory with the pattern, loads registers from it
(`back`), stores others into it and reads all of it (`out`). Packed kernels read the low halves
only: what unpack leaves in the high halves PTX does not say.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from .case import Arrays, Case, Kernel
from .frame import BARRIER, CHOICES, SLOT, Frame
from .inputs import pattern

SHAPES = ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2")
LEAST = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}
"""Registers of .x1."""
MOST = 128
OFFSET = 256
"""Columns to the second access of 16x32bx2."""
COLUMN = 16
"""Where small accesses begin; the largest take all columns."""
LOW_HALVES = (
    "%low = arith.constant dense<65535> : {v}\n        %changed = arith.andi %words, %low : {v}"
)


def counts(shape: str) -> list[int]:
    """Registers of every form: powers of two times those of .x1."""
    return [LEAST[shape] << power for power in range(8) if LEAST[shape] << power <= MOST]


def place(shape: str, lane: int, register: int) -> tuple[int, int]:
    """(lane, column) of a thread's register, from PTX's figures (`tcgen05-matrix-fragments`)."""
    quad, pair = lane // 4, lane % 4
    if shape == "32x32b":
        return lane, register
    if shape == "16x64b":
        return quad + 8 * (lane % 2), 2 * register + lane // 2 % 2
    if shape == "16x128b":
        step, half = divmod(register, 2)
        return quad + 8 * half, 4 * step + pair
    if shape == "16x256b":
        step, part = divmod(register, 4)
        return quad + 8 * (part // 2), 8 * step + 2 * pair + part % 2
    return lane % 16, register


def _region(shape: str, count: int, packed: bool) -> str:
    """Loads to `%back`, stores from `%in`, at the address `%q`."""
    vector = f"vector<{count}xi32>" if count > 1 else "i32"
    distance = ", %distance" if shape == "16x32bx2" else ""
    pack, unpack = ("pack", "unpack") if packed else ("", "")
    kind = f"{{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}}"
    load, store = ("vector.load", "vector.store") if count > 1 else ("memref.load", "memref.store")
    registers = f"[%tid, %c0] : memref<128x{MOST}xi32>{f', {vector}' if count > 1 else ''}"
    return f"""%got = nvvm.tcgen05.ld %q{distance} {pack} {kind} : {vector}
          nvvm.tcgen05.wait <load>
          {store} %got, %back{registers}
          %put = {load} %in{registers}
          nvvm.tcgen05.st %q, %put{distance} {unpack} {kind} : {vector}
          nvvm.tcgen05.wait <store>
          scf.yield"""


def _kernel(shape: str, packed: bool) -> Kernel:
    frame = _frame(shape, packed)
    regions = [
        f"case {number} {{\n          {_region(shape, count, packed)}\n        }}"
        for number, count in enumerate(counts(shape))
    ]
    low = LOW_HALVES.replace("{v}", frame.vector) if packed else ""
    switch = "\n        ".join(["scf.index_switch %choice0", *regions, "default {", "}"])
    function = f"""  gpu.func @{frame.name}(%chunks: index, %in: memref<128x{MOST}xi32>,
      %pattern: memref<128x512xi32>, %choices: memref<{CHOICES}xi32>,
      %back: memref<128x{MOST}xi32>, %out: memref<1x128x512xi32>) {frame.attributes} {{
    {frame.constants}
    {frame.prepare}
    gpu.barrier
    {frame.address}
    {frame.fill_tensor}
    nvvm.tcgen05.fence <after>
    {frame.choices}
    %distance = arith.constant {OFFSET} : i64
    %half = arith.muli %chosen1, %lane_step : i32
    %from = arith.addi %mine, %half : i32
    %there = arith.addi %from, %chosen2 : i32
    %q = llvm.inttoptr %there : i32 to !llvm.ptr<6>
    {switch}
    {frame.read_tensor(low)}
    {frame.finish}
    gpu.return
  }}"""
    return Kernel(frame.name, function, (SLOT, BARRIER), paths=("nvvm",))


def _frame(shape: str, packed: bool) -> Frame:
    return Frame(f"ldst_{shape}{'_packed' if packed else ''}", columns=512)


def _cases() -> list[Case]:
    cases = []
    for shape, packed in product(SHAPES, (False, True)):
        kernel = _kernel(shape, packed)
        for number, count in enumerate(counts(shape)):
            name = f"ldst-{shape}-{count}{'-packed' if packed else ''}"
            half = 0 if shape == "32x32b" else 16 * (number % 2)
            make = _maker(shape, packed, number, half)
            cases.append(Case(name, f"ld, st {shape}", kernel, make))
    return cases


def _maker(shape: str, packed: bool, number: int, half: int):
    count = counts(shape)[number]
    scale = 2 if packed else 1
    width = scale * (1 + max(place(shape, lane, count - 1)[1] for lane in range(32)))
    column = COLUMN if width + COLUMN <= OFFSET else 0

    def make() -> tuple[Arrays, Arrays]:
        values = np.random.default_rng(count).integers(0, 2**32, (128, MOST), dtype=np.uint32)
        before, back = pattern(512), np.zeros((128, MOST), np.uint32)
        chosen = np.array([number, half, column, 0], np.int32)
        out, got = before.copy(), back.copy()
        for thread in range(128):
            for register in range(count):
                lane, first = place(shape, thread % 32, register)
                far = OFFSET if shape == "16x32bx2" and thread % 32 >= 16 else 0
                lane += thread // 32 * 32 + half
                at = column + scale * first + far
                value = int(values[thread, register])
                if packed:
                    got[thread, register] = before[lane, at] & 0xFFFF
                    got[thread, register] |= (before[lane, at + 1] & 0xFFFF) << 16
                    out[lane, at], out[lane, at + 1] = value & 0xFFFF, value >> 16
                else:
                    got[thread, register], out[lane, at] = before[lane, at], value
        if packed:
            out &= 0xFFFF
        chunks = 512 // _frame(shape, packed).width
        given = (chunks, values, before, chosen, back, np.zeros((1, 128, 512), np.uint32))
        return given, (chunks, values, before, chosen, got, out[None])

    return make


CASES = _cases()
