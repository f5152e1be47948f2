"""The `tcgen05.view` behind a value."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import ViewOp
from tcgen05_mlir.passes.diagnostics import Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.definitions import definition


def defining_view(value: ir.Value) -> ViewOp | None:
    """The view whose result ``value`` is; None where it comes from elsewhere."""
    owner = definition(value)
    view = None if owner is None else owner.opview
    return view if isinstance(view, ViewOp) else None


def visible_view(op: ir.OpView, name: str, remedy: str) -> ViewOp:
    """The view that operand ``name`` of ``op`` is. Raises PassFailure where none is seen [L1]."""
    value: ir.Value = getattr(op, name)
    view = defining_view(value)
    if view is not None:
        return view
    owner = definition(value)
    if owner is None:
        found, place = "a block argument", ir.BlockArgument(value).location
    else:
        found, place = f"that of '{owner.name}'", owner.location
    message = f"'{name}' must be the result of a tcgen05.view that is visible here, got {found}"
    raise PassFailure(op_error(op, f"{message} [L1]", Note(place, "it comes from here"), remedy))
