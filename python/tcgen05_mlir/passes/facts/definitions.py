"""The operation that defines a value."""

from __future__ import annotations

from collections.abc import Container

from mlir import ir


def definition(value: ir.Value) -> ir.Operation | None:
    """The operation whose result ``value`` is; None for a block argument.

    As an `ir.Operation`, whose ``name`` is the operation's: that of memref.get_global's own class
    is the symbol's.
    """
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation


def behind(value: ir.Value, names: Container[str]) -> ir.Value:
    """The value that chains of the named operations start at, each made of its first operand.

    In code that nothing reaches such a chain may be a ring: then a value of the ring.
    """
    seen: set[ir.Value] = set()
    owner = definition(value)
    while owner is not None and owner.name in names and value not in seen:
        seen.add(value)
        value = owner.operands[0]
        owner = definition(value)
    return value
