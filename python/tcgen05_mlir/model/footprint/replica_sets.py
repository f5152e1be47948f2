"""Which replica sets are a multicast's, in whatever spelling (rule F1)."""

from __future__ import annotations

import math

from ..forms import FORMS
from ..instruction import Instruction
from ..tmem_layout import TmemLayout


def replica_shift(instruction: Instruction, layout: TmemLayout) -> int | None:
    """Lanes from the layout's first replica to the instruction's; None where the sets differ.

    0, except for a set that is spelled from its end: lanes (0, -32) are the two of warpx2::01_23,
    32 lanes up. Rule F1 wants a number.
    """
    if math.prod(layout.replicas[0]) != len(instruction.replicas):
        return None
    lanes = sorted(lane for lane, _ in layout.replica_offsets)
    # Distinct lanes leave no replica to lie along columns: a mode has one axis.
    wanted = [lanes[0] + distance for distance in instruction.replicas]
    return lanes[0] if lanes == wanted else None


def forms_with_replicas(instruction: Instruction, layout: TmemLayout) -> list[str]:
    """Names of the forms of the same atom whose replicas these are."""
    return [
        form.name
        for form in FORMS
        if (form.rows, form.words) == (instruction.rows, instruction.words)
        and replica_shift(Instruction(form.shape, form.multicast), layout) is not None
    ]
