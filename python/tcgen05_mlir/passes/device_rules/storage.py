"""Rule T4: buffers that a kernel declares have a size, and shared ones fit a block."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from mlir import ir

from tcgen05_mlir.model.limits import SMEM_BLOCK_BYTES
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.memory_spaces import is_shared

_DYNAMIC_REMEDY = "give it its largest shape, or take it from gpu.dynamic_shared_memory"
_LARGE_REMEDY = "make it smaller, or keep it in global memory"


def oversized(op: ir.Operation) -> Iterator[Diagnostic]:
    """The errors for a gpu.func's attributions and for a memref.global in shared memory."""
    if op.name == "memref.global":
        kind = ir.TypeAttr(op.attributes["type"]).value
        if is_shared(kind):
            yield from _judged(op, "'type'", kind)
    elif op.name == "gpu.func":
        for operand, kind in _attributions(op):
            yield from _judged(op, operand, kind)


def _attributions(op: ir.Operation) -> Iterator[tuple[str, ir.Type]]:
    """Behind the arguments of the entry block: the workgroup ones, then the private ones."""
    blocks = list(op.regions[0])
    if not blocks:
        return
    inputs = len(ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value).inputs)
    shared = op.attributes.get("workgroup_attributions", None)
    count = 0 if shared is None else ir.IntegerAttr(shared).value
    for index, value in enumerate(list(blocks[0].arguments)[inputs:]):
        kind, place = ("workgroup", index) if index < count else ("private", index - count)
        yield f"{kind} attribution {place}", value.type


def _judged(op: ir.Operation, operand: str, kind: ir.Type) -> Iterator[Diagnostic]:
    if not isinstance(kind, ir.MemRefType):
        return
    if not kind.has_static_shape:
        message = f"{operand} must have a static shape, got {kind} [T4]"
        yield op_error(op, message, _DYNAMIC_REMEDY)
    elif is_shared(kind) and (size := _bytes(kind)) > SMEM_BLOCK_BYTES:
        message = f"{operand} must have at most {SMEM_BLOCK_BYTES} bytes, got {size} [T4]"
        yield op_error(op, message, _LARGE_REMEDY)


def _bytes(kind: ir.MemRefType) -> int:
    """The size; elements whose width has no fixed number count one byte."""
    element = kind.element_type
    lanes = 1
    if isinstance(element, ir.VectorType):
        lanes, element = prod(element.shape), element.element_type
    known = isinstance(element, (ir.IntegerType, ir.FloatType))
    width = element.width if known else 8  # pyright: ignore[reportAttributeAccessIssue]
    return prod(kind.shape) * lanes * -(-width // 8)
