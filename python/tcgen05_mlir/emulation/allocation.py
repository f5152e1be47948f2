"""tcgen05.alloc, dealloc and relinquish_alloc_permit, by atomic operations on the block's state.

One lane of the warp does it. Each block of a pair has its own state; both do the same in the same
order, so both get the same columns, and each waits for the other as the hardware does.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial

from tcgen05_mlir.model.limits import ALLOCATION_UNIT, TMEM_COLUMNS, TMEM_LANE_SHIFT

from . import abi
from .binding import Bound, check_cluster, own, peer
from .code import Code
from .columns import LOWEST_BITS, busy, code_at, unit_bit
from .columns_state import INSIDE, UNIT_BITS, UNITS
from .lanes import ALL, meet, pause, register
from .library import Library
from .memory import ADD, AND, MAX, at, change, fence, load_now, store, store_now, swap_if
from .report import check
from .values import Value, integer_type, pointer_type

_POLLS = 10_000_000
_PAUSE = 500
"""A wait for another warp or block ends with a report after so many pauses, several seconds."""


def alloc_function(library: Library, group: int, space: int) -> str:
    """The function (slot pointer, columns i32, site i32)."""
    where = "shared" if space == 3 else "generic"
    name = f"alloc_{where}" + ("_cta2" if group == 2 else "")
    arguments = [pointer_type(space), integer_type(32), integer_type(32)]
    return library.function(name, arguments, None, partial(_write_alloc, group), "no_inline")


def dealloc_function(library: Library, group: int) -> str:
    """The function (taddr i32, columns i32, site i32)."""
    name = "dealloc" + ("_cta2" if group == 2 else "")
    arguments = [integer_type(32)] * 3
    return library.function(name, arguments, None, partial(_write_dealloc, group), "no_inline")


def relinquish_function(library: Library, group: int) -> str:
    """The function (site i32)."""
    name = "relinquish" + ("_cta2" if group == 2 else "")
    arguments = [integer_type(32)]
    return library.function(name, arguments, None, partial(_write_relinquish, group), "no_inline")


def _write_alloc(group: int, code: Code) -> None:
    slot, columns, site = code.arguments
    with _one_lane(code):
        bound = _bound(code, group, site)
        _check_count(code, bound, columns, site)
        start = _take(code, bound, columns, site)
        change(MAX, at(bound.state, abi.STATE_SMALLEST), _rank_of(columns))
        if group == 2:
            other = _await_peer(code, bound, abi.STATE_PAIR_ALLOCS, "pair_alloc", site)
            _check_same(code, other, columns, start, site)
        store(slot, start)
    meet(code.constant(ALL))
    code.give()


def _write_dealloc(group: int, code: Code) -> None:
    taddr, columns, site = code.arguments
    lane, column = taddr >> TMEM_LANE_SHIFT, taddr & ((1 << TMEM_LANE_SHIFT) - 1)
    with _one_lane(code):
        bound = _bound(code, group, site)
        word = load_now(at(bound.state, abi.STATE_COLUMNS), 64)
        halves = (word.to(32), (word >> 32).to(32))
        found = code_at(word, column)
        starts = found.differs(0) & found.differs(INSIDE)
        here = lane.equals(0) & (column % ALLOCATION_UNIT).equals(0) & (column < TMEM_COLUMNS)
        check(code, starts & here, "dealloc_start", site, lane, column, *halves)
        size = code.constant(ALLOCATION_UNIT) << (found - 1)
        check(code, columns.equals(size), "dealloc_count", site, columns, size, *halves)
        if group == 2:
            _await_peer(code, bound, abi.STATE_PAIR_DEALLOCS, "pair_dealloc", site)
        change(AND, at(bound.state, abi.STATE_COLUMNS), ~(_bits(columns) << unit_bit(column)))
    meet(code.constant(ALL))
    code.give()


def _write_relinquish(group: int, code: Code) -> None:
    (site,) = code.arguments
    with _one_lane(code):
        bound = _bound(code, group, site)
        store_now(at(bound.state, abi.STATE_RELINQUISHED), code.constant(1))
    meet(code.constant(ALL))
    code.give()


def _one_lane(code: Code) -> AbstractContextManager[None]:
    """The whole warp meets, then its first lane works."""
    meet(code.constant(ALL))
    return code.when(register(code, "laneid").equals(0))


def _bound(code: Code, group: int, site: Value) -> Bound:
    if group == 2:
        check_cluster(code, site)
    return own(code, site)


def _check_count(code: Code, bound: Bound, columns: Value, site: Value) -> None:
    power = (columns & (columns - 1)).equals(0)
    legal = power & (columns >= ALLOCATION_UNIT) & (columns <= TMEM_COLUMNS)
    check(code, legal, "alloc_count", site, columns)
    relinquished = load_now(at(bound.state, abi.STATE_RELINQUISHED))
    check(code, relinquished.equals(0), "alloc_relinquished", site, columns)
    smallest = load_now(at(bound.state, abi.STATE_SMALLEST))
    earlier = code.constant(TMEM_COLUMNS + 1) - smallest
    check(code, columns <= earlier, "alloc_increase", site, columns, earlier)


def _rank_of(columns: Value) -> Value:
    """What `abi.STATE_SMALLEST` holds for a count: the larger, the fewer columns."""
    return columns.like(TMEM_COLUMNS + 1) - columns


def _take(code: Code, bound: Bound, columns: Value, site: Value) -> Value:
    """The start of the first columns in a row that are free; waits for them."""
    state = at(bound.state, abi.STATE_COLUMNS)
    with code.repeat(code.constant(0)) as loop:
        (polls,) = loop.values
        word = load_now(state, 64)
        _check_room(code, word, columns, polls, site)
        free = _free_runs(word, columns)
        column = (free.lowest() // UNIT_BITS * ALLOCATION_UNIT).to(32)
        none = free.equals(0)
        with code.when(none):
            pause(code, _PAUSE)
        new = none.select(word, word | _codes(columns) << unit_bit(column))
        found = swap_if(state, word, new, "device")
        loop.again(none | found.differs(word), polls + 1)
    return column


def _check_room(code: Code, word: Value, columns: Value, polls: Value, site: Value) -> None:
    live = busy(word).ones().to(32) * ALLOCATION_UNIT
    halves = (word.to(32), (word >> 32).to(32))
    check(code, live + columns <= TMEM_COLUMNS, "alloc_sum", site, columns, live, *halves)
    check(code, polls < _POLLS, "alloc_stuck", site, columns, columns.like(0), *halves)


def _free_runs(word: Value, columns: Value) -> Value:
    """The lowest bit of each unit from which on enough units are free."""
    units = columns // ALLOCATION_UNIT
    runs = ~busy(word) & LOWEST_BITS
    step = 1
    while step < UNITS:
        longer = runs & (runs >> step * UNIT_BITS)
        runs = (units > step).select(longer, runs)
        step *= 2
    return runs


def _bits(columns: Value) -> Value:
    """All bits, i64, of so many columns from column 0 on."""
    count = (columns // ALLOCATION_UNIT * UNIT_BITS).to(64)
    return count.like((1 << 64) - 1) >> (count.like(64) - count)


def _codes(columns: Value) -> Value:
    """What an allocation of so many columns is in the state, from column 0 on."""
    start = columns.lowest() - (ALLOCATION_UNIT.bit_length() - 2)
    return (_bits(columns) & ((1 << 64) - 1 - INSIDE)) | start.to(64)


def _await_peer(code: Code, bound: Bound, offset: int, name: str, site: Value) -> Bound:
    """Counts itself, then waits until the pair's other block has come as far; that block's."""
    other = peer(code)
    fence(code, "device")
    mine = change(ADD, at(bound.state, offset), code.constant(1)) + 1
    with code.repeat(code.constant(0)) as loop:
        (polls,) = loop.values
        seen = load_now(at(other.state, offset))
        missing = seen < mine
        with code.when(missing):
            pause(code, _PAUSE)
        loop.again(missing & (polls < _POLLS), polls + 1)
    check(code, ~missing, name, site, seen, mine)
    fence(code, "device")
    return other


def _check_same(code: Code, other: Bound, columns: Value, start: Value, site: Value) -> None:
    """P6: the other block has this allocation too; it gives it back together with this one."""
    word = load_now(at(other.state, abi.STATE_COLUMNS), 64)
    mask = _bits(columns) << unit_bit(start)
    same = (word & mask).equals(_codes(columns) << unit_bit(start))
    halves = (word.to(32), (word >> 32).to(32))
    check(code, same, "pair_columns", site, start, start + columns - 1, *halves)
