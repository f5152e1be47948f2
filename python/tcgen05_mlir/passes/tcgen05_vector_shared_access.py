"""`tcgen05-vector-shared-access`: vector accesses name shared memory by its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir
from mlir.dialects import memref

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.memory_spaces import WORKGROUP, space_text

_SHARED_SPACE = 3


@register_pass
@dataclass(frozen=True)
class VectorSharedAccess(Pass):
    """Workgroup memrefs reach the operations of the vector dialect through a cast to space 3.

    convert-vector-to-llvm, which alone lowers transfers and multi-dimensional vectors, does not
    know `#gpu.address_space<workgroup>`; convert-gpu-to-nvvm, which knows it, lowers only the
    simple ones. Both know 3, and the cast between the two spellings costs nothing.
    """

    name: ClassVar[str] = "tcgen05-vector-shared-access"
    description: ClassVar[str] = "Cast the workgroup memrefs of vector operations to space 3"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("memref",)

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            for inner in list(operations(module)):
                if inner.name.startswith("vector."):
                    _cast_operands(inner)


def _cast_operands(op: ir.Operation) -> None:
    for index, value in enumerate(op.operands):
        if space_text(value.type) == WORKGROUP:
            kind = ir.MemRefType(value.type)
            space = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, op.context), _SHARED_SPACE)
            numbered = ir.MemRefType.get(
                kind.shape, kind.element_type, kind.layout, space, loc=op.location
            )
            with ir.InsertionPoint(op), op.location:
                op.operands[index] = memref.MemorySpaceCastOp(numbered, value).result
