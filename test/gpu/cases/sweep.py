"""All six forms, four swizzles, three formats and both cta_groups, and predicates both ways.

A kernel has one form and cta_group; the launch chooses which of its copies runs, and the stage of
the source. Each copy has two repeats, a stage chosen at run time, strides beyond the tile's and an
origin inside the swizzle period.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

from tcgen05_mlir.model import Instruction

from .case import Case, Kernel
from .copies import STAGES, Copy
from .expectation import maker
from .frame import Frame
from .loops import FORMATS, FORMS, GROUPS, SWIZZLES, Bytes, Words, short

Variant = tuple[str, Copy]


def variants(shape: str, multicast: str | None, group: int) -> list[Variant]:
    """Name and copy, in the order in which the launch counts them."""
    plain = [
        (
            f"s{swizzle}-{source or 'b32'}",
            Copy(Instruction(shape, multicast, group, source), swizzle),
        )
        for swizzle, source in product(SWIZZLES, FORMATS)
    ]
    guarded = Copy(Instruction(shape, multicast, group), 3, predicate="%is_taken")
    return [*plain, ("predicate-true", guarded), ("predicate-false", replace(guarded, taken=False))]


def _kernel(frame: Frame, variants: list[Variant]) -> Kernel:
    regions = [
        f"""case {number} {{
          {copy.text(number)}
          scf.yield
        }}"""
        for number, (_, copy) in enumerate(variants[:-1])
    ]
    return frame.around(
        "%is_taken = arith.cmpi ne, %chosen2, %zero : i32\n        scf.index_switch %choice1\n"
        + "\n        ".join(["        ", *regions, "default {", "}"])
    )


def _cases() -> list[Case]:
    cases = []
    for (shape, multicast), group in product(FORMS, GROUPS):
        form = short(shape, multicast)
        frame = Frame(f"cp_{form}_g{group}", group, blocks=group)
        there = variants(shape, multicast, group)
        kernel = _kernel(frame, there)
        for number, (name, copy) in enumerate(there):
            region, stage = min(number, len(there) - 2), number % STAGES
            choices = (stage, region, int(copy.taken))
            make = maker(frame, partial(_run, copy, stage), choices)
            cases.append(Case(f"cp-{form}-g{group}-{name}", f"cp {form}", kernel, make))
    return cases


def _run(copy: Copy, stage: int, tensor: Words, shared: Bytes, block: int) -> None:
    copy.run(tensor, shared, stage)


CASES = _cases()
