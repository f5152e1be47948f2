"""The operation that a symbol names, seen from an operation."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.passes.device_code import symbol_name

_TABLES = ("gpu.module", "builtin.module")


class Symbols:
    """The symbols of the modules around operations, each module read once.

    It holds operations, so it lives no longer than the pass that made it.
    """

    def __init__(self) -> None:
        self._tables: dict[ir.Operation, dict[str, ir.Operation]] = {}

    def lookup(self, op: ir.Operation, name: str) -> ir.Operation | None:
        """The operation that ``@name`` means at ``op``, in the nearest module that has it."""
        parent = op.parent
        while parent is not None:
            operation = parent.operation
            if operation.name in _TABLES and name in self._table(operation):
                return self._table(operation)[name]
            parent = operation.parent
        return None

    def _table(self, module: ir.Operation) -> dict[str, ir.Operation]:
        if module not in self._tables:
            children = [op.operation for op in module.regions[0].blocks[0].operations]
            self._tables[module] = {
                symbol_name(op): op for op in children if "sym_name" in op.attributes
            }
        return self._tables[module]
