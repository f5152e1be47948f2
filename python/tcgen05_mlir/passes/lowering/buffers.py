"""A buffer or pointer in shared memory: its address, its offset, how many bytes it holds."""

from __future__ import annotations

from mlir import ir
from mlir.dialects import arith, llvm, memref

from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.elements import element_bytes

DYNAMIC = ir.ShapedType.get_dynamic_size()
"""What a memref type holds for an extent, a stride or an offset that only the run time knows."""


def strides_and_offset(kind: ir.MemRefType) -> tuple[list[int], int] | None:
    """Strides and offset in elements, `DYNAMIC` where unknown; None for a layout without any."""
    try:
        return kind.get_strides_and_offset()
    except RuntimeError:
        return None


def offset_bytes(buffer: ir.Value) -> int | None:
    """From a buffer's aligned pointer to its first element: 0 for a pointer, None if dynamic.

    The layout must be strided; an offset must be one of elements whose size is known.
    """
    if not isinstance(buffer.type, ir.MemRefType):
        return 0
    kind = ir.MemRefType(buffer.type)
    known = strides_and_offset(kind)
    assert known is not None, kind
    return None if known[1] == DYNAMIC else known[1] * (element_bytes(kind.element_type) or 0)


def extent_bytes(buffer: ir.Value) -> int | None:
    """From a buffer's first byte to behind its last; None for a pointer and for dynamic sizes."""
    if not isinstance(buffer.type, ir.MemRefType):
        return None
    kind = ir.MemRefType(buffer.type)
    known, size = strides_and_offset(kind), element_bytes(kind.element_type)
    if known is None or size is None or DYNAMIC in (*kind.shape, *known[0]):
        return None
    if min(known[0], default=0) < 0 or 0 in kind.shape:
        return None
    last = sum((extent - 1) * stride for extent, stride in zip(kind.shape, known[0], strict=True))
    return (last + 1) * size


def emit_address(buffer: ir.Value) -> ir.Value:
    """The address within shared memory, as index, less `offset_bytes` where that is known."""
    if not isinstance(buffer.type, ir.MemRefType):
        address = llvm.ptrtoint(emit.integer(64), buffer)
        return arith.index_cast(ir.IndexType.get(), address)
    address = memref.extract_aligned_pointer_as_index(buffer)
    if offset_bytes(buffer) is not None:
        return address
    size = element_bytes(ir.MemRefType(buffer.type).element_type)
    assert size is not None, buffer.type
    return emit.add(address, emit.scale(_emit_metadata(buffer)[1], size))


def emit_strides(buffer: ir.Value) -> list[ir.Value]:
    """The strides of a memref as index values, in elements."""
    rank = ir.MemRefType(buffer.type).rank
    return _emit_metadata(buffer)[2 + rank :]


def _emit_metadata(buffer: ir.Value) -> list[ir.Value]:
    """Base, offset, sizes, strides."""
    return list(memref.ExtractStridedMetadataOp(buffer).operation.results)
