"""nvvm.tcgen05.cp as any producer writes it: the descriptor's bits come with the launch."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
from tcgen05_mlir.model import Instruction

from .case import Case, Kernel
from .expectation import maker
from .frame import BUFFER, Frame
from .loops import FORMS, SWIZZLES, Bytes, Issue, Words, short

FIELD = {0: 0, 1: 6, 2: 4, 3: 2}
"""Bits 61-63 by swizzle."""
DRAWS = 2
OPERANDS = f"""%to = arith.addi %base, %chosen2 : i32
        %target = llvm.inttoptr %to : i32 to !llvm.ptr<6>
        %place = memref.extract_aligned_pointer_as_index %image
          : {BUFFER} -> index
        %shared = arith.index_cast %place : index to i32
        %start = arith.addi %shared, %chosen3 : i32
        %four = arith.constant 4 : i32
        %mask = arith.constant 16383 : i32
        %rows = arith.shrui %start, %four : i32
        %field = arith.andi %rows, %mask : i32
        %low_word = arith.ori %field, %chosen0 : i32
        %low = arith.extui %low_word : i32 to i64
        %high_word = arith.extui %chosen1 : i32 to i64
        %word = arith.constant 32 : i64
        %high = arith.shli %high_word, %word : i64
        %descriptor = arith.ori %low, %high : i64"""
"""Defines `%target` and `%descriptor` of the launch's choices."""


def bits(issue: Issue) -> int:
    """The descriptor without its start address."""
    fields = issue.ldo >> 4 << 16 | issue.sdo >> 4 << 32 | FIELD[issue.swizzle] << 61
    return fields | 1 << 46  # Bits 46-48 are fixed, 0b001.


def kernel_of(frame: Frame, instruction: Instruction) -> Kernel:
    """Choices of a launch: the descriptor's low and high word, the target, the start in bytes."""
    nvvm = instruction.nvvm
    kind = f"shape = #nvvm.tcgen05_cp_shape<{nvvm.shape}>, group = #nvvm.cta_group<cta_1>"
    if instruction.multicast:
        kind += f", multicast = #nvvm.tcgen05_cp_multicast<{nvvm.multicast}>"
    return frame.around(
        f"""{OPERANDS}
        nvvm.tcgen05.cp %target, %descriptor {{{kind}}}""",
        paths=("nvvm",),
    )


def _issue(shape: str, multicast: str | None, swizzle: int, draw: int) -> Issue:
    """Legal fields drawn at random; what the form does not read is drawn too."""
    rng = np.random.default_rng([len(shape), swizzle, draw, len(multicast or "")])
    wide = shape.endswith("256b")
    pitch = 16 << swizzle
    unit = pitch if wide and swizzle else 16
    start = int(rng.integers(0, 512)) * unit % 8192
    sdo = unit * int(rng.integers(8 * pitch // unit, 120 * 16 // unit + 8 * pitch // unit))
    sdo = min(sdo, 2048 // unit * unit)
    ldo = 16 * int(rng.integers(0, 500))
    column, lane = 4 * int(rng.integers(0, 6)), int(rng.integers(0, 32)) if shape[0] == "4" else 0
    return Issue(shape, multicast, start, ldo, sdo, swizzle, lane, column)


def _cases() -> list[Case]:
    cases = []
    for shape, multicast in FORMS:
        form = short(shape, multicast)
        frame = Frame(f"descriptor_{form}")
        kernel = kernel_of(frame, Instruction(shape, multicast))
        for swizzle, draw in product(SWIZZLES, range(DRAWS)):
            issue = _issue(shape, multicast, swizzle, draw)
            low, high = np.array([bits(issue)], np.uint64).view(np.int32)
            choices = (low, high, issue.lane << 16 | issue.column, issue.start)
            make = maker(frame, partial(_run, issue), choices)
            name = f"descriptor-{form}-s{swizzle}-{draw}"
            cases.append(Case(name, "descriptors at run time", kernel, make))
    return cases


def _run(issue: Issue, tensor: Words, shared: Bytes, block: int) -> None:
    issue.run(tensor, shared)


CASES = _cases()
