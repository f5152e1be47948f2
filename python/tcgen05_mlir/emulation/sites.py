"""Where an operation stands in its source, as reports and messages write it."""

from __future__ import annotations

from mlir import ir


def site_text(op: ir.Operation) -> str:
    """``copy.mlir:12:5: 'nvvm.tcgen05.cp' op``; `unknown` in front where no file is known."""
    return f"{_place(op.location) or 'unknown'}: '{op.name}' op"


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
