"""Where a copy's source lies in shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, SmemLayoutAttr, ViewOp
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, WORD_BYTES
from tcgen05_mlir.model.modes import leaves
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.buffers import (
    DYNAMIC,
    emit_address,
    emit_metadata,
    emit_sum,
    extent_bytes,
    strides_and_offset,
)
from tcgen05_mlir.passes.lowering.indexing import Dimension, emit_offsets, split_indices


@dataclass(frozen=True)
class SharedPlace:
    """A buffer or pointer, and how indices move an address in it: bytes, before the swizzle.

    ``offset`` is the layout's own. ``bounded`` says that every start lies in the buffer: then an
    offset can be added to the descriptor without a carry, since a block's shared memory ends
    below the 2^18 that the descriptor can address (F10).
    """

    root: ir.Value
    dimensions: tuple[Dimension, ...]
    offset: int
    bounded: bool
    indices: tuple[ir.Value, ...]

    def repeat_offset(self, repeat: Sequence[int]) -> int:
        """The distance of a repeat's start from that of repeat 0."""
        dimensions = self.dimensions[len(self.indices) :]
        return sum(d.offset(i) for d, i in zip(dimensions, repeat, strict=False))

    def emit_base(self) -> tuple[ir.Value, int]:
        """The i64 shared address of repeat 0 less a constant, and that constant."""
        offsets = split_indices(self.dimensions, self.indices)
        base, known = emit_address(self.root)
        moved = emit_offsets(self.dimensions, offsets, self._emit_strides())
        if moved is not None:
            base = emit_sum(base, moved)
        return emit.cast(base, emit.integer(64)), known + offsets.known + self.offset

    def _emit_strides(self) -> list[ir.Value] | None:
        """The strides in bytes, where one of them is dynamic."""
        if all(dimension.is_static for dimension in self.dimensions):
            return None
        return [emit.scale(stride, WORD_BYTES) for stride in emit_metadata(self.root)[0]]


def find_shared_place(op: CpOp) -> SharedPlace:
    """The place of ``op``'s source.

    Raises PassFailure for a layout that only a visible tcgen05.view can have [L1], for one without
    strides or with dynamic ones along repeats [L2], and for a distance that is no multiple of 16
    bytes, which the descriptor could not hold [F9].
    """
    kind = ir.MemRefType(op.src.type)
    indices = tuple(op.src_indices)
    if isinstance(kind.layout, SmemLayoutAttr):
        place = _from_view(op, SmemLayoutAttr(kind.layout), indices)
    else:
        place = _from_strides(op, kind, indices)
    _check_units(op, place)
    return place


def _from_view(op: CpOp, attribute: SmemLayoutAttr, indices: tuple[ir.Value, ...]) -> SharedPlace:
    owner = op.src.owner
    view = None if isinstance(owner, ir.Block) else owner.opview
    if not isinstance(view, ViewOp):
        found = "a block argument" if isinstance(owner, ir.Block) else f"that of '{owner.name}'"
        message = f"'src' must be the result of a tcgen05.view that is visible here, got {found}"
        remedy = "pass the buffer itself and take the tcgen05.view where it is used"
        raise PassFailure(op_error(op, f"{message} [L1]", remedy))
    layout = attribute.layout
    dimensions = tuple(
        Dimension(leaves(extent), tuple(WORD_BYTES * stride for stride in leaves(strides)))
        for extent, strides in zip(layout.extents, layout.strides, strict=True)
    )
    offset = WORD_BYTES * layout.offset
    return SharedPlace(
        view.address, dimensions, offset, _is_inside(view.address, offset, dimensions), indices
    )


def _is_inside(buffer: ir.Value, offset: int, dimensions: Sequence[Dimension]) -> bool:
    reaches = [dimension.reach() for dimension in dimensions]
    extent = extent_bytes(buffer)
    if extent is None or None in reaches:
        return False
    least = offset + sum(reach[0] for reach in reaches if reach)
    greatest = offset + sum(reach[1] for reach in reaches if reach)
    return least >= 0 and greatest < extent


def _from_strides(op: CpOp, kind: ir.MemRefType, indices: tuple[ir.Value, ...]) -> SharedPlace:
    known = strides_and_offset(kind)
    if known is None:
        message = f"'src' must have a strided layout or a #tcgen05.smem_layout, got {kind.layout}"
        remedy = "take a tcgen05.view of the buffer with the layout that it has"
        raise PassFailure(op_error(op, f"{message} [L2]", remedy))
    for number in range(len(indices), kind.rank):
        if known[0][number] == DYNAMIC:
            message = f"'src' dimension {number} must have a static stride, got ?"
            remedy = "only the strides of dimensions that an index chooses may be dynamic"
            raise PassFailure(op_error(op, f"{message} [L2]", remedy))
    dimensions = tuple(
        Dimension((extent,), (None if stride == DYNAMIC else WORD_BYTES * stride,))
        for extent, stride in zip(kind.shape, known[0], strict=True)
    )
    # Every element of a memref is addressable, so each start lies in the allocation behind it.
    return SharedPlace(op.src, dimensions, 0, True, indices)


def _check_units(op: CpOp, place: SharedPlace) -> None:
    """Rule F9 for what the type says: a remainder below 16 would be lost in the descriptor."""
    repeats = place.dimensions[:-2]
    distances = [("offset", place.offset)]
    distances += [(f"dimension {n}", s or 0) for n, d in enumerate(repeats) for s in d.steps]
    for name, distance in distances:
        if distance % DESCRIPTOR_UNIT:
            what = "an" if name == "offset" else "a stride in"
            raise PassFailure(
                op_error(
                    op,
                    f"'src' must have {what} {name} that is a multiple of {DESCRIPTOR_UNIT} bytes, "
                    f"got {distance} [F9]",
                    "the descriptor holds the start address in units of 16 bytes",
                )
            )
