"""Loads, stores, atomics and fences in a function that `code.Code` writes."""

from __future__ import annotations

from mlir import ir

from .code import Code
from .values import Value, integer_type, pointer_type

_MONOTONIC = "2 : i64"
_ACQUIRE_RELEASE = "6 : i64"
_SEQUENTIAL = "7 : i64"
"""Numbers of LLVM's memory orders in the llvm dialect."""

_DYNAMIC = -(1 << 31)
"""What llvm.getelementptr has in place of an index that is an operand."""


def at(pointer: Value, offset: Value | int) -> Value:
    """`pointer` and `offset` bytes."""
    if isinstance(offset, int):
        return pointer if offset == 0 else _element(pointer, [], offset)
    return _element(pointer, [offset.to(64)], _DYNAMIC)


def load(pointer: Value, kind: ir.Type | int = 32, alignment: int = 4) -> Value:
    """What lies at `pointer`; `kind` is a type, or the width of an integer."""
    type_ = integer_type(kind) if isinstance(kind, int) else kind
    return pointer.code.value("llvm.load", [pointer], type_, alignment=f"{alignment} : i64")


def store(pointer: Value, value: Value, alignment: int = 4) -> None:
    """Puts `value` at `pointer`."""
    pointer.code.operation("llvm.store", [value, pointer], alignment=f"{alignment} : i64")


def load_now(pointer: Value, width: int = 32) -> Value:
    """An integer that another thread may change meanwhile, read anew each time."""
    return pointer.code.value(
        "llvm.load",
        [pointer],
        integer_type(width),
        alignment=f"{width // 8} : i64",
        volatile_="unit",
    )


def store_now(pointer: Value, value: Value) -> None:
    """Puts an integer where others look meanwhile."""
    pointer.code.operation(
        "llvm.store", [value, pointer], alignment=f"{value.width // 8} : i64", volatile_="unit"
    )


def swap_if(pointer: Value, expected: Value, new: Value, scope: str) -> Value:
    """Puts `new` where `expected` is, as one step; what was there. `scope` "" is the system."""
    code = pointer.code
    kind = ir.Type.parse(f"!llvm.struct<({expected.ir.type}, i1)>")
    both = code.value(
        "llvm.cmpxchg",
        [pointer, expected, new],
        kind,
        success_ordering=_ACQUIRE_RELEASE,
        failure_ordering=_MONOTONIC,
        **({"syncscope": f'"{scope}"'} if scope else {}),
    )
    return code.value("llvm.extractvalue", [both], expected.ir.type, position="array<i64: 0>")


def change(kind: int, pointer: Value, value: Value) -> Value:
    """One of the atomic operations below, seen by the whole device; what was there before.

    LLVM 22.1.8 writes them without an order: a `fence` belongs around them.
    """
    return pointer.code.value(
        "llvm.atomicrmw",
        [pointer, value],
        value.ir.type,
        bin_op=f"{kind} : i64",
        ordering=_MONOTONIC,
        syncscope='"device"',
    )


ADD = 1
AND = 3
MAX = 9
"""Numbers of the llvm dialect's atomic operations; MAX is unsigned."""


def fence(code: Code, scope: str) -> None:
    """Orders memory accesses on both sides: acquire and release in "block", "cluster", "device",
    sequential in "" (the system)."""
    if scope:
        code.operation("llvm.fence", ordering=_ACQUIRE_RELEASE, syncscope=f'"{scope}"')
    else:
        code.operation("llvm.fence", ordering=_SEQUENTIAL)


def shared_of_cluster(pointer: Value, rank: Value) -> Value:
    """The same place in the shared memory of the cluster's block `rank`."""
    return pointer.code.value("nvvm.mapa", [pointer, rank], pointer_type(7))


def _element(pointer: Value, indices: list[Value], constant: int) -> Value:
    return pointer.code.value(
        "llvm.getelementptr",
        [pointer, *indices],
        pointer.ir.type,
        elem_type="i8",
        rawConstantIndices=ir.DenseI32ArrayAttr.get([constant]),
    )
