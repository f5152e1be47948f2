"""All 512 columns read back, grids of many blocks, dynamic shared memory, several copies."""

from __future__ import annotations

from functools import partial
from itertools import product

from tcgen05_mlir.model import Instruction

from .case import Case
from .copies import Copy
from .expectation import maker
from .frame import WORDS, Frame
from .loops import FORMS, GROUPS, Bytes, Words, short

BLOCKS = 132
"""As many as the multiprocessors of a large GPU: they run side by side."""
DYNAMIC = 20480
"""Bytes of dynamic shared memory before the image: together more than the 48 KiB of a launch
without a special attribute."""


def _whole() -> list[Case]:
    """At the last columns, with every cell of tensor memory read back."""
    cases = []
    for (shape, multicast), group in product(FORMS, GROUPS):
        form = short(shape, multicast)
        frame = Frame(f"whole_{form}_g{group}", group, columns=512, blocks=group)
        copy = Copy(Instruction(shape, multicast, group), 1, column=492)
        kernel = frame.around(copy.text(0))
        make = maker(frame, partial(_each, [copy], (1,) * group), (1,))
        cases.append(Case(f"whole-{form}-g{group}", "all 512 columns", kernel, make))
    return cases


def _grids() -> list[Case]:
    """Every block has its own image and, by its number, its own stage."""
    cases = []
    for group in GROUPS:
        frame = Frame(f"grid_g{group}", group, blocks=BLOCKS)
        copy = Copy(Instruction("32x128b", "warpx4", group), 2)
        # Both blocks of a pair copy from the stage that the leader chooses.
        text = f"""%pair = arith.divui %block, %c2 : index
        %stage = arith.remui %pair, %c3 : index
        {copy.text(0, "%stage")}"""
        stages = [block // 2 % 3 for block in range(BLOCKS)]
        make = maker(frame, partial(_each, [copy], stages))
        kernel = frame.around(text)
        cases.append(Case(f"grid-g{group}", f"grid of {BLOCKS}", kernel, make, grid=BLOCKS))
    return cases


def _dynamic() -> list[Case]:
    cases = []
    for group in GROUPS:
        frame = Frame(f"dynamic_g{group}", group, blocks=group, dynamic=DYNAMIC)
        copy = Copy(Instruction("128x128b", None, group), 3)
        make = maker(frame, partial(_each, [copy], (2,) * group), (2,))
        shared = DYNAMIC + 4 * WORDS
        kernel = frame.around(copy.text(0))
        name = f"dynamic-shared-g{group}"
        cases.append(Case(name, "dynamic shared memory", kernel, make, shared=shared))
    return cases


def _several() -> list[Case]:
    """Three forms, one after the other in one thread, and one commit for all."""
    cases = []
    for group in GROUPS:
        frame = Frame(f"several_g{group}", group, columns=128, blocks=group)
        copies = [
            Copy(
                Instruction(shape, multicast, group),
                number % 4,
                column=4 + 24 * number - number % 2 * 4,
            )
            for number, (shape, multicast) in enumerate(FORMS[:5])
        ]
        texts = [copy.text(number) for number, copy in enumerate(copies)]
        make = maker(frame, partial(_each, copies, (0,) * group))
        kernel = frame.around("\n          ".join(texts))
        cases.append(Case(f"several-g{group}", "several copies, one commit", kernel, make))
    return cases


def _commits() -> list[Case]:
    """A commit for each copy; and in a cluster of single CTAs, commits that reach both."""
    cases = []
    for name, pair in (("two-commits", False), ("commit-to-both", True)):
        frame = Frame(name.replace("-", "_"), blocks=1 + pair, pair=pair, arrivals=2)
        copy = Copy(Instruction("64x128b", "warpx2::01_23"), 3)
        twice = "" if pair else f"{frame.commit}\n        "
        make = maker(frame, partial(_each, [copy], (1, 1)), (1,))
        kernel = frame.around(f"{twice}{copy.text(0)}")
        cases.append(Case(name, "commits", kernel, make))
    return cases


def _each(copies: list[Copy], stages, tensor: Words, shared: Bytes, block: int) -> None:
    for copy in copies:
        copy.run(tensor, shared, stages[block])


CASES = [*_whole(), *_grids(), *_dynamic(), *_several(), *_commits()]
