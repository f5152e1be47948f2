"""`tcgen05-check-memory`: rules T2 and T3, what the backend would end the process over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.memory_spaces import is_shared, is_tensor, space_text

_ACCESSES = {
    "llvm.load": {0: "addr"},
    "llvm.store": {1: "addr"},
    "llvm.atomicrmw": {0: "ptr"},
    "llvm.cmpxchg": {0: "ptr"},
    "llvm.addrspacecast": {0: "arg"},
    "llvm.intr.memcpy": {0: "dst", 1: "src"},
    "llvm.intr.memcpy.inline": {0: "dst", 1: "src"},
    "llvm.intr.memmove": {0: "dst", 1: "src"},
    "llvm.intr.memset": {0: "dst"},
    "llvm.intr.memset.inline": {0: "dst"},
    "llvm.intr.masked.load": {0: "data"},
    "llvm.intr.masked.store": {1: "data"},
    "llvm.intr.prefetch": {0: "addr"},
    "memref.load": {0: "memref"},
    "memref.store": {1: "memref"},
    "memref.copy": {0: "source", 1: "target"},
    "memref.atomic_rmw": {1: "memref"},
    "memref.generic_atomic_rmw": {0: "memref"},
    "memref.prefetch": {0: "memref"},
    "memref.memory_space_cast": {0: "source"},
    "affine.load": {0: "memref"},
    "affine.store": {1: "memref"},
    "affine.vector_load": {0: "memref"},
    "affine.vector_store": {1: "memref"},
    "vector.load": {0: "base"},
    "vector.store": {1: "base"},
    "vector.maskedload": {0: "base"},
    "vector.maskedstore": {0: "base"},
    "vector.gather": {0: "base"},
    "vector.scatter": {0: "base"},
    "vector.expandload": {0: "base"},
    "vector.compressstore": {0: "base"},
    "vector.transfer_read": {0: "base"},
    "vector.transfer_write": {1: "base"},
}
"""The ordinary accesses and casts: at which operand the memory is, and what ODS calls it."""

_CASTS = ("llvm.addrspacecast", "memref.memory_space_cast")
_ALLOCATIONS = ("memref.alloc", "memref.alloca", "llvm.alloca")

_TENSOR_REMEDY = (
    "tensor memory is read by nvvm.tcgen05.ld and written by nvvm.tcgen05.st and tcgen05.cp; "
    "tcgen05.address gives the address of an element"
)
_SHARED_REMEDY = (
    "declare it with memref.global or as a workgroup attribution of the gpu.func, or take it from "
    "gpu.dynamic_shared_memory"
)


@register_pass
@dataclass(frozen=True)
class CheckMemory(Pass):
    """Device code treats tensor memory and shared memory as the hardware has them.

    T2: ordinary loads, stores, atomics and casts between memory spaces stay out of tensor memory
    (space 6, or `#nvvm.memory_space<tensor>`), whose addresses mean nothing to them: LLVM 22.1.8
    would read some other memory there, or end the process. T3: `memref.alloc`, `memref.alloca` and
    `llvm.alloca` make no shared memory: LLVM would end the process, or call malloc. All violations
    are reported, in source order. Source: PTX `tensor-memory`, `state-spaces`.
    """

    name: ClassVar[str] = "tcgen05-check-memory"
    description: ClassVar[str] = "Check that ordinary operations stay out of tensor memory"

    def run(self, op: ir.Operation) -> None:
        found = [
            diagnostic
            for module in gpu_modules(op)
            for inner in operations(module)
            for diagnostic in (*_accesses(inner), *shared_allocations(inner))
        ]
        if found:
            raise PassFailure(*found)


def shared_allocations(op: ir.Operation) -> Iterator[Diagnostic]:
    """Rule T3 for one operation: the error where it allocates shared memory."""
    if op.name in _ALLOCATIONS and is_shared(op.result.type):
        message = (
            f"result must be in generic or local memory, got {space_text(op.result.type)}, which "
            "is shared memory [T3]"
        )
        yield op_error(op, message, _SHARED_REMEDY)


def _accesses(op: ir.Operation) -> Iterator[Diagnostic]:
    for index, name in _ACCESSES.get(op.name, {}).items():
        if is_tensor(op.operands[index].type):
            yield _misplaced(op, f"'{name}'", op.operands[index].type)
    if op.name in _CASTS and is_tensor(op.result.type):
        yield _misplaced(op, "result", op.result.type)


def _misplaced(op: ir.Operation, operand: str, kind: ir.Type) -> Diagnostic:
    message = (
        f"{operand} must be in generic, global, shared, constant or local memory, got "
        f"{space_text(kind)}, which is tensor memory [T2]"
    )
    return op_error(op, message, _TENSOR_REMEDY)
