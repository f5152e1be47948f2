"""The word of a block's allocations, read while the kernel runs: see `columns_state`."""

from __future__ import annotations

from functools import reduce

from tcgen05_mlir.model.limits import ALLOCATION_UNIT, TMEM_COLUMNS

from .code import Code
from .columns_state import INSIDE, UNIT_BITS, UNITS
from .report import check
from .values import Value

LOWEST_BITS = sum(1 << UNIT_BITS * unit for unit in range(UNITS))
"""The lowest bit of every unit."""

_WORD_BITS = UNITS * UNIT_BITS


def busy(word: Value) -> Value:
    """The lowest bit of each unit that is allocated."""
    shifted = [word >> shift for shift in range(UNIT_BITS)]
    return reduce(lambda a, b: a | b, shifted) & LOWEST_BITS


def code_at(word: Value, column: Value) -> Value:
    """The four bits, i32, of the unit that a column is in."""
    return (word >> unit_bit(column)).to(32) & INSIDE


def span(code: Code, first: Value, last: Value) -> Value:
    """All bits, i64, of the units from column `first` to column `last`."""
    ones = code.constant((1 << _WORD_BITS) - 1, _WORD_BITS)
    return (ones << unit_bit(first)) & (
        ones >> (unit_bit(last).like(_WORD_BITS - UNIT_BITS) - unit_bit(last))
    )


def check_one_allocation(
    code: Code, word: Value, first: Value, last: Value, name: str, site: Value
) -> None:
    """F6: the columns are those of one allocation, none of them beyond the last one."""
    exists = last < TMEM_COLUMNS
    start = code_at(word, first).differs(0)
    behind = span(code, first, last.least(TMEM_COLUMNS - 1)) & ~span(code, first, first)
    one = (word & behind).equals(behind)
    _check(code, exists & start & one, name, first, last, word, site)


def check_allocated(code: Code, word: Value, first: Value, last: Value, site: Value) -> None:
    """S2: the columns are allocated, be it in pieces, none of them beyond the last one."""
    units = span(code, first, last.least(TMEM_COLUMNS - 1)) & LOWEST_BITS
    allocated = (busy(word) & units).equals(units)
    _check(code, (last < TMEM_COLUMNS) & allocated, "access_columns", first, last, word, site)


def _check(
    code: Code, holds: Value, name: str, first: Value, last: Value, word: Value, site: Value
) -> None:
    check(code, holds, name, site, first, last, word.to(32), (word >> 32).to(32))


def unit_bit(column: Value) -> Value:
    """The first bit, i64, of a column's unit."""
    return (column // ALLOCATION_UNIT % UNITS * UNIT_BITS).to(64)
