"""What the user says of an alignment, against what is known of it."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.diagnostics import Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.places import Place


def stated(place: Place, alignment: int, op: ir.Operation) -> Place:
    """The place as ``op`` has it, whose attribute says that it is a multiple of ``alignment``.

    Raises PassFailure where it cannot be one [F9]: ``alignment(1024)``, 16 bytes into a buffer
    that is aligned to 256.
    """
    rest, granule = place.residue()
    if rest % min(granule, alignment) == 0:
        return place.aligned(alignment, op.results[0])
    if place.root.address is not None and not place.offset.terms:
        found = f"address {place.root.address + place.offset.constant:#x}"
    else:
        found = f"an address that is {rest} more than a multiple of {granule}"
    raise PassFailure(
        op_error(
            op,
            f"'alignment' must be one that the address has, got {alignment} for {found} [F9]",
            Note(place.root.location, f"it is counted from here, {place.root.source}"),
            "state what the address has, or move what it is the address of",
        )
    )
