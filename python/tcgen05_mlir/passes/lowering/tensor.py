"""Where a copy or an address points in tensor memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlir import ir
from mlir.dialects import llvm

from tcgen05_mlir.dialects.tcgen05 import TmemLayoutAttr, ViewOp
from tcgen05_mlir.model import COL, LANE, Stride, TmemLayout
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.constants import constant_value
from tcgen05_mlir.passes.lowering.indexing import Dimension, emit_offsets, split_indices


@dataclass(frozen=True)
class TensorPlace:
    """A view's address and how indices move it, in units of a TMEM address, lane << 16 | column.

    ``offset`` is the layout's own.
    """

    address: ir.Value
    dimensions: tuple[Dimension, ...]
    offset: int
    indices: tuple[ir.Value, ...]

    def repeat_offset(self, repeat: Sequence[int]) -> int:
        """The distance of a repeat's origin from that of repeat 0."""
        dimensions = self.dimensions[len(self.indices) :]
        return sum(d.offset(i) for d, i in zip(dimensions, repeat, strict=False))

    def emit_base(self) -> tuple[ir.Value, int]:
        """The i32 address of repeat 0 less a constant, and that constant."""
        offsets = split_indices(self.dimensions, self.indices)
        base = _emit_address(self.address)
        moved = emit_offsets(self.dimensions, offsets)
        if moved is not None:
            base = emit.add(base, emit.cast(moved, base.type))
        return base, offsets.known + self.offset


def find_tensor_place(
    op: ir.OpView, name: str, memref: ir.Value, indices: Sequence[ir.Value]
) -> TensorPlace:
    """The place that ``memref``, operand ``name`` of ``op``, stands for.

    Raises PassFailure [L1] where its view is not visible: a block argument, another op's result.
    """
    owner = memref.owner
    view = None if isinstance(owner, ir.Block) else owner.opview
    if not isinstance(view, ViewOp):
        found = "a block argument" if isinstance(owner, ir.Block) else f"that of '{owner.name}'"
        message = f"'{name}' must be the result of a tcgen05.view that is visible here, got {found}"
        remedy = "pass the i32 address and take the tcgen05.view where it is used"
        raise PassFailure(op_error(op, f"{message} [L1]", remedy))
    layout = TmemLayoutAttr(ir.MemRefType(memref.type).layout).layout
    lane, column = layout.offset
    return TensorPlace(
        view.address, _dimensions(layout), (lane << TMEM_LANE_SHIFT) + column, tuple(indices)
    )


def _dimensions(layout: TmemLayout) -> tuple[Dimension, ...]:
    return tuple(
        Dimension(leaves(extent), tuple(map(_units, leaves(strides))))
        for extent, strides in zip(layout.extents, layout.strides, strict=True)
    )


def _units(stride: Stride) -> int:
    return (stride.along(LANE) << TMEM_LANE_SHIFT) + stride.along(COL)


def _emit_address(address: ir.Value) -> ir.Value:
    """The view's address as an i32 in a register."""
    known = constant_value(address)
    if known is not None:
        return emit.register(known)
    i32 = emit.integer(32)
    return address if address.type == i32 else llvm.ptrtoint(i32, address)
