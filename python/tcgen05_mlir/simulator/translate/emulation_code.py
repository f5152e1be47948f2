"""Which code `tcgen05-emulate` has added."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.emulation.names import PREFIX
from tcgen05_mlir.passes.device_code import FUNCTIONS, symbol_name


def emulates(op: ir.Operation) -> bool:
    """The operation is, or stands in, a function of emulation's library."""
    found: ir.Operation | None = op
    while found is not None and found.name not in FUNCTIONS:
        parent = found.parent
        found = None if parent is None else parent.operation
    return found is not None and symbol_name(found).startswith(PREFIX)
