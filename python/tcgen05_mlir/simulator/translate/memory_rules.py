"""Loads, stores, atomics, addresses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from mlir import ir

from tcgen05_mlir.simulator.lanes import copies, integers, shapes
from tcgen05_mlir.simulator.machine import from_generic, to_generic
from tcgen05_mlir.simulator.translate.aggregate_rules import constant_index
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.emulation_code import emulates
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import (
    Aggregate,
    Array,
    Float,
    Int,
    Pointer,
    Struct,
    Type,
    UnknownType,
    Vector,
    parse_type,
    stride,
)

TENSOR, LOCAL, GENERIC = 6, 5, 0
SHARED, SHARED_CLUSTER = 3, 7
_DYNAMIC = -(1 << 31)


@rule("llvm.load")
def load(e: Emitter) -> None:
    type_, pointer = e.result_type, e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    alignment = e.integer("alignment", type_.alignment)
    e.result(_load(e, type_, _space(e, pointer), e.operand(0), 0, alignment))


def _space(e: Emitter, pointer: Pointer) -> int:
    if pointer.space == TENSOR:
        raise e.refuse("reads or writes tensor memory (address space 6): use tcgen05.ld and st")
    return pointer.space


def _load(e: Emitter, type_: Type, space: int, base: str, offset: int, alignment: int) -> str:
    if isinstance(type_, Aggregate):
        parts = (
            _load(e, m, space, base, offset + type_.offset(i), _at(alignment, type_.offset(i)))
            for i, m in enumerate(type_.members)
        )
        return f"({''.join(part + ', ' for part in parts)})"
    address = f"spread({base} + {e.number(Pointer(0), offset)})" if offset else f"spread({base})"
    if isinstance(type_, Vector):
        _check_bits(e, type_)
    element = type_.element if isinstance(type_, Vector) else type_
    count = type_.count if isinstance(type_, Vector) else 1
    dtype = e.dtype(Int(8) if element == Int(1) else element)
    is_source = space in (SHARED, SHARED_CLUSTER) and emulates(e.op)
    method, ordered = ("load_source", "") if is_source else ("load", _ordered(e))
    code = f"h.{method}({space}, {address}, {dtype}, m, {e.site()}, count={count}"
    code += f", alignment={alignment}{ordered})"
    if element == Int(1):
        code = f"({code} & {e.number(Int(8), 1)} != 0)"
    elif isinstance(element, Int) and not element.natural:
        code = f"({code} & {e.number(element, (1 << element.width) - 1)})"
    return f"{code}.reshape(1, 32)" if isinstance(type_, Vector) and count == 1 else code


def _check_bits(e: Emitter, type_: Vector) -> None:
    """A vector's elements are packed in memory: without gaps only where they fill their bytes."""
    element = type_.element
    if isinstance(element, Int) and not element.natural:
        raise e.refuse(f"of a vector of i{element.width} in memory is not simulated")


def _at(alignment: int, offset: int) -> int:
    """What is known of the alignment at an offset."""
    return min(alignment, offset & -offset) if offset else alignment


def _ordered(e: Emitter) -> str:
    attributes = e.op.attributes
    volatile = "volatile_" in attributes
    atomic = "ordering" in attributes and e.integer("ordering") > 2
    return ", ordered=True" if volatile or atomic else ""


@rule("llvm.store")
def store(e: Emitter) -> None:
    value, address = e.op.operands
    type_, pointer = e.type(value), e.type(address)
    assert isinstance(pointer, Pointer)
    alignment = e.integer("alignment", type_.alignment)
    _store(e, type_, _space(e, pointer), e.use(address), 0, e.name(value), alignment)


