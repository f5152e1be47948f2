"""`tcgen05-expand-access`: loads and stores through views of shared memory follow the layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.access.expand import Expansion, expand, read_access
from tcgen05_mlir.passes.access.foreign import foreign_uses
from tcgen05_mlir.passes.access.operations import access_of
from tcgen05_mlir.passes.access.placement import Placement
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure


@register_pass
@dataclass(frozen=True)
class ExpandAccess(Pass):
    """Loads and stores of words through a `tcgen05.view` of shared memory take its layout.

    A word at ``index`` is at base + 4 * linear(index), whose bits 4 to 6 are then XORed with bits
    7 to 9 as far as the swizzle says, as the copy reads it: word (0, 1, 0) of
    ``(4, 128, 8) : (8, 32, 1), swizzle = 3`` at a base of 0 is at 128 before and at 144 after.
    A vector takes up to four words that lie together in one 16-byte unit. All that cannot be
    expanded is reported, in source order, and nothing changed then. The views stay.
    Source: PTX `tcgen05-shared-memory-desc`.
    """

    name: ClassVar[str] = "tcgen05-expand-access"
    description: ClassVar[str] = "Expand loads and stores through views of shared memory"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith", "llvm", "memref")

    def run(self, op: ir.Operation) -> None:
        found = list(_read([inner.opview for inner in operations(op)]))
        failures = [entry for entry in found if isinstance(entry, Diagnostic)]
        if failures:
            raise PassFailure(*dict.fromkeys(failures))
        for entry in found:
            assert isinstance(entry, Expansion), entry
            expand(entry)


def _read(ops: Sequence[ir.OpView]) -> Iterator[Expansion | Diagnostic]:
    """Every access through a view, or why it is none, in source order."""
    placement = Placement()
    for op in ops:
        access = access_of(op)
        if access is None:
            yield from foreign_uses(op)
            continue
        try:
            yield read_access(access, placement)
        except PassFailure as failure:
            yield from failure.diagnostics
