"""Rule T9: types and memory spaces are ones that the machine has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.texts import attributes_of

_SPACES = (*range(8), 101)
_GLOBAL_SPACES = (0, 1, 3, 4)
_TENSOR = 6
_MAX_BITS = 4096
"""LLVM splits wider integers as well, up to a width that it asserts, but nobody waits for it."""

_QUOTED = re.compile(r'"[^"]*"')
_UNKNOWN = re.compile(r"\b(f80|f128|ppc_fp128|x86_fp80|fp128|x86_amx)\b")
_INTEGER = re.compile(r"(?:\b|(?<=x))[su]?i(\d+)\b")
_SCALABLE = re.compile(r"vector<[^<>]*\[\d+\]")
_POINTER = re.compile(r"\bptr<(\d+)>")
_SPACE_REMEDY = (
    "0 is generic, 1 global, 3 shared, 4 constant, 5 local, 6 tensor, 7 a cluster's shared memory, "
    "101 parameters"
)
_TENSOR_REMEDY = "allocate it at run time with nvvm.tcgen05.alloc"


class TypeRule:
    """Rule T9 for one module; what it found out about a type it knows the next time."""

    def __init__(self) -> None:
        self._known: dict[ir.Type, tuple[str, str] | None] = {}

    def unknown_types(self, op: ir.Operation) -> Iterator[Diagnostic]:
        """The first error of each distinct type that `op` defines values of, or declares."""
        for kind in dict.fromkeys(_types(op)):
            if kind not in self._known:
                self._known[kind] = _fault(kind)
            fault = self._known[kind]
            if fault is not None:
                yield op_error(op, *fault)
        yield from _misplaced_global(op)


def _types(op: ir.Operation) -> Iterator[ir.Type]:
    for result in op.results:
        yield result.type
    for region in op.regions:
        for block in region:
            for argument in block.arguments:
                yield argument.type
    declaration = op.name in FUNCTIONS and not list(op.regions[0])
    if declaration or op.name in ("memref.global", "llvm.mlir.global", "llvm.alloca"):
        for attribute in attributes_of(op).values():
            if isinstance(attribute, ir.TypeAttr):
                yield attribute.value


def _fault(kind: ir.Type) -> tuple[str, str] | None:
    """The message and the remedy."""
    text = _QUOTED.sub("", str(kind))
    if match := _UNKNOWN.search(text):
        message = f"must have types that PTX has, got '{match[0]}' in {kind} [T9]"
        return message, "use f64 at most"
    if _SCALABLE.search(text):
        return f"must have vectors of fixed size, got {kind} [T9]", "give the vector a fixed size"
    width = next((int(bits) for bits in _INTEGER.findall(text) if not _fits(int(bits))), None)
    if width is not None:
        message = f"must have integers of 1..{_MAX_BITS} bits, got i{width} in {kind} [T9]"
        return message, "make it several integers"
    wrong = next((space for space in _spaces(kind, text) if space not in _SPACES), None)
    if wrong is not None:
        return (
            f"memory space must be one of 0..7 and 101, got {wrong} in {kind} [T9]",
            _SPACE_REMEDY,
        )
    if isinstance(kind, ir.MemRefType) and _elements(kind) >= 1 << 60:
        return f"must have memrefs of less than 2^60 elements, got {kind} [T9]", "make it smaller"
    return None


def _fits(bits: int) -> bool:
    return 1 <= bits <= _MAX_BITS


def _spaces(kind: ir.Type, text: str) -> Iterator[int]:
    yield from (int(number) for number in _POINTER.findall(text))
    memory = isinstance(kind, (ir.MemRefType, ir.UnrankedMemRefType))
    if memory and isinstance(kind.memory_space, ir.IntegerAttr):
        yield kind.memory_space.value


def _elements(kind: ir.MemRefType) -> int:
    count = 1
    for extent in range(kind.rank):
        count *= 1 if kind.is_dynamic_dim(extent) else max(1, kind.get_dim_size(extent))
    return count


def _misplaced_global(op: ir.Operation) -> Iterator[Diagnostic]:
    space = _global_space(op)
    if space == _TENSOR:
        message = "must be in global, shared or constant memory, got 6, which is tensor memory [T2]"
        yield op_error(op, message, _TENSOR_REMEDY)
    elif space is not None and space not in _GLOBAL_SPACES:
        message = f"memory space of a global must be 0, 1, 3 or 4, got {space} [T9]"
        yield op_error(op, message, _SPACE_REMEDY)


def _global_space(op: ir.Operation) -> int | None:
    if op.name == "llvm.mlir.global":
        space = op.attributes.get("addr_space", None)
    elif op.name == "memref.global":
        space = ir.MemRefType(ir.TypeAttr(op.attributes["type"]).value).memory_space
        if str(space) == "#nvvm.memory_space<tensor>":
            return _TENSOR
    else:
        return None
    return space.value if isinstance(space, ir.IntegerAttr) else None
