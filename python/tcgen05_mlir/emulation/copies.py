"""tcgen05.cp: the function of one instruction, its work spread over the lanes that are there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tcgen05_mlir.model import Instruction
from tcgen05_mlir.model.limits import (
    COLUMN_ALIGNMENT,
    CORE_MATRIX_WORDS,
    TMEM_LANE_SHIFT,
    TMEM_LANES,
)
from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS

from .abi import TMEM_LANE_BYTES
from .binding import Bound, check_cluster, own, peer, peer_rank
from .code import Code
from .columns import check_one_allocation
from .decompression import decompress
from .lanes import active, ballot, meet, of_lane, rank, register
from .library import Library
from .memory import at, load, shared_of_cluster, store
from .report import check
from .source import BLOCK_BYTES, Source, check_walk, decode
from .values import Value, integer_type, vector_type

_AT_ONCE = 4
"""16-byte blocks that a lane loads before it stores them, so that their loads overlap."""


@dataclass(frozen=True)
class _Team:
    """The lanes that work on a copy: this one's number among them, and how many they are."""

    rank: Value
    size: Value


def copy_function(library: Library, instruction: Instruction) -> str:
    """The function (taddr i32, descriptor i64, issues i1, site i32) of one instruction.

    Lanes whose `issues` is false issue nothing, and help.
    """
    arguments = [integer_type(width) for width in (32, 64, 1, 32)]
    return library.function(
        _name(instruction),
        arguments,
        None,
        partial(_write, instruction, library.chip),
        "no_inline",
    )


def _name(instruction: Instruction) -> str:
    parts = ["cp", instruction.shape, instruction.multicast, instruction.src_format]
    if instruction.cta_group == 2:
        parts.append("cta2")
    return "_".join(filter(None, parts)).replace("::", "_")


def _write(instruction: Instruction, chip: int, code: Code) -> None:
    taddr, descriptor, issues, site = code.arguments
    mask = active(code)
    team = _Team(rank(mask), mask.ones())
    remaining = ballot(mask, issues)
    with code.when(remaining.differs(0)), code.repeat(remaining) as loop:
        (left,) = loop.values
        first = left.lowest()
        address, bits = of_lane(mask, taddr, first), of_lane(mask, descriptor, first)
        same = issues & taddr.equals(address) & descriptor.equals(bits)
        _copy(code, instruction, chip, address, bits, team, site)
        rest = left & ~ballot(mask, same)
        loop.again(rest.differs(0), rest)
    # What the others copied is there for whoever this lane tells that the copy is done.
    meet(mask)
    code.give()


def _copy(
    code: Code,
    instruction: Instruction,
    chip: int,
    taddr: Value,
    bits: Value,
    team: _Team,
    site: Value,
) -> None:
    if instruction.cta_group == 2:
        check_cluster(code, site)
    source = decode(code, bits, instruction, site)
    lane, column = taddr >> TMEM_LANE_SHIFT, taddr & ((1 << TMEM_LANE_SHIFT) - 1)
    _check_origin(code, instruction, lane, column, site)
    targets: list[tuple[Bound, Reader]] = [(own(code, site), _own_reader(code, source, chip))]
    if instruction.cta_group == 2:
        targets.append((peer(code), _peer_reader(code, source)))
    for number, (bound, _) in enumerate(targets):
        name = "peer_columns" if number else "columns"
        last = column + (instruction.words - 1)
        check_one_allocation(code, bound.columns(), column, last, name, site)
    check_walk(code, source, site)
    for bound, read in targets:
        _move(code, source, bound.cell(lane, column), team, read)


def _check_origin(
    code: Code, instruction: Instruction, lane: Value, column: Value, site: Value
) -> None:
    aligned = (column % COLUMN_ALIGNMENT).equals(0)
    check(code, aligned, "column_origin", site, column)
    last = lane + max(instruction.lanes(instruction.rows - 1))
    check(code, last < TMEM_LANES, "lanes", site, lane, last)


Reader = Callable[[Value], Value]
"""The 16 bytes at a shared address, as a vector of words."""


def _own_reader(code: Code, source: Source, chip: int) -> Reader:
    """Reads the block's own memory.

    In a cluster a block's addresses carry its rank, which a descriptor has no bits for: the plain
    number is an address in the block of rank 0.
    """
    if chip < FIRST_WITH_CLUSTERS:
        return partial(_read, source.start.like(0).to(64), 3)
    return partial(_read, _distance(source, register(code, "cluster.ctarank")), 3)


def _peer_reader(code: Code, source: Source) -> Reader:
    """Reads the memory of the pair's other block."""
    return partial(_read, _distance(source, peer_rank(code)), 7)


def _distance(source: Source, rank: Value) -> Value:
    """From a number that a descriptor holds to the address in the cluster's block `rank`."""
    start = source.start.pointer(3)
    return shared_of_cluster(start, rank).address() - start.address()


def _read(distance: Value, space: int, address: Value) -> Value:
    pointer = (address.to(64) + distance).pointer(space)
    return load(pointer, vector_type(CORE_MATRIX_WORDS), BLOCK_BYTES)


def _move(code: Code, source: Source, origin: Value, team: _Team, read: Reader) -> None:
    """All rows of one block of threads: lane k of n copies 16-byte blocks k, k+n, k+2n, ..."""
    instruction = source.instruction
    total = instruction.bytes_read // BLOCK_BYTES
    with code.count(team.rank, total, team.size * _AT_ONCE) as first:
        # Past the end: the last block once more.
        numbers = [(first + team.size * k).least(total - 1) for k in range(_AT_ONCE)]
        places = [_place(instruction, number) for number in numbers]
        data = [read(source.address(row, half)) for row, half in places]
        for (row, half), words in zip(places, data, strict=True):
            words = decompress(words, instruction.src_format)
            cell = at(origin, _row_offset(instruction, row) + half * BLOCK_BYTES)
            for distance in instruction.replicas:
                store(at(cell, distance * TMEM_LANE_BYTES), words, BLOCK_BYTES)


def _place(instruction: Instruction, number: Value) -> tuple[Value, Value]:
    """Row and half of a 16-byte block."""
    halves = instruction.words // CORE_MATRIX_WORDS
    return number // halves, number % halves


def _row_offset(instruction: Instruction, row: Value) -> Value:
    """Bytes from the origin's lane to a row's: the row's nested mode, the last extent fastest."""
    form = instruction.form
    offset, weight = row.like(0), 1
    for extent, stride in reversed(list(zip(form.row_extents, form.row_lanes, strict=True))):
        offset = offset + (row // weight % extent) * (stride * TMEM_LANE_BYTES)
        weight *= extent
    return offset
