"""Operands that emulation takes, judged while nothing has been changed (rule E1).

Upstream lets some operations have pointers of any address space, and inline assembly anything.
"""

from __future__ import annotations

from typing import Final

from mlir import ir

from tcgen05_mlir.passes.diagnostics import PassFailure, op_error

SHARED: Final = ("!llvm.ptr<3>", "!llvm.ptr")
"""Pointers to the block's shared memory; a generic one may be."""

TENSOR: Final = ("i32", "!llvm.ptr<6>")
"""An address of tensor memory in a register of 32 bits."""


def require_type(op: ir.Operation, name: str, value: ir.Value, *kinds: str) -> None:
    """Raises PassFailure where `value`, called `name` in the message, has none of these types."""
    if str(value.type) not in kinds:
        wanted = " or ".join(kinds)
        text = f"'{name}' must be of type {wanted} to be emulated, got {value.type} [E1]"
        raise PassFailure(op_error(op, text))


def require_operands(op: ir.Operation, *kinds: tuple[str, ...]) -> None:
    """Raises PassFailure where an inline assembly has not these operands, and no result."""
    if len(op.results):
        text = f"must have no result to be emulated, got {op.results[0].type} [E1]"
        raise PassFailure(op_error(op, text))
    if len(op.operands) != len(kinds):
        text = f"must have {len(kinds)} operands to be emulated, got {len(op.operands)} [E1]"
        raise PassFailure(op_error(op, text))
    for number, (value, wanted) in enumerate(zip(op.operands, kinds, strict=True)):
        require_type(op, f"${number}", value, *wanted)
