"""The operation that defines a value."""

from __future__ import annotations

from mlir import ir


def definition(value: ir.Value) -> ir.Operation | None:
    """The operation whose result ``value`` is; None for a block argument.

    As an `ir.Operation`, whose ``name`` is the operation's: that of memref.get_global's own class
    is the symbol's.
    """
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation
