"""What a run-time error says of an operation: its place in the source and its name."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir

from tcgen05_mlir.passes.source_places import place_text


@dataclass(frozen=True)
class OpSite:
    """An operation: `location` is `file:line:col`, `name` such as `nvvm.tcgen05.cp`."""

    location: str
    name: str


def site_of(op: ir.Operation) -> OpSite:
    return OpSite(place_text(op.location), op.name)
