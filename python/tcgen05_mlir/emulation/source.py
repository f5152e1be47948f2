"""A copy's source: the 64-bit descriptor decoded while the kernel runs, and the walk it gives."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_mlir.model import Instruction
from tcgen05_mlir.model.descriptor import FIXED_FIELDS, SWIZZLE_FIELD, SWIZZLE_SHIFT
from tcgen05_mlir.model.limits import (
    CORE_MATRIX_ROWS,
    CORE_MATRIX_WORDS,
    DESCRIPTOR_UNIT,
    SMEM_ADDRESS_LIMIT,
    WORD_BYTES,
)
from tcgen05_mlir.model.swizzle import swizzle_row_bytes

from .code import Code
from .lanes import register
from .report import check, fail
from .values import Value, integer_type

BLOCK_BYTES = CORE_MATRIX_WORDS * WORD_BYTES
"""Bytes that are copied at a time: 16, a row of a core matrix."""

_UNIT_SHIFT = DESCRIPTOR_UNIT.bit_length() - 1
_FIELD = SMEM_ADDRESS_LIMIT // DESCRIPTOR_UNIT - 1


@dataclass(frozen=True)
class Source:
    """What a descriptor says, i32, bytes.

    `swizzled`: i1. `row_bytes`: of a swizzle row, 16 << swizzle. `half_bytes`: from the first 16
    bytes of a 256-bit row to the second.
    """

    instruction: Instruction
    start: Value
    sdo: Value
    swizzled: Value
    row_bytes: Value
    half_bytes: Value

    def linear(self, row: Value, half: Value | None) -> Value:
        """The address before the XOR of a row's first or second 16 bytes."""
        group = (row // CORE_MATRIX_ROWS) * self.sdo
        inside = (row % CORE_MATRIX_ROWS) * self.row_bytes
        along = self.half_bytes * half if half is not None else 0
        return self.start + group + inside + along

    def address(self, row: Value, half: Value | None) -> Value:
        """The address that is read for 16 bytes."""
        linear = self.linear(row, half)
        return linear ^ ((linear >> 3) & (self.row_bytes - DESCRIPTOR_UNIT))


def decode(code: Code, descriptor: Value, instruction: Instruction, site: Value) -> Source:
    """The fields of an i64; C5 where no legal descriptor has its bits."""
    _check_bits(code, descriptor, site)

    def bytes_at(first: int) -> Value:
        return ((descriptor >> first).to(32) & _FIELD) << _UNIT_SHIFT

    field = (descriptor >> SWIZZLE_SHIFT).to(32)
    row_bytes = code.constant(DESCRIPTOR_UNIT)
    for mode, number in enumerate(SWIZZLE_FIELD):
        row_bytes = field.equals(number).select(swizzle_row_bytes(mode), row_bytes)
    swizzled = row_bytes.differs(swizzle_row_bytes(0))
    half_bytes = swizzled.select(BLOCK_BYTES, bytes_at(16))
    return Source(instruction, bytes_at(0), bytes_at(32), swizzled, row_bytes, half_bytes)


def _check_bits(code: Code, descriptor: Value, site: Value) -> None:
    mask = sum(((1 << width) - 1) << first for first, width, _, _ in FIXED_FIELDS)
    wanted = sum(value << first for first, _, _, value in FIXED_FIELDS)
    field = descriptor >> SWIZZLE_SHIFT
    legal = (descriptor & mask).equals(wanted)
    known = code.constant(0, 1)
    for number in SWIZZLE_FIELD:
        known = known | field.equals(number)
    check(code, legal & known, "descriptor", site, descriptor.to(32), (descriptor >> 32).to(32))


def check_walk(code: Code, source: Source, site: Value) -> None:
    """F10, and F12 of 256-bit rows: at once where bounds of the walk tell, else block by block."""
    begin, end = _shared_memory(code)
    doubtful = _maybe_outside(source, begin, end)
    if source.instruction.words > CORE_MATRIX_WORDS:
        doubtful = doubtful | _maybe_across(source)
    with code.when(doubtful), code.count(code.constant(0), source.instruction.rows, 1) as row:
        _check_row(code, source, row, (begin, end), site)


def _shared_memory(code: Code) -> tuple[Value, Value]:
    """First byte and end of what the block has.

    The system keeps a part in front for itself: on an H200 it uses bytes 0 to 0x11f of a region of
    0x400, which is `%reserved_smem_offset_cap`, and the block's own begins behind the region.
    """
    begin = code.value(
        "llvm.inline_asm",
        [],
        integer_type(32),
        asm_string='"mov.u32 $0, %reserved_smem_offset_cap;"',
        constraints='"=r"',
        asm_dialect="0 : i64",
    )
    return begin, begin + register(code, "total.smem.size")


def _maybe_outside(source: Source, begin: Value, end: Value) -> Value:
    """Whole swizzle rows from the walk's first to its last byte leave the memory."""
    instruction = source.instruction
    groups = max(instruction.rows // CORE_MATRIX_ROWS, 1)
    rows = min(instruction.rows, CORE_MATRIX_ROWS)
    keep = ~(source.row_bytes - 1)
    last = source.start + source.sdo * (groups - 1) + source.row_bytes * (rows - 1)
    if instruction.words > CORE_MATRIX_WORDS:
        last = last + source.half_bytes
    beyond = (last & keep) + source.row_bytes
    return ((source.start & keep) < begin) | (beyond > end)


def _maybe_across(source: Source) -> Value:
    """Some 256-bit row may run from one swizzle row into the next."""
    inside = source.row_bytes - 1
    starts_late = (source.start & inside) + 2 * BLOCK_BYTES > source.row_bytes
    return source.swizzled & (starts_late | (source.sdo & inside).differs(0))


def _check_row(
    code: Code, source: Source, row: Value, memory: tuple[Value, Value], site: Value
) -> None:
    begin, end = memory
    halves = source.instruction.words // CORE_MATRIX_WORDS
    if halves > 1:
        phase = source.linear(row, None) & (source.row_bytes - 1)
        across = source.swizzled & (phase + 2 * BLOCK_BYTES > source.row_bytes)
        with code.when(across):
            fail(code, "straddle", site, row, phase, source.row_bytes)
    for half in range(halves):
        address = source.address(row, code.constant(half) if half else None)
        inside = (address >= begin) & (address + BLOCK_BYTES <= end)
        check(code, inside, "walk", site, address, row, begin, end - 1)
