"""Runs lowered code on numbers: what each tcgen05.cp is given.

A slow interpreter of the few operations that the lowering makes and of those that sources are made
of, written against their documentation and sharing nothing with the lowering. Integers are kept
unsigned, modulo two to the width of their type.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlir import ir

POINTER_BITS = 64
_BINARY: dict[str, Callable[[int, int], int]] = {
    "arith.addi": operator.add,
    "arith.muli": operator.mul,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.shrui": operator.rshift,
    "arith.divui": operator.floordiv,
    "arith.remui": operator.mod,
}
_SAME = ("llvm.ptrtoint", "llvm.inttoptr", "llvm.call_intrinsic", "arith.trunci")
_ENDS = ("func.return", "scf.yield")
_PACK = re.compile(r"mov\.b64 \$0, \{\$1, (\d+)\};")
_COPY = re.compile(r"(?:@\$2 )?(tcgen05\.cp\.\S+) \[\$0\], \$1;")


@dataclass(frozen=True)
class Buffer:
    """A memref: its aligned pointer in bytes, offset and strides in elements."""

    pointer: int
    offset: int
    strides: tuple[int, ...]


@dataclass(frozen=True)
class Issued:
    """One tcgen05.cp: its PTX mnemonic (None for the operation of NVVM) and operands."""

    mnemonic: str | None
    address: int
    descriptor: int


@dataclass
class Machine:
    """Runs a function's body. ``globals`` has the address of each global by its name."""

    globals: Mapping[str, int]
    dynamic_memory: int = 0
    values: dict[ir.Value, Any] = field(default_factory=dict)
    issued: list[Issued] = field(default_factory=list)

    def run(self, function: ir.OpView, *arguments: int) -> list[Issued]:
        block = function.regions[0].blocks[0]
        for argument, number in zip(block.arguments, arguments, strict=True):
            self.values[argument] = _wrap(number, argument.type)
        self._block(block)
        return self.issued

    def _block(self, block: ir.Block) -> None:
        for op in block.operations:
            self._step(op.operation)

    def _step(self, op: ir.Operation) -> None:
        operands = [self.values[operand] for operand in op.operands]
        if op.name in _ENDS:
            return
        if op.name == "scf.if":
            if operands[0]:
                self._block(op.regions[0].blocks[0])
        elif op.name == "nvvm.tcgen05.cp":
            self.issued.append(Issued(None, *operands))
        elif op.name == "llvm.inline_asm":
            self._assembly(op, operands)
        elif op.name == "memref.extract_strided_metadata":
            self._metadata(op, operands[0])
        else:
            (result,) = op.results
            value = self._result(op, operands)
            self.values[result] = _wrap(value, result.type) if isinstance(value, int) else value

    def _assembly(self, op: ir.Operation, operands: list[Any]) -> None:
        text = ir.StringAttr(op.attributes["asm_string"]).value
        if pack := _PACK.fullmatch(text):
            self.values[op.result] = int(pack[1]) << 32 | operands[0]
            return
        copy = _COPY.fullmatch(text)
        assert copy is not None, text
        assert (len(operands) == 3) == text.startswith("@$2 ")
        if all(operands[2:]):
            self.issued.append(Issued(copy[1], *operands[:2]))

    def _metadata(self, op: ir.Operation, buffer: Buffer) -> None:
        rank = len(buffer.strides)
        self.values[op.results[1]] = buffer.offset
        for result, stride in zip(op.results[2 + rank :], buffer.strides, strict=True):
            self.values[result] = stride

    def _result(self, op: ir.Operation, operands: list[Any]) -> Any:
        name = op.name
        if name in _BINARY:
            return _BINARY[name](*operands)
        if name in _SAME:
            return operands[0]
        if name == "arith.constant":
            return int(op.attributes["value"].value)  # pyright: ignore
        if name == "arith.index_cast":
            return _signed(operands[0], op.operands[0].type)
        if name == "memref.extract_aligned_pointer_as_index":
            return operands[0].pointer
        return self._buffer(op, operands)

    def _buffer(self, op: ir.Operation, operands: list[Any]) -> Buffer:
        if op.name == "memref.get_global":
            name = ir.FlatSymbolRefAttr(op.attributes["name"]).value
            return Buffer(self.globals[name], *_of_type(op))
        if op.name == "gpu.dynamic_shared_memory":
            return Buffer(self.dynamic_memory, 0, (1,))
        if op.name == "memref.view":
            return Buffer(operands[0].pointer + operands[1], *_of_type(op))
        if op.name == "memref.expand_shape":
            return Buffer(operands[0].pointer, *_of_type(op))
        if op.name == "memref.subview":
            return _subview(op, operands)
        assert op.name == "memref.reinterpret_cast", op.name
        offsets, _, strides = _slices(op, operands)
        return Buffer(operands[0].pointer, offsets[0], tuple(strides))


def _subview(op: ir.Operation, operands: list[Any]) -> Buffer:
    """A rank-reducing subview drops leading dimensions here."""
    source: Buffer = operands[0]
    offsets, sizes, steps = _slices(op, operands)
    offset = source.offset + sum(map(operator.mul, offsets, source.strides))
    strides = tuple(map(operator.mul, steps, source.strides))
    dropped = len(strides) - ir.MemRefType(op.result.type).rank
    assert set(sizes[:dropped]) <= {1}
    return Buffer(source.pointer, offset, strides[dropped:])


def _slices(op: ir.Operation, operands: list[Any]) -> list[list[int]]:
    """Offsets, sizes and strides, static and dynamic merged; dynamic ones are signed."""
    dynamic = iter(operands[1:])
    return [
        [
            _signed(next(dynamic), ir.IndexType.get()) if _is_dynamic(value) else value
            for value in ir.DenseI64ArrayAttr(op.attributes[name])
        ]
        for name in ("static_offsets", "static_sizes", "static_strides")
    ]


def _is_dynamic(value: int) -> bool:
    return value == ir.ShapedType.get_dynamic_size()


def _of_type(op: ir.Operation) -> tuple[int, tuple[int, ...]]:
    strides, offset = ir.MemRefType(op.result.type).get_strides_and_offset()
    return offset, tuple(strides)


def _width(kind: ir.Type) -> int:
    return kind.width if isinstance(kind, ir.IntegerType) else POINTER_BITS


def _wrap(value: int, kind: ir.Type) -> int:
    return value % (1 << _width(kind))


def _signed(value: int, kind: ir.Type) -> int:
    half = 1 << (_width(kind) - 1)
    return value - 2 * half if value >= half else value
