"""From the source of a copy to its place in shared memory, and why it may have none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, SmemLayoutAttr, ViewOp
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, WORD_BYTES
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.lowering.buffers import (
    DYNAMIC,
    extent_bytes,
    offset_bytes,
    strides_and_offset,
)
from tcgen05_mlir.passes.lowering.elements import element_bytes
from tcgen05_mlir.passes.lowering.indexing import Dimension
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.views import defining_view, visible_view

_REMEDY = "pass the buffer itself and take the tcgen05.view where it is used"


def find_shared_place(op: CpOp) -> SharedPlace:
    """The place of ``op``'s source.

    Raises PassFailure for a layout that only a visible tcgen05.view can have [L1], for one without
    strides or with dynamic ones that nothing gives [L2], and for a distance that is no multiple of
    16 bytes, which the descriptor could not hold [F9].
    """
    layout = ir.MemRefType(op.src.type).layout
    view = defining_view(op.src)
    if view is None and isinstance(layout, SmemLayoutAttr):
        visible_view(op, "src", _REMEDY)
    place = _from_buffer(op) if view is None else _from_view(op, view)
    _check_units(op, place)
    return place


def _from_view(op: CpOp, view: ViewOp) -> SharedPlace:
    _check_buffer(op, view.address)
    dimensions, offset = _view_dimensions(op)
    bounded = _is_inside(view.address, offset, dimensions)
    return SharedPlace(view.address, dimensions, offset, bounded, tuple(op.src_indices))


def _view_dimensions(op: CpOp) -> tuple[tuple[Dimension, ...], int]:
    kind = ir.MemRefType(op.src.type)
    if isinstance(kind.layout, SmemLayoutAttr):
        return _layout_dimensions(SmemLayoutAttr(kind.layout))
    dimensions, offset = _stride_dimensions(op, kind)
    if offset is None or not all(dimension.is_static for dimension in dimensions):
        raise _unusable(
            op,
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
                f"dimension {number} must have a static stride, got ?",
                "only the strides of dimensions that an index chooses may be dynamic",
            )
    # Every element of a memref is addressable, so each start lies in the allocation behind it.
    return SharedPlace(op.src, dimensions, 0, True, indices)


def _layout_dimensions(attribute: SmemLayoutAttr) -> tuple[tuple[Dimension, ...], int]:
    """The dimensions of a layout and its offset, in bytes."""
    layout = attribute.layout
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


def _check_buffer(op: CpOp, buffer: ir.Value) -> None:
    """The first byte of a view's buffer can be told: its offset, and what one element holds."""
    if not isinstance(buffer.type, ir.MemRefType):
        return
    kind = ir.MemRefType(buffer.type)
    known = strides_and_offset(kind)
    if known is None:
        raise _unusable(
            op,
            f"must be a tcgen05.view of a strided buffer, got one with {kind.layout}",
            "take the tcgen05.view of the buffer that it comes from",
        )
    if known[1] != 0 and element_bytes(kind.element_type) is None:
        raise _unusable(
            op,
            "must be a tcgen05.view of a buffer that has no offset or elements of a known size, "
            f"got elements of type {kind.element_type}",
            "take the tcgen05.view of the whole buffer, with an offset in its layout",
        )


def _unusable(op: CpOp, message: str, remedy: str) -> PassFailure:
    return PassFailure(op_error(op, f"'src' {message} [L2]", remedy))


def _is_inside(buffer: ir.Value, offset: int, dimensions: Sequence[Dimension]) -> bool:
    reaches = [dimension.reach() for dimension in dimensions]
    extent = extent_bytes(buffer)
    if extent is None or None in reaches:
        return False
    least = offset + sum(reach[0] for reach in reaches if reach)
    greatest = offset + sum(reach[1] for reach in reaches if reach)
    return least >= 0 and greatest < extent


def _check_units(op: CpOp, place: SharedPlace) -> None:
    """Rule F9 for what the type says: a remainder below 16 would be lost in the descriptor."""
    for what, distance in _distances(place):
        if distance % DESCRIPTOR_UNIT:
            raise PassFailure(
                op_error(
                    op,
                    f"'src' must have {what} that is a multiple of {DESCRIPTOR_UNIT} bytes, "
                    f"got {distance} [F9]",
                    "the descriptor holds the start address in units of 16 bytes",
                )
            )


def _distances(place: SharedPlace) -> Iterator[tuple[str, int]]:
    """What moves the start of a copy, in bytes, as far as types tell; an extent of 1 moves none."""
    yield "an offset", place.offset + (offset_bytes(place.root) or 0)
    for number, dimension in enumerate(place.dimensions[:-2]):
        for extent, step in zip(dimension.extents, dimension.steps, strict=True):
            if extent != 1 and step is not None:
                yield f"a stride in dimension {number}", step
