"""`tcgen05-state-alignments`: what views of shared memory state, for a run to check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir
from mlir.dialects import arith, llvm, memref

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.lowering.elements import element_bytes

_INDEX_BYTES = 8
"""Of an element whose size the data layout alone does not tell: of type index."""


@register_pass
@dataclass(frozen=True)
class StateAlignments(Pass):
    """Puts llvm.intr.assume before each `tcgen05.view` that states an alignment.

    `alignment(1024)` becomes the operand bundle `"align"(%start, 1024)`. The lowering forgets what
    the view states; this operation comes through it, for the simulator and for emulated code,
    which check it when they run (F9).
    """

    name: ClassVar[str] = "tcgen05-state-alignments"
    description: ClassVar[str] = "State the alignments of views where a run can check them"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith", "llvm", "memref")

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            for inner in list(operations(module)):
                if inner.name == "tcgen05.view" and "alignment" in inner.attributes:
                    _state(inner, ir.IntegerAttr(inner.attributes["alignment"]).value)


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
