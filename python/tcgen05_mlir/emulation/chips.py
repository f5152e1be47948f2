"""The chip that a gpu.module's library is written for: one that suits all of its targets (T1)."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.model import targets
from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS, Target
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.nvvm_target import NvvmTarget

DEFAULT_CHIP = 90
"""The number of the chip of a gpu.module without targets."""


def library_chip(module: ir.Operation) -> tuple[int, list[Diagnostic]]:
    """The number of the earliest chip among the targets, and what is wrong with them.

    Code for a chip without clusters is other code than that for one with them, so that targets of
    both kinds have none in common.
    """
    chips: list[Target] = []
    problems: list[Diagnostic] = []
    for attribute in module.attributes.get("targets", ()):
        try:
            chips.append(_target(attribute))
        except ValueError as error:
            problems.append(op_error(module, str(error)))
    numbers = [chip.number for chip in chips] or [DEFAULT_CHIP]
    if not problems and min(numbers) < FIRST_WITH_CLUSTERS <= max(numbers):
        problems.append(_apart(module, chips))
    return DEFAULT_CHIP if problems else min(numbers), problems


def _target(attribute: ir.Attribute) -> Target:
    target = targets.lookup(NvvmTarget.read(attribute).chip)
    targets.require_emulation(target)
    return target


def _apart(module: ir.Operation, chips: list[Target]) -> Diagnostic:
    first, *_, last = sorted(chips, key=lambda chip: chip.number)
    text = (
        f"'targets' must be all below sm_{FIRST_WITH_CLUSTERS} or none of them to emulate tcgen05, "
        f"got '{first.chip}' and '{last.chip}' [T1]"
    )
    return op_error(module, text, "compile for one at a time")
