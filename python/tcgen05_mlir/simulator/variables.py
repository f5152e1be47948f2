"""Where a kernel's module variables lie: in shared memory, in global and constant memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.device_code import operations, symbol_name
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.simulator.machine import GlobalMemory, SharedBuffer, SharedLayout
from tcgen05_mlir.simulator.machine.shared_buffers import SYSTEM_BYTES
from tcgen05_mlir.simulator.translate.constants import attribute_value, constant_value
from tcgen05_mlir.simulator.translate.types import (
    Aggregate,
    Int,
    Type,
    UnknownType,
    Vector,
    align,
    parse_type,
)

SHARED_LIMIT = 227 * 1024
"""Bytes of shared memory of the largest block on sm_100."""

_SHARED, _CONSTANT = 3, 4


@dataclass
class Variables:
    """`layout`: a block's shared memory. `shared`: offsets in it; `elsewhere`: addresses."""

    layout: SharedLayout
    shared: dict[str, int] = field(default_factory=dict)
    elsewhere: dict[str, int] = field(default_factory=dict)


def place_variables(
    module: ir.Operation, names: tuple[str, ...], dynamic: int, memory: GlobalMemory
) -> Variables:
    """Lays out the variables of a gpu.module that a kernel uses, `dynamic` bytes behind the static.

    Raises PassFailure for one that cannot be simulated, ValueError for more shared memory than a
    block can have [F10].
    """
    found = [
        op
        for op in operations(module)
        if op.name == "llvm.mlir.global" and symbol_name(op) in names
    ]
    shared = [op for op in found if _space(op) == _SHARED]
    variables = _shared(shared, dynamic)
    for op in found:
        if op not in shared:
            data = np.zeros(_type(op).size, np.uint8)
            _write(data, _initial(op), _type(op), op)
            constant = _space(op) == _CONSTANT or "constant" in op.attributes
            buffer = memory.add(symbol_name(op), data, writable=not constant)
            variables.elsewhere[symbol_name(op)] = buffer.address
    return variables


def _space(op: ir.Operation) -> int:
    attribute = op.attributes
    return ir.IntegerAttr(attribute["addr_space"]).value if "addr_space" in attribute else 0


def _type(op: ir.Operation) -> Type:
    try:
        return parse_type(str(ir.TypeAttr(op.attributes["global_type"]).value))
    except UnknownType as error:
        raise PassFailure(op_error(op, str(error))) from None


def _alignment(op: ir.Operation) -> int:
    if "alignment" in op.attributes:
        return ir.IntegerAttr(op.attributes["alignment"]).value
    return max(_type(op).alignment, 1)


def _shared(found: list[ir.Operation], dynamic: int) -> Variables:
    buffers, offsets, end = [], {}, SYSTEM_BYTES
    behind = [op for op in found if _type(op).size == 0]
    for op in found:
        if op not in behind:
            name, size = symbol_name(op), _type(op).size
            start = align(end, _alignment(op))
            buffers.append(SharedBuffer(name, start, size, _alignment(op)))
            offsets[name], end = start, start + size
    static = end - SYSTEM_BYTES
    alignment = max(map(_alignment, behind), default=16)
    start = align(end, alignment)
    offsets.update({symbol_name(op): start for op in behind})
    if dynamic:
        buffers.append(SharedBuffer("dynamic", start, dynamic, alignment, dynamic=True))
    used = start + dynamic - SYSTEM_BYTES if dynamic else static
    if used > SHARED_LIMIT:
        raise ValueError(
            f"a block has at most {SHARED_LIMIT} bytes of shared memory, got {used} [F10]"
        )
    return Variables(SharedLayout(buffers), offsets)


def _initial(op: ir.Operation) -> object:
    """The initial value, None for zero."""
    type_ = _type(op)
    try:
        if "value" in op.attributes:
            return attribute_value(op.attributes["value"], type_)
        region = list(op.regions[0])
        inner = [child.operation for child in region[0].operations] if region else []
        if not inner:
            return None
        value = constant_value(inner[0]) if len(inner) == 2 else None
    except UnknownType as error:
        raise PassFailure(op_error(op, str(error))) from None
    if value is None:
        raise PassFailure(op_error(op, "has an initializer that is not simulated: constants are"))
    return value


def _write(data: np.ndarray, value: object, type_: Type, op: ir.Operation) -> None:
    """The bytes of a value."""
    if value is None:
        return
    if isinstance(type_, Aggregate):
        assert isinstance(value, tuple)
        for place, (member, kind) in enumerate(zip(value, type_.members, strict=True)):
            _write(data[type_.offset(place) :], member, kind, op)
        return
    if isinstance(type_, Vector) and isinstance(type_.element, Int) and not type_.element.natural:
        raise PassFailure(op_error(op, f"of vectors of i{type_.element.width} is not simulated"))
    raw = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    data[: raw.size] = raw
