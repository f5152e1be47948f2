"""From the source of a copy to its place in shared memory, and why it may have none."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, SmemLayoutAttr, ViewOp
from tcgen05_mlir.model import SmemLayout
from tcgen05_mlir.model.limits import WORD_BYTES
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.lowering.buffers import (
    DYNAMIC,
    extent_bytes,
    strides_and_offset,
)
from tcgen05_mlir.passes.lowering.elements import element_bytes
from tcgen05_mlir.passes.lowering.indexing import Dimension
from tcgen05_mlir.passes.lowering.layouts import smem_layout
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.views import defining_view, visible_view

_REMEDY = "pass the buffer itself and take the tcgen05.view where it is used"


def find_shared_place(op: CpOp) -> SharedPlace:
    """The place of ``op``'s source.

    Raises PassFailure for a layout that only a visible tcgen05.view can have [L1], and for one
    without strides or with dynamic ones that nothing gives [L2].
    """
    layout = ir.MemRefType(op.src.type).layout
    view = defining_view(op.src)
    if view is None and isinstance(layout, SmemLayoutAttr):
        visible_view(op, "src", _REMEDY)
    return _from_buffer(op) if view is None else _from_view(op, view)


def _from_view(op: CpOp, view: ViewOp) -> SharedPlace:
    check_buffer(op, "src", view.address)
    dimensions, offset = _view_dimensions(op)
    bounded = _is_inside(view.address, offset, dimensions)
    return SharedPlace(view.address, dimensions, offset, bounded, tuple(op.src_indices))


def _view_dimensions(op: CpOp) -> tuple[tuple[Dimension, ...], int]:
    kind = ir.MemRefType(op.src.type)
    if isinstance(kind.layout, SmemLayoutAttr):
        return layout_dimensions(smem_layout(kind))
    dimensions, offset = _stride_dimensions(op, kind)
    if offset is None or not all(dimension.is_static for dimension in dimensions):
        raise _unusable(
            op,
            "src",
            f"must have a static layout where it is a tcgen05.view, got {kind.layout}",
            "nothing says what the ? of the view's type are: write them as numbers",
        )
    return dimensions, offset


def _from_buffer(op: CpOp) -> SharedPlace:
    kind = ir.MemRefType(op.src.type)
    dimensions, _ = _stride_dimensions(op, kind)
    indices = tuple(op.src_indices)
    for number in range(len(indices), kind.rank):
        if not dimensions[number].is_static:
            raise _unusable(
                op,
                "src",
                f"dimension {number} must have a static stride, got ?",
                "only the strides of dimensions that an index chooses may be dynamic",
            )
    # Every element of a memref is addressable, so each start lies in the allocation behind it.
    return SharedPlace(op.src, dimensions, 0, True, indices)


def layout_dimensions(layout: SmemLayout) -> tuple[tuple[Dimension, ...], int]:
    """The dimensions of a layout and its offset, in bytes."""
    dimensions = tuple(
        Dimension(leaves(extent), tuple(WORD_BYTES * stride for stride in leaves(strides)))
        for extent, strides in zip(layout.extents, layout.strides, strict=True)
    )
    return dimensions, WORD_BYTES * layout.offset


def _stride_dimensions(op: CpOp, kind: ir.MemRefType) -> tuple[tuple[Dimension, ...], int | None]:
    """The dimensions of a strided memref and its offset, in bytes; None where dynamic."""
    known = strides_and_offset(kind)
    if known is None:
        raise _unusable(
            op,
            "src",
            f"must have a strided layout or a #tcgen05.smem_layout, got {kind.layout}",
            "take a tcgen05.view of the buffer with the layout that it has",
        )
    strides, offset = known
    dimensions = tuple(
        Dimension((None if extent == DYNAMIC else extent,), (_words(stride),))
        for extent, stride in zip(kind.shape, strides, strict=True)
    )
    return dimensions, _words(offset)


def _words(count: int) -> int | None:
    return None if count == DYNAMIC else WORD_BYTES * count


def check_buffer(op: ir.OpView, name: str, buffer: ir.Value) -> None:
    """The first byte of a view's buffer can be told: its offset, and what one element holds.

    Raises PassFailure where operand ``name`` of ``op`` is a view of another one [L2].
    """
    if not isinstance(buffer.type, ir.MemRefType):
        return
    kind = ir.MemRefType(buffer.type)
    known = strides_and_offset(kind)
    if known is None:
        raise _unusable(
            op,
            name,
            f"must be a tcgen05.view of a strided buffer, got one with {kind.layout}",
            "take the tcgen05.view of the buffer that it comes from",
        )
    if known[1] != 0 and element_bytes(kind.element_type) is None:
        raise _unusable(
            op,
            name,
            "must be a tcgen05.view of a buffer that has no offset or elements of a known size, "
            f"got elements of type {kind.element_type}",
            "take the tcgen05.view of the whole buffer, with an offset in its layout",
        )


def _unusable(op: ir.OpView, name: str, message: str, remedy: str) -> PassFailure:
    return PassFailure(op_error(op, f"'{name}' {message} [L2]", remedy))


def _is_inside(buffer: ir.Value, offset: int, dimensions: Sequence[Dimension]) -> bool:
    reaches = [dimension.reach() for dimension in dimensions]
    extent = extent_bytes(buffer)
    if extent is None or None in reaches:
        return False
    least = offset + sum(reach[0] for reach in reaches if reach)
    greatest = offset + sum(reach[1] for reach in reaches if reach)
    return least >= 0 and greatest < extent
