"""`tcgen05-shared-to-workgroup`: one spelling of shared memory for upstream's conversions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.memory_spaces import NVVM_SHARED, WORKGROUP, space_text
from tcgen05_mlir.passes.texts import attributes_of


@register_pass
@dataclass(frozen=True)
class SharedToWorkgroup(Pass):
    """In device code every memref in `#nvvm.memory_space<shared>` becomes a workgroup memref.

    convert-gpu-to-nvvm knows `#gpu.address_space<workgroup>` and 3, and leaves the NVVM spelling
    unconverted. Values, block arguments, and the types in attributes (a function's type, a
    global's) change together: `memref<128x4xi32, #nvvm.memory_space<shared>>` is
    `memref<128x4xi32, #gpu.address_space<workgroup>>` afterwards, layouts as they were.
    """

    name: ClassVar[str] = "tcgen05-shared-to-workgroup"
    description: ClassVar[str] = "Rewrite #nvvm.memory_space<shared> memrefs to workgroup memrefs"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("gpu",)

    def run(self, op: ir.Operation) -> None:
        with op.context:
            for module in gpu_modules(op):
                for inner in operations(module):
                    _rewrite(inner)


def _rewrite(op: ir.Operation) -> None:
    arguments = [value for region in op.regions for block in region for value in block.arguments]
    for value in (*op.results, *arguments):
        kind = _workgroup(value.type)
        if kind != value.type:
            value.set_type(kind)
    for name, attribute in attributes_of(op).items():
        if isinstance(attribute, ir.TypeAttr):
            op.attributes[name] = ir.TypeAttr.get(_workgroup(attribute.value))


def _workgroup(kind: ir.Type) -> ir.Type:
    """`kind` with every memref in it moved; function types are looked into."""
    if isinstance(kind, ir.FunctionType):
        return ir.FunctionType.get(
            [_workgroup(inner) for inner in kind.inputs],
            [_workgroup(inner) for inner in kind.results],
        )
    if space_text(kind) != NVVM_SHARED:
        return kind
    space = ir.Attribute.parse(WORKGROUP)
    if isinstance(kind, ir.UnrankedMemRefType):
        return ir.UnrankedMemRefType.get(kind.element_type, space)
    shaped = ir.MemRefType(kind)
    return ir.MemRefType.get(shaped.shape, shaped.element_type, shaped.layout, space)
