"""What a run-time error says of an operation: its place in the source and its name."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir


@dataclass(frozen=True)
class OpSite:
    """An operation: `location` is `file:line:col`, `name` such as `nvvm.tcgen05.cp`."""

    location: str
    name: str


def site_of(op: ir.Operation) -> OpSite:
    return OpSite(location_text(op.location), op.name)


def location_text(location: ir.Location) -> str:
    """`copy.mlir:61:9`, the first place in a file that a location leads to; `unknown` for none."""
    return _place(location) or "unknown"


def _place(location: ir.Location) -> str | None:
    if location.is_a_file():
        return f"{location.filename}:{location.start_line}:{location.start_col}"
    if location.is_a_name():
        return _place(location.child_loc)
    if location.is_a_callsite():
        return _place(location.callee)
    if location.is_a_fused():
        return next(filter(None, map(_place, location.locations)), None)
    return None
