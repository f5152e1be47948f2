"""Where a module's device code is: its gpu.modules, their operations and their functions."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.texts import string_text

FUNCTIONS = ("gpu.func", "func.func", "llvm.func")
"""The operations that define a function in a gpu.module."""


def gpu_modules(root: ir.Operation) -> list[ir.Operation]:
    """`root` itself where it is a gpu.module, else those in its body, in source order."""
    if root.name == "gpu.module":
        return [root]
    return [op for op in _children(root) if op.name == "gpu.module"]


def operations(root: ir.Operation) -> Iterator[ir.Operation]:
    """Everything inside `root`, outer before inner, in source order; `root` is not among them."""
    for op in _children(root):
        yield op
        yield from operations(op)


def functions(module: ir.Operation) -> dict[str, ir.Operation]:
    """The functions that a gpu.module declares or defines, by name, in source order."""
    return {symbol_name(op): op for op in _children(module) if op.name in FUNCTIONS}


def kernel_names(module: ir.Operation) -> list[str]:
    """The kernels of a gpu.module: what a host can launch."""
    return [name for name, op in functions(module).items() if is_kernel(op)]


def is_kernel(function: ir.Operation) -> bool:
    """Marked as one, in any of the three dialects' ways."""
    marks = ("kernel", "gpu.kernel", "nvvm.kernel")
    return any(mark in function.attributes for mark in marks)


def symbol_name(op: ir.Operation) -> str:
    """The name that a symbol operation defines; bytes that are no UTF-8 as `\\xff`."""
    return string_text(op.attributes["sym_name"])


def _children(op: ir.Operation) -> Iterator[ir.Operation]:
    for region in op.regions:
        for block in region:
            for child in block.operations:
                yield child.operation
