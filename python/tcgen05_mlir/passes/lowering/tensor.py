"""Where a copy or an address points in tensor memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith, llvm

from tcgen05_mlir.dialects.tcgen05 import ViewOp
from tcgen05_mlir.model import COL, LANE, Stride, TmemLayout
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.indexing import Dimension, emit_offsets, split_indices
from tcgen05_mlir.passes.lowering.layouts import tmem_layout
from tcgen05_mlir.passes.lowering.views import visible_view

_REMEDY = "pass the i32 address and take the tcgen05.view where it is used"


@dataclass(frozen=True)
class TensorPlace:
    """A view and how indices move its address, in units of a TMEM address, lane << 16 | column.

    ``offset`` is the layout's own.
    """

    view: ViewOp
    dimensions: tuple[Dimension, ...]
    offset: int
    indices: tuple[ir.Value, ...]

    def emit_base(self) -> tuple[ir.Value, int]:
        """The i32 address of repeat 0 less a constant, and that constant; after `load_register`."""
        offsets = split_indices(self.dimensions, self.indices)
        base = self.view.address
        moved = emit_offsets(self.dimensions, offsets, {})
        if moved is not None:
            base = emit.add(base, arith.index_cast(base.type, moved))
        return base, offsets.known + self.offset


def find_tensor_place(op: ir.OpView, name: str, indices: Sequence[ir.Value]) -> TensorPlace:
    """The place that operand ``name`` of ``op`` stands for.

    Raises PassFailure [L1] where its view is not visible: a block argument, another op's result.
    """
    view = visible_view(op, name, _REMEDY)
    layout = tmem_layout(ir.MemRefType(view.view.type))
    lane, column = layout.offset
    offset = (lane << TMEM_LANE_SHIFT) + column
    return TensorPlace(view, _dimensions(layout), offset, tuple(indices))


def load_register(view: ViewOp) -> None:
    """Let the view of an i32 or a pointer be one of an i32 in a register, for all of its uses.

    ptxas 13.0.88 crashes on a literal address such as ``[0]``, and what becomes a literal only
    LLVM knows: it inlines, unrolls and forwards stores.
    """
    with ir.InsertionPoint(view), view.location:
        i32 = emit.integer(32)
        address = view.address
        if address.type != i32:
            address = llvm.ptrtoint(i32, address)
        view.operation.operands[0] = emit.register(address)


def _dimensions(layout: TmemLayout) -> tuple[Dimension, ...]:
    return tuple(
        Dimension(leaves(extent), tuple(map(_units, leaves(strides))))
        for extent, strides in zip(layout.extents, layout.strides, strict=True)
    )


def _units(stride: Stride) -> int:
    return (stride.along(LANE) << TMEM_LANE_SHIFT) + stride.along(COL)
