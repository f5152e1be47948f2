"""The function that an operation is in, and whether what emulation adds is in reach there."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error

_MODULES = ("gpu.module", "builtin.module")


def function_of(op: ir.Operation) -> ir.Operation | None:
    """The innermost function around an operation."""
    return _around(op, FUNCTIONS)


def module_of(op: ir.Operation) -> ir.Operation:
    """The innermost module around an operation, in which its symbols are looked up."""
    module = _around(op, _MODULES)
    assert module is not None, "device code is in a gpu.module"
    return module


def require_own_function(op: ir.Operation, module: ir.Operation) -> None:
    """Raises PassFailure [E1] for an operation that is not in a function of `module` itself."""
    function = function_of(op)
    if function is None or module_of(function) != module or module_of(op) != module:
        text = "must be in a function of the gpu.module, not of a module in it, to be emulated [E1]"
        raise PassFailure(op_error(op, text))


def _around(op: ir.Operation, names: tuple[str, ...]) -> ir.Operation | None:
    parent = op.parent
    while parent is not None and parent.operation.name not in names:
        parent = parent.operation.parent
    return parent.operation if parent is not None else None
