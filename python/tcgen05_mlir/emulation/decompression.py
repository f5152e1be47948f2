"""Decompression of 16 bytes in registers: what `model.decompress` does, with integer operations."""

from __future__ import annotations

from tcgen05_mlir.model.decompress import FP4_SHIFT, FP6_SHIFT
from tcgen05_mlir.model.forms import find_source_format

from .values import Value, integer_type

_WORDS = 4
_WORD_BITS = 32
_SHIFTS = {4: FP4_SHIFT, 6: FP6_SHIFT}


def decompress(block: Value, src_format: str | None) -> Value:
    """Sixteen bytes for a block of packed values and padding, both vectors of four words."""
    if src_format is None:
        return block
    bits = find_source_format(src_format).bits
    packed = [_word(block, index) for index in range(_WORDS)]
    result = block
    for index in range(_WORDS):
        chunk = _chunk(packed, index * _WORDS * bits, _WORDS * bits)
        result = _with_word(result, index, _spread(chunk, bits) << _SHIFTS[bits])
    return result


def _chunk(words: list[Value], first: int, width: int) -> Value:
    """`width` bits from bit `first` of the words on; what lies above them may be anything."""
    index, shift = divmod(first, _WORD_BITS)
    low = words[index] >> shift
    if shift + width <= _WORD_BITS:
        return low
    return low | words[index + 1] << (_WORD_BITS - shift)


def _spread(chunk: Value, bits: int) -> Value:
    """Four values of `bits` bits, one after another, to the low bits of four bytes."""
    mask = (1 << bits) - 1
    result = chunk & mask
    for number in range(1, _WORDS):
        result = result | (chunk << ((8 - bits) * number)) & (mask << 8 * number)
    return result


def _word(block: Value, index: int) -> Value:
    code = block.code
    return code.value("llvm.extractelement", [block, code.constant(index)], integer_type(32))


def _with_word(block: Value, index: int, word: Value) -> Value:
    code = block.code
    return code.value("llvm.insertelement", [block, word, code.constant(index)], block.ir.type)
