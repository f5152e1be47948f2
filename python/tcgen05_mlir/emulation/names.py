"""Symbols that start with `__tcgen05_`, which emulation keeps for itself (rule E1)."""

from __future__ import annotations

from collections.abc import Collection

from mlir import ir

from tcgen05_mlir.passes.device_code import symbol_name
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error

PREFIX = "__tcgen05_"
"""Of every symbol that emulation adds."""


def taken_names(module: ir.Operation, made: Collection[str] | None = None) -> list[Diagnostic]:
    """An error for each symbol of a gpu.module with the prefix, or with one of the names `made`."""
    symbols = [
        one.operation
        for one in module.regions[0].blocks[0].operations
        if "sym_name" in one.operation.attributes
    ]
    return [
        op_error(op, f"'sym_name' must not start with {PREFIX}, got {name} [E1]")
        for op, name in ((symbol, symbol_name(symbol)) for symbol in symbols)
        if (name.startswith(PREFIX) if made is None else name in made)
    ]
