"""The alignments that views of shared memory state, as assumptions that a run checks."""

from __future__ import annotations

from mlir import ir
from mlir.dialects import arith, llvm, memref

from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.lowering.elements import element_bytes

_INDEX_BYTES = 8
"""Of an element whose size the data layout alone does not tell: of type index."""


def state_alignments(module: ir.Module) -> None:
    """Puts llvm.intr.assume before each `tcgen05.view` that states an alignment, in place.

    The lowering forgets `alignment(N)`; this operation comes through it.
    """
    for holder in gpu_modules(module.operation):
        for op in list(operations(holder)):
            if op.name == "tcgen05.view" and "alignment" in op.attributes:
                _state(op, ir.IntegerAttr(op.attributes["alignment"]).value)


def _state(view: ir.Operation, alignment: int) -> None:
    with ir.InsertionPoint(view), view.location:
        source = view.operands[0]
        pointer = _start(source) if isinstance(source.type, ir.MemRefType) else source
        i1, i64 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(64)
        true = llvm.ConstantOp(i1, ir.IntegerAttr.get(i1, 1)).result
        size = llvm.ConstantOp(i64, ir.IntegerAttr.get(i64, alignment)).result
        tags = ir.ArrayAttr.get([ir.StringAttr.get("align")])
        llvm.AssumeOp(true, [pointer, size], [2], op_bundle_tags=tags)


def _start(buffer: ir.Value) -> ir.Value:
    """The address of a strided memref's first element."""
    index, i64 = ir.IndexType.get(), ir.IntegerType.get_signless(64)
    address = memref.ExtractAlignedPointerAsIndexOp(buffer).result
    type_ = ir.MemRefType(buffer.type)
    _, offset = type_.get_strides_and_offset()
    if offset:
        elements = memref.ExtractStridedMetadataOp(buffer).offset
        width = element_bytes(type_.element_type) or _INDEX_BYTES
        size = arith.ConstantOp(index, ir.IntegerAttr.get(index, width)).result
        address = arith.AddIOp(address, arith.MulIOp(elements, size).result).result
    number = arith.IndexCastOp(i64, address).result
    return llvm.IntToPtrOp(ir.Type.parse("!llvm.ptr<3>"), number).result
