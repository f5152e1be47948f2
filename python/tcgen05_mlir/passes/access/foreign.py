"""Operations that no view of shared memory can be an operand of."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, ViewOp
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, op_error
from tcgen05_mlir.passes.lowering.views import defining_view
from tcgen05_mlir.passes.memory_spaces import is_shared

_REMEDIES = {
    "affine.load": "lower-affine makes a memref.load of it: run it before",
    "affine.store": "lower-affine makes a memref.store of it: run it before",
    "affine.vector_load": "use vector.transfer_read",
    "affine.vector_store": "use vector.transfer_write",
    "memref.copy": "load and store the words one by one, which takes the layout",
    "memref.subview": "take a tcgen05.view of the buffer, with an offset in its layout",
    "memref.cast": "take a tcgen05.view of the buffer, of the type that is wanted",
    "memref.memory_space_cast": "take a tcgen05.view of the buffer, of the type that is wanted",
    "memref.dim": "the extent is that of the view's type, or the value that it was made of",
}
_REMEDY = "use the buffer behind the view, or take the tcgen05.view where words are accessed"


def foreign_uses(op: ir.OpView) -> Iterator[Diagnostic]:
    """Rule L4 for views of shared memory; ``op`` is no load or store of one."""
    if isinstance(op, (CpOp, ViewOp)):
        return
    for number, operand in enumerate(op.operation.operands):
        view = defining_view(operand) if is_shared(operand.type) else None
        if view is not None:
            yield op_error(
                op,
                f"operand {number} is a tcgen05.view of shared memory, which only tcgen05.cp, "
                "loads and stores can use [L4]",
                Note(view.location, "the view is here"),
                _REMEDIES.get(op.operation.name, _REMEDY),
            )
