"""Sources at the first and at the last byte that a block has: F10 must not fire.

The block's shared memory is the image and nothing else: the frame's own variables lie in it.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
from tcgen05_mlir.model import Instruction

from .case import Case
from .descriptors import bits, kernel_of
from .expectation import maker
from .frame import WORDS, Frame
from .loops import Bytes, Issue, Words

SIZE = 4 * WORDS
INSIDE = SIZE // 2
"""Byte of the frame's variables: between the sources."""
SOURCES = (
    ("128x256b", None, 3, 128 * 128),
    ("32x128b", "warpx4", 0, 32 * 16),
    ("4x256b", None, 2, 4 * 64),
)
"""Shape, multicast, swizzle, and the bytes from the first that is read to the end of the last."""


def _issue(shape: str, multicast: str | None, swizzle: int, size: int, at_end: bool) -> Issue:
    """One swizzle row for each row; 256-bit rows are swizzled, so that `ldo` is not read."""
    start = SIZE - size if at_end else 0
    sdo = 8 * (16 << swizzle)
    return Issue(shape, multicast, start, 0, sdo, swizzle, column=8)


def _cases() -> list[Case]:
    cases = []
    for memory, (shape, multicast, swizzle, size) in product(("static", "dynamic"), SOURCES):
        dynamic = 0 if memory == "dynamic" else None
        name = f"edge_{memory}_{shape}_s{swizzle}"
        frame = Frame(name, dynamic=dynamic, inside=INSIDE)
        kernel = kernel_of(frame, Instruction(shape, multicast))
        for where in ("start", "end"):
            issue = _issue(shape, multicast, swizzle, size, where == "end")
            low, high = np.array([bits(issue)], np.uint64).view(np.int32)
            choices = (int(low), int(high), issue.column, issue.start)
            make = maker(frame, partial(_run, issue), choices)
            shared = SIZE if memory == "dynamic" else 0
            case = f"{name.replace('_', '-')}-{where}"
            cases.append(Case(case, "edges of shared memory", kernel, make, shared=shared))
    return cases


def _run(issue: Issue, tensor: Words, shared: Bytes, block: int) -> None:
    issue.run(tensor, shared)


CASES = _cases()
