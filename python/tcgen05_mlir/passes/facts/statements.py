"""What the user says of an alignment, against what is known of it."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.diagnostics import Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.places import Place

LARGEST_ALIGNMENT = 1 << 17
"""Bytes: shared memory has no more; LLVM takes the address of what is aligned to more for 0."""


def alignment_in(attribute: ir.Attribute, name: str, op: ir.Operation) -> int:
    """The bytes that an attribute of ``op``, called ``name`` in messages, says.

    Raises PassFailure for what is no power of two in 1..131072 [F9].
    """
    found = _integer(attribute)
    if found is not None and 0 < found <= LARGEST_ALIGNMENT and found & (found - 1) == 0:
        return found
    raise PassFailure(
        op_error(
            op,
            f"{name} must be a power of two in 1..{LARGEST_ALIGNMENT} bytes, got {attribute} [F9]",
            "write the alignment that the copies need: 16, or 1024 for the largest swizzle",
        )
    )


def _integer(attribute: ir.Attribute) -> int | None:
    """None for what is none, or too wide for any number of bytes."""
    if not isinstance(attribute, ir.IntegerAttr):
        return None
    kind = attribute.type
    wide = isinstance(kind, ir.IntegerType) and kind.width > 64
    return None if wide else int(attribute.value)


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
