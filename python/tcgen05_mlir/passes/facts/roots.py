"""Allocations of shared memory: globals, attributions, dynamic memory, and what is only a value."""

from __future__ import annotations

from dataclasses import replace

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.places import Root
from tcgen05_mlir.passes.facts.pointers import type_bytes
from tcgen05_mlir.passes.facts.statements import alignment_in
from tcgen05_mlir.passes.facts.sums import low_bit
from tcgen05_mlir.passes.facts.symbols import Symbols
from tcgen05_mlir.passes.lowering.buffers import extent_bytes
from tcgen05_mlir.passes.lowering.elements import element_bytes
from tcgen05_mlir.passes.texts import symbol_text

DYNAMIC_ALIGNMENT = 16
"""Bytes: what LLVM gives `gpu.dynamic_shared_memory`."""

_LARGEST_NATURAL = 16

_SYMBOLS = {"memref.get_global": "name", "llvm.mlir.addressof": "global_name"}
"""Operations that name a global, and the attribute that does."""


def is_global(op: ir.Operation) -> bool:
    """Whether the operation names a global."""
    return op.name in _SYMBOLS


def root_of(value: ir.Value, symbols: Symbols) -> Root:
    """The allocation that a memref or pointer, which nothing in sight moves, is the start of."""
    owner = definition(value)
    if owner is None:
        return _argument(ir.BlockArgument(value))
    if owner.name in _SYMBOLS:
        return _global(owner, symbols)
    if owner.name == "gpu.dynamic_shared_memory":
        return Root("dynamic", owner.name, owner.location, DYNAMIC_ALIGNMENT)
    return _typed(value, f"the result of '{owner.name}'", owner.location)


def _typed(value: ir.Value, source: str, location: ir.Location) -> Root:
    """A root of which only the type speaks."""
    if not isinstance(value.type, ir.MemRefType):
        return Root(value, source, location)
    size = element_bytes(ir.MemRefType(value.type).element_type) or 1
    alignment = min(low_bit(size), _LARGEST_NATURAL)
    return Root(value, source, location, alignment, extent_bytes(value))


def _argument(value: ir.BlockArgument) -> Root:
    """An argument of a function: a workgroup attribution, or a buffer with `llvm.align`."""
    owner = value.owner.owner
    function = None if owner is None else owner.operation
    root = _typed(value, "a block argument", value.location)
    if function is None or function.name not in FUNCTIONS:
        return root
    if value.owner != function.regions[0].blocks[0]:
        return root
    inputs = _inputs(function)
    if value.arg_number < inputs:
        root = replace(root, source=f"argument {value.arg_number}", is_argument=True)
        entry = _entry(function, "arg_attrs", value.arg_number, root.source)
    else:
        root = replace(root, source=f"workgroup attribution {value.arg_number - inputs}")
        number = value.arg_number - inputs
        entry = _entry(function, "workgroup_attrib_attrs", number, root.source)
    return root if entry is None else replace(root, alignment=entry)


def _inputs(function: ir.Operation) -> int:
    """Arguments in the function's type; a gpu.func's attributions come behind them."""
    if function.name == "llvm.func":
        return len(function.regions[0].blocks[0].arguments)
    return len(ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).inputs)


def _entry(function: ir.Operation, name: str, number: int, source: str) -> int | None:
    """The `llvm.align` of an argument, in bytes."""
    if name not in function.attributes:
        return None
    entries = ir.ArrayAttr(function.attributes[name])
    if number >= len(entries) or "llvm.align" not in ir.DictAttr(entries[number]):
        return None
    attribute = ir.DictAttr(entries[number])["llvm.align"]
    return alignment_in(attribute, f"'llvm.align' of {source}", function)


def _global(op: ir.Operation, symbols: Symbols) -> Root:
    """The alignment and size of a symbol."""
    name = symbol_text(op.attributes[_SYMBOLS[op.name]])
    symbol = symbols.lookup(op, name)
    root = _typed(op.result, f"@{name}", op.location)
    if symbol is None:
        return root
    root = replace(root, key=symbol, source=f"{symbol.name} @{name}", location=symbol.location)
    if op.name == "llvm.mlir.addressof":
        root = replace(root, extent=_global_bytes(symbol))
    if "alignment" in symbol.attributes:
        alignment = alignment_in(symbol.attributes["alignment"], "'alignment'", symbol)
        root = replace(root, alignment=alignment)
    return root


def _global_bytes(symbol: ir.Operation) -> int | None:
    """None for one without elements: its size is what a launch gives."""
    if "global_type" not in symbol.attributes:
        return None
    return type_bytes(ir.TypeAttr(symbol.attributes["global_type"]).value) or None
