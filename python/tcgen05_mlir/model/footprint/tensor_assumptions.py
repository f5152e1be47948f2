"""What rules F4 to F6 take for granted of a tensor-memory base."""

from __future__ import annotations

from collections.abc import Iterator

from .operands import Destination
from .plan import Assumption
from .tensor_bounds import column_span

ALLOCATION_COLUMNS = 32
"""Columns: an allocation starts at a multiple of it (PTX `tcgen05-memory-alloc-manage-instructions`)."""  # noqa: E501


def assumed_base(dst: Destination) -> Iterator[Assumption]:
    """Where an unknown root is an allocation's start, how many columns it needs, what moves it."""
    base = dst.base
    touched = column_span(dst).reach()
    shown = f"columns {touched[0]} to {touched[1]}"
    if base.lane_factor or base.column_factor:
        text = f"'dst' base stays in bounds, whatever the run time adds to it: {shown}, moved by it"
        yield Assumption("F6", "range", "dst", touched, f"{text} [F6]")
    if base.columns is not None:
        return
    if not base.absolute:
        unit = ALLOCATION_COLUMNS
        text = f"'dst' address is the start of an allocation: lane 0, a multiple of {unit} columns"
        yield Assumption("F4", "allocation", "dst", unit, f"{text} [F4]")
    if not base.column_factor:
        text = f"'dst' {shown} from the root are allocated [F6]"
        yield Assumption("F6", "columns", "dst", touched, text)
