"""An access becomes address arithmetic and a load or store of the llvm dialect."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith, llvm

from tcgen05_mlir.dialects.tcgen05 import ViewOp
from tcgen05_mlir.passes.access.layouts import AccessLayout, access_layout
from tcgen05_mlir.passes.access.operations import Access, form_errors
from tcgen05_mlir.passes.access.placement import Placement
from tcgen05_mlir.passes.diagnostics import PassFailure
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.buffers import emit_address, offset_bytes
from tcgen05_mlir.passes.lowering.indexing import emit_offsets, split_indices
from tcgen05_mlir.passes.lowering.source import check_buffer
from tcgen05_mlir.passes.lowering.views import visible_view

_REMEDY = "pass the buffer itself and take the tcgen05.view where it is used"


@dataclass(frozen=True)
class Expansion:
    """What the pass needs of one access, read off the IR before anything is changed.

    No operand is kept: what another access loads is replaced.
    """

    access: Access
    view: ViewOp
    layout: AccessLayout
    alignment: int


def read_access(access: Access, placement: Placement) -> Expansion:
    """The access, shown to take words of one 16-byte unit.

    Raises PassFailure with what keeps it from being expanded [L1, L2, L5, F9].
    """
    view: ViewOp = visible_view(access.op, access.name, _REMEDY)
    check_buffer(access.op, access.name, view.address)
    failures = list(form_errors(access))
    if failures:
        raise PassFailure(*failures)
    layout = access_layout(access.op, access.name, ir.MemRefType(access.memory.type))
    return Expansion(access, view, layout, placement.alignment(access, layout, view))


def expand(expansion: Expansion) -> None:
    """Replace the op: the root's address, the distance, the swizzle, the load or store."""
    access = expansion.access
    with ir.InsertionPoint(access.op), access.op.location:
        pointer = llvm.inttoptr(ir.Type.parse("!llvm.ptr<3>"), _emit_address(expansion))
        options = {"alignment": expansion.alignment, "nontemporal": access.is_nontemporal or None}
        if access.stored is None:
            loaded = llvm.LoadOp(access.kind, pointer, **options).res
            access.op.operation.results[0].replace_all_uses_with(loaded)
        else:
            llvm.StoreOp(access.stored, pointer, **options)
    access.op.operation.erase()


def _emit_address(expansion: Expansion) -> ir.Value:
    """The i64 shared address of the first word."""
    layout, root = expansion.layout, expansion.view.address
    offsets = split_indices(layout.dimensions, expansion.access.indices)
    address = emit_address(root)
    moved = emit_offsets(layout.dimensions, offsets, {})
    if moved is not None:
        address = emit.add(address, moved)
    address = emit.add(address, (offset_bytes(root) or 0) + layout.offset + offsets.known)
    return arith.index_cast(emit.integer(64), _emit_swizzle(address, layout.swizzle))


def _emit_swizzle(address: ir.Value, swizzle: int) -> ir.Value:
    """Bits 4 up to 4+swizzle-1 of an absolute address XORed with bits 7 up to 7+swizzle-1."""
    if not swizzle:
        return address
    shifted = arith.shrui(address, emit.constant(address.type, 3))
    mask = emit.constant(address.type, ((1 << swizzle) - 1) << 4)
    return arith.xori(address, arith.andi(shifted, mask))
