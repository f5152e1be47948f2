"""What the builders are given for operands and numbers, checked before anything is built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mlir import ir
from mlir.dialects import arith

from tcgen05_mlir.model.values import as_int

_INDEX_BITS = 64


def read_value(name: str, value: Any) -> ir.Value:
    """The value, or the one result of an operation. Raises TypeError for anything else."""
    if isinstance(value, ir.Value):
        return value
    if not isinstance(value, (ir.Operation, ir.OpView)):
        raise TypeError(f"'{name}' must be a Value, got {type(value).__name__}")
    results = value.operation.results
    if len(results) != 1:
        raise TypeError(
            f"'{name}' must be a Value, got {value.operation.name} with {len(results)} results"
        )
    return results[0]


def read_indices(name: str, values: Any) -> list[ir.Value | int]:
    """Values and integers. Raises TypeError for other kinds, ValueError past 64 bits."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(
            f"'{name}' must be a sequence of Values and integers, got {type(values).__name__}"
        )
    return [_read_index(name, value) for value in values]


def read_int64(name: str, value: Any) -> int:
    """An integer of 64 bits. Raises TypeError for another kind, ValueError for one that is none."""
    number = as_int(value, name)
    if not -(1 << _INDEX_BITS - 1) <= number < 1 << _INDEX_BITS - 1:
        raise ValueError(f"'{name}' must fit {_INDEX_BITS} bits, got {number}")
    return number


def index_values(indices: Sequence[ir.Value | int], ip: ir.InsertionPoint | None) -> list[ir.Value]:
    """The indices as values; integers become constants at the insertion point."""
    index = ir.IndexType.get()
    return [arith.constant(index, i, ip=ip) if isinstance(i, int) else i for i in indices]


def _read_index(name: str, value: Any) -> ir.Value | int:
    if isinstance(value, (ir.Value, ir.Operation, ir.OpView)):
        return read_value(name, value)
    return read_int64(name, value)