def _store(
    e: Emitter, type_: Type, space: int, base: str, offset: int, value: str, alignment: int
) -> None:
    if isinstance(type_, Aggregate):
        for i, member in enumerate(type_.members):
            at = type_.offset(i)
            _store(e, member, space, base, offset + at, f"{value}[{i}]", _at(alignment, at))
        return
    address = f"spread({base} + {e.number(Pointer(0), offset)})" if offset else f"spread({base})"
    if isinstance(type_, Vector):
        _check_bits(e, type_)
        value = f"spread_vector({value}, {type_.count})"
    else:
        byte = f".astype({e.dtype(Int(8))})" if type_ == Int(1) else ""
        value = f"spread({value}{byte})"
    e.line(
        f"h.store({space}, {address}, {value}, m, {e.site()}, alignment={alignment}{_ordered(e)})"
    )


@rule("llvm.getelementptr")
def element_pointer(e: Emitter) -> None:
    pointer = e.element(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    terms = [e.operand(0)]
    constant = 0
    dynamic = iter(e.op.operands[1:] if len(e.op.operands) > 1 else ())
    for index, scale in _indices(e):
        value = next(dynamic) if index == _DYNAMIC else None
        known = constant_index(value) if value is not None else index
        if known is not None:
            constant += scale(known)
        else:
            assert value is not None
            terms.append(f"{_offset(e, value, pointer)} * {e.number(pointer, scale(1))}")
    if constant:
        terms.append(e.number(pointer, constant))
    e.result(" + ".join(terms))


def _offset(e: Emitter, index: ir.Value, pointer: Pointer) -> str:
    """An index in the address's width, its sign kept."""
    type_, code = e.element(index), e.use(index)
    assert isinstance(type_, Int)
    if type_.size == pointer.size and type_.natural:
        return code
    if type_.size > pointer.size:
        return f"{code}.astype({e.dtype(pointer)})"
    return f"{e.function(integers.sign_extend)}({code}, {type_.width}, {e.dtype(pointer)})"


def _indices(e: Emitter) -> Iterator[tuple[int, _Scale]]:
    """Each index with what one step of it is in bytes."""
    type_ = named_type(e, "elem_type")
    for place, index in enumerate(ir.DenseI32ArrayAttr(e.op.attributes["rawConstantIndices"])):
        if place == 0:
            yield index, _Scale(stride(type_))
        elif isinstance(type_, Struct):
            offset, type_ = type_.offset(index), type_.members[index]
            yield 0, _Scale(0, offset)
        else:
            assert isinstance(type_, Array | Vector)
            type_ = type_.element
            yield index, _Scale(stride(type_) if not isinstance(type_, Vector) else type_.size)


class _Scale:
    """Bytes of an index: `_Scale(4)(3) == 12`; a struct's member has a fixed offset instead."""

    def __init__(self, step: int, offset: int = 0) -> None:
        self.step, self.offset = step, offset

    def __call__(self, index: int) -> int:
        return index * self.step + self.offset


def named_type(e: Emitter, attribute: str) -> Type:
    try:
        return parse_type(str(ir.TypeAttr(e.op.attributes[attribute]).value))
    except UnknownType as error:
        raise e.refuse(str(error)) from None


@rule("llvm.addrspacecast")
def cast_space(e: Emitter) -> None:
    source, to = e.element(e.op.operands[0]), e.element(e.op.results[0])
    assert isinstance(source, Pointer)
    assert isinstance(to, Pointer)
    if TENSOR in (source.space, to.space):
        raise e.refuse("to or from tensor memory (address space 6) is not possible")
    code = e.operand(0)
    if source.space != GENERIC:
        code = f"{e.function(to_generic)}({code}, {source.space})"
    if to.space != GENERIC:
        code = f"{e.function(from_generic)}({code}, {to.space})"
    e.result(code)


@rule("llvm.alloca")
def allocate(e: Emitter) -> None:
    """Once per place in the code: the bytes are the same whenever it runs again."""
    type_, count = named_type(e, "elem_type"), constant_index(e.op.operands[0])
    if count is None:
        raise e.refuse("with a size that is not constant is not simulated")
    alignment = e.integer("alignment", 0) or type_.alignment
    code = f"w.local({e.site()}, {max(count * stride(type_), 1)}, {alignment})"
    if e.result_type == Pointer(GENERIC):
        code = f"{e.function(to_generic)}({code}, {LOCAL})"
    e.result(code)


_ATOMICS = (
    *("xchg", "add", "sub", "_and", "nand", "_or", "_xor", "max", "min", "umax", "umin"),
    *("fadd", "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap"),
)


@rule("llvm.atomicrmw")
def atomic(e: Emitter) -> None:
    number = e.integer("bin_op")
    type_, pointer = e.result_type, e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    if number >= len(_ATOMICS) or type_ in (Float("bf16"), Int(1)) or isinstance(type_, Vector):
        raise e.refuse(f"{e.op.attributes['bin_op']} on {e.op.operands[1].type} is not simulated")
    site, space = e.site(), _space(e, pointer)
    e.result(f"h.atomic('{_ATOMICS[number]}', {space}, {e.lanes(0)}, {e.lanes(1)}, m, {site})")


@rule("llvm.cmpxchg")
def compare_exchange(e: Emitter) -> None:
    pointer = e.type(e.op.operands[0])
    assert isinstance(pointer, Pointer)
    old = "t0"
    call = f"h.atomic('cmpxchg', {_space(e, pointer)}, {e.lanes(0)}, {e.lanes(2)}, m, {e.site()}"
    e.line(f"{old} = {call}, compare={e.lanes(1)})")
    e.result(f"({old}, {old} == {e.operand(1)})")


@rule("llvm.fence")
def fence(e: Emitter) -> None:
    """Warps run one operation at a time: their accesses are in order as they are."""


@rule("llvm.intr.memcpy", "llvm.intr.memmove", "llvm.intr.memcpy.inline")
def copy_bytes(e: Emitter) -> None:
    to, source = (e.type(operand) for operand in e.op.operands[:2])
    assert isinstance(to, Pointer)
    assert isinstance(source, Pointer)
    spaces = f"{_space(e, to)}, {_space(e, source)}"
    operands = f"{e.lanes(0)}, {e.lanes(1)}, {_length(e)}"
    e.line(f"{e.function(copies.copy_bytes)}(h, {spaces}, {operands}, m, {e.site()})")


@rule("llvm.intr.memset", "llvm.intr.memset.inline")
def set_bytes(e: Emitter) -> None:
    to = e.type(e.op.operands[0])
    assert isinstance(to, Pointer)
    operands = f"{e.lanes(0)}, {e.lanes(1)}, {_length(e)}"
    e.line(f"{e.function(copies.set_bytes)}(h, {_space(e, to)}, {operands}, m, {e.site()})")


def _length(e: Emitter) -> str:
    if "len" in e.op.attributes:
        return e.constant(np.uint64(e.integer("len")))
    return e.operand(2)


@rule("llvm.intr.masked.load", "llvm.intr.masked.store", "llvm.intr.masked.gather")
@rule("llvm.intr.masked.scatter")
def masked(e: Emitter) -> None:
    """Element by element: each has its own mask and, in gathers, its own address."""
    storing = e.op.name.endswith(("store", "scatter"))
    pointers, mask = (1, 2) if storing else (0, 1)
    pointer = e.element(e.op.operands[pointers])
    vector = e.type(e.op.operands[0]) if storing else e.result_type
    assert isinstance(pointer, Pointer)
    assert isinstance(vector, Vector)
    _check_bits(e, vector)
    e.function(shapes.spread)
    site, space, count = e.site(), _space(e, pointer), vector.count
    addresses, chosen = e.operand(pointers), e.operand(mask)
    e.line(
        f"t0 = {e.function(copies.element_addresses)}({addresses}, {count}, {vector.element.size})"
    )
    if storing:
        e.line(f"{e.function(copies.scatter)}(h, {space}, t0, {e.operand(0)}, {chosen}, m, {site})")
    else:
        old = (
            e.operand(2)
            if len(e.op.operands) > 2
            else e.constant(np.zeros((count, 1), vector.dtype))
        )
        e.result(f"{e.function(copies.gather)}(h, {space}, t0, {old}, {chosen}, m, {site})")
