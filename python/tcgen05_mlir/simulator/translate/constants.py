"""Operations whose value is known before the run: they become names, not code."""

from __future__ import annotations

from typing import Any

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.texts import symbol_text
from tcgen05_mlir.simulator.translate.emitter import zero
from tcgen05_mlir.simulator.translate.types import (
    Aggregate,
    Array,
    Float,
    Type,
    UnknownType,
    Vector,
    dtype_of,
    parse_type,
)

_ZEROS = ("llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "llvm.mlir.none")


class ConstantNames:
    """Names of constants (C0, ...: `namespace` has their values) and of global variables' addresses
    (G0, ...: `globals` has their symbols).
    """

    def __init__(self, variables: set[str]) -> None:
        self.variables = variables
        self.namespace: dict[str, Any] = {}
        self.globals: dict[str, str] = {}

    def name(self, op: ir.Operation) -> str | None:
        """The name of a constant operation's result; None for any other operation."""
        if op.name == "llvm.mlir.addressof":
            return self._address(symbol_text(op.attributes["global_name"]))
        try:
            value = constant_value(op)
        except UnknownType:
            return None
        if value is None:
            return None
        name = f"C{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def _address(self, symbol: str) -> str | None:
        if symbol not in self.variables:
            return None
        known = {found: name for name, found in self.globals.items()}
        name = known.get(symbol, f"G{len(self.globals)}")
        self.globals[name] = symbol
        return name


def constant_value(op: ir.Operation) -> Any:
    """The value of a constant operation of the llvm dialect; None for any other.

    Raises UnknownType for a constant of a type or form that is not simulated.
    """
    if op.name in _ZEROS:
        return zero(parse_type(str(op.results[0].type)))
    if op.name == "llvm.mlir.constant":
        return attribute_value(op.attributes["value"], parse_type(str(op.results[0].type)))
    return None


def attribute_value(attribute: ir.Attribute, type_: Type) -> Any:
    """A value of `type_` from its attribute: a number, a dense or a string for many."""
    if isinstance(type_, Aggregate):
        return _aggregate(attribute, type_)
    if isinstance(attribute, ir.IntegerAttr | ir.BoolAttr):
        return _integer(int(attribute.value), type_)
    if isinstance(attribute, ir.FloatAttr):
        return _number(ir.FloatAttr(attribute).value, type_)
    if isinstance(attribute, ir.DenseElementsAttr) and isinstance(type_, Vector):
        return elements(attribute, type_.element)[:, None]
    raise UnknownType(f"constant '{attribute}' is not simulated")


def _integer(value: int, type_: Type) -> Any:
    bits = getattr(type_, "width", 8 * type_.size)
    return dtype_of(type_).type(value & (1 << bits) - 1)


def _number(value: float, type_: Type) -> Any:
    if type_ == Float("bf16"):
        return np.uint16(np.float32(value).view(np.uint32) >> np.uint32(16))
    return dtype_of(type_).type(value)


def _aggregate(attribute: ir.Attribute, type_: Aggregate) -> tuple:
    if isinstance(attribute, ir.ArrayAttr):
        members = zip(ir.ArrayAttr(attribute), type_.members, strict=True)
        return tuple(attribute_value(member, kind) for member, kind in members)
    if isinstance(type_, Array) and isinstance(attribute, ir.StringAttr):
        return tuple(np.uint8(byte) for byte in ir.StringAttr(attribute).value_bytes)
    if isinstance(type_, Array) and isinstance(attribute, ir.DenseElementsAttr):
        return _nest(elements(attribute, _leaf(type_)), type_)
    raise UnknownType(f"constant '{attribute}' is not simulated")


def _leaf(type_: Type) -> Type:
    while isinstance(type_, Array | Vector):
        type_ = type_.element
    return type_


def _nest(flat: np.ndarray, type_: Type) -> Any:
    """Numbers in row-major order as nested tuples."""
    if isinstance(type_, Vector):
        return flat[:, None]
    if not isinstance(type_, Array):
        return flat[0]
    return tuple(_nest(part, type_.element) for part in np.split(flat, type_.count))


def elements(attribute: ir.Attribute, element: Type) -> np.ndarray:
    """The numbers of a dense attribute in row-major order, as values are held."""
    if isinstance(attribute, ir.DenseIntElementsAttr):
        return np.array([_integer(int(number), element) for number in attribute])
    if isinstance(attribute, ir.DenseFPElementsAttr):
        return np.array([_number(number, element) for number in attribute])
    raise UnknownType(f"constant '{attribute}' is not simulated")
