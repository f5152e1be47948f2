"""A buffer or pointer in shared memory: its address, its offset, how many bytes it holds."""

from __future__ import annotations

import math

from mlir import ir
from mlir.dialects import arith, llvm, memref

from tcgen05_mlir.passes.lowering import emit

DYNAMIC = ir.ShapedType.get_dynamic_stride_or_offset()
"""What a memref type holds for a stride or an offset that only the run time knows."""


def strides_and_offset(kind: ir.MemRefType) -> tuple[list[int], int] | None:
    """Strides and offset in elements, `DYNAMIC` where unknown; None for a layout without any."""
    try:
        return kind.get_strides_and_offset()
    except RuntimeError:
        return None


def element_bytes(kind: ir.MemRefType) -> int | None:
    """The size of an element; None for one that is no whole number of bytes."""
    bits = _bits(kind.element_type)
    return None if bits is None or bits % 8 else bits // 8


def extent_bytes(buffer: ir.Value) -> int | None:
    """From a buffer's first byte to behind its last; None for a pointer and for dynamic sizes."""
    if not isinstance(buffer.type, ir.MemRefType):
        return None
    kind = ir.MemRefType(buffer.type)
    known, size = strides_and_offset(kind), element_bytes(kind)
    if known is None or size is None or DYNAMIC in (*kind.shape, *known[0]):
        return None
    if min(known[0], default=0) < 0 or 0 in kind.shape:
        return None
    last = sum((extent - 1) * stride for extent, stride in zip(kind.shape, known[0], strict=True))
    return (last + 1) * size


def emit_address(buffer: ir.Value) -> tuple[ir.Value, int]:
    """The address within shared memory less a constant, as index or i64, and that constant."""
    if not isinstance(buffer.type, ir.MemRefType):
        return llvm.ptrtoint(emit.integer(64), buffer), 0
    address = memref.extract_aligned_pointer_as_index(buffer)
    kind = ir.MemRefType(buffer.type)
    known = strides_and_offset(kind)
    offset, size = (known[1] if known else 0), element_bytes(kind) or 0
    if offset != DYNAMIC:
        return address, offset * size
    return emit.add(address, emit.scale(emit_metadata(buffer)[1], size)), 0


def emit_metadata(buffer: ir.Value) -> tuple[list[ir.Value], ir.Value]:
    """Strides and offset of a memref as index values, in elements."""
    kind = ir.MemRefType(buffer.type)
    op = memref.ExtractStridedMetadataOp(buffer)
    results = list(op.operation.results)
    return results[2 + kind.rank :], results[1]


def emit_sum(address: ir.Value, moved: ir.Value) -> ir.Value:
    """``address + moved``, where only the second is surely of type index."""
    if address.type == moved.type:
        return arith.addi(address, moved)
    return arith.addi(address, emit.cast(moved, address.type))


def _bits(kind: ir.Type) -> int | None:
    if isinstance(kind, ir.IndexType):
        return 64
    if isinstance(kind, (ir.IntegerType, ir.FloatType)):
        return kind.width
    if isinstance(kind, ir.VectorType):
        inner = _bits(kind.element_type)
        return None if inner is None else inner * math.prod(kind.shape)
    return None
