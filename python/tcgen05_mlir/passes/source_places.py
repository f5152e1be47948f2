"""Where an operation stands in its source, for messages that come while a kernel runs."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.texts import file_text


def place_text(location: ir.Location) -> str:
    """`copy.mlir:61:9`, the first place in a file that a location leads to; `unknown` for none."""
    return _place(location) or "unknown"


def _place(location: ir.Location) -> str | None:
    if location.is_a_file():
        return f"{file_text(location)}:{location.start_line}:{location.start_col}"
    if location.is_a_name():
        return _place(location.child_loc)
    if location.is_a_callsite():
        return _place(location.callee)
    if location.is_a_fused():
        return next(filter(None, map(_place, location.locations)), None)
    return None
