"""The memory space of a value's type, whichever of its spellings the type uses."""

from __future__ import annotations

from mlir import ir
from mlir.dialects.llvm import PointerType  # pyright: ignore[reportAttributeAccessIssue]

WORKGROUP = "#gpu.address_space<workgroup>"
"""What a shared memref carries where upstream's conversions are to take it."""

NVVM_SHARED = "#nvvm.memory_space<shared>"
"""The spelling of shared memory that convert-gpu-to-nvvm does not know."""

_SHARED = {WORKGROUP, NVVM_SHARED, "3"}
_TENSOR = {"#nvvm.memory_space<tensor>", "6"}


def is_shared(kind: ir.Type) -> bool:
    """A memref or an LLVM pointer in shared memory."""
    return _space(kind) in _SHARED


def is_tensor(kind: ir.Type) -> bool:
    """A memref or an LLVM pointer in tensor memory."""
    return _space(kind) in _TENSOR


def space_text(kind: ir.Type) -> str:
    """The space as the type spells it; `3` for `!llvm.ptr<3>`, empty for the default one."""
    return _space(kind)


def _space(kind: ir.Type) -> str:
    if isinstance(kind, PointerType):
        return str(kind.address_space)  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(kind, (ir.MemRefType, ir.UnrankedMemRefType)):
        space = kind.memory_space
        return str(space).split(" : ")[0] if space is not None else ""
    return ""
