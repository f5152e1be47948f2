"""`tcgen05-record-dynamic-alignment`, `tcgen05-place-dynamic-shared`: real dynamic shared memory.

convert-gpu-to-nvvm of LLVM 22.1.8 makes `gpu.dynamic_shared_memory` a global of internal linkage
and alignment 16. PTX then declares one byte of static shared memory by that name, which the block's
other buffers may follow: what the launch adds is somewhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations, symbol_name
from tcgen05_mlir.passes.facts.definitions import behind, definition

ALIGNMENT_ATTRIBUTE = "tcgen05.dynamic_alignment"
"""On a gpu.module: bytes, what its dynamic shared memory must be aligned to."""

_ROOT = "gpu.dynamic_shared_memory"
_STATEMENTS = ("tcgen05.view", "memref.assume_alignment")
_VIEWS = (
    *_STATEMENTS,
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
)
_LOWERED_PREFIX = "__dynamic_shmem__"


@register_pass
@dataclass(frozen=True)
class RecordDynamicAlignment(Pass):
    """Notes on each gpu.module the largest alignment that is stated of dynamic shared memory.

    By `alignment(N)` of a `tcgen05.view`, or by memref.assume_alignment.
    It runs while the views are there; `tcgen05-place-dynamic-shared` reads the note when the
    memory has become a global. A module without such a view gets no note.
    """

    name: ClassVar[str] = "tcgen05-record-dynamic-alignment"
    description: ClassVar[str] = "Note the alignment that views of dynamic shared memory rely on"

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            if alignments := list(_alignments(module)):
                value = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), max(alignments))
                module.attributes[ALIGNMENT_ATTRIBUTE] = value


@register_pass
@dataclass(frozen=True)
class PlaceDynamicShared(Pass):
    """Makes the global of dynamic shared memory what CUDA launches: external, aligned as noted.

    `.shared .align 16 .b8 __dynamic_shmem__0;` in the PTX, one byte of static memory, becomes
    `.extern .shared .align 1024 .b8 __dynamic_shmem__0[];`. Source: PTX `extern-directive`.
    """

    name: ClassVar[str] = "tcgen05-place-dynamic-shared"
    description: ClassVar[str] = "Declare dynamic shared memory as external, with its alignment"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            noted = _noted(module)
            for inner in operations(module):
                if inner.name == "llvm.mlir.global" and _is_dynamic(inner):
                    _place(inner, noted)
            if ALIGNMENT_ATTRIBUTE in module.attributes:
                del module.attributes[ALIGNMENT_ATTRIBUTE]


def _alignments(module: ir.Operation) -> Iterator[int]:
    for op in operations(module):
        if op.name in _STATEMENTS and "alignment" in op.attributes and _is_of_dynamic(op):
            yield ir.IntegerAttr(op.attributes["alignment"]).value


def _is_of_dynamic(op: ir.Operation) -> bool:
    """A chain of views leads from the operation to the dynamic shared memory."""
    owner = definition(behind(op.operands[0], _VIEWS))
    return owner is not None and owner.name == _ROOT


def _noted(module: ir.Operation) -> int:
    if ALIGNMENT_ATTRIBUTE not in module.attributes:
        return 0
    return ir.IntegerAttr(module.attributes[ALIGNMENT_ATTRIBUTE]).value


def _is_dynamic(op: ir.Operation) -> bool:
    return symbol_name(op).startswith(_LOWERED_PREFIX)


def _place(op: ir.Operation, noted: int) -> None:
    present = ir.IntegerAttr(op.attributes["alignment"])
    op.attributes["alignment"] = ir.IntegerAttr.get(present.type, max(present.value, noted))
    op.attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>")
