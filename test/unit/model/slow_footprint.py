"""The footprint once more, as plain loops over plain numbers: what `prove` is compared to.

Written from the description of the instruction, sharing no code with the model. Every value of
every index is visited, so copies must be small.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# name: rows, words, lane of each row, lane distances of the replicas
FORMS: dict[str, tuple[int, int, list[int], list[int]]] = {
    "128x256b": (128, 8, list(range(128)), [0]),
    "128x128b": (128, 4, list(range(128)), [0]),
    "4x256b": (4, 8, [0, 32, 64, 96], [0]),
    "64x128b.warpx2::02_13": (64, 4, list(range(64)), [0, 64]),
    "64x128b.warpx2::01_23": (64, 4, [*range(32), *range(64, 96)], [0, 32]),
    "32x128b.warpx4": (32, 4, list(range(32)), [0, 32, 64, 96]),
}

ENDLESS = 64
"""Values of an index without end that are visited: all phases of steps that are multiples of 16."""

Mode = list[tuple[Any, Any]]
"""Sub-modes (extent, stride), the last the fastest; an extent of None has no end."""

Fault = tuple[tuple[int, ...], int, tuple[int, ...], int, int]
"""(index, distance of the base, repeat, row, word)."""

WHOLE: Fault = ((), 0, (), 0, 0)
"""The whole operand."""


@dataclass
class Copy:
    """A copy in plain numbers: lanes and columns in pairs, words of shared memory in strides."""

    form: str
    dst: list[Mode]
    src: list[Mode]
    dst_offset: tuple[int, int] = (0, 0)
    replicas: Mode = field(default_factory=list)
    src_offset: int = 0
    src_swizzle: int = 0
    ldo: int = 16
    sdo: int = 128
    swizzle: int = 0
    dst_indices: tuple[int | None, ...] = ()
    src_indices: tuple[int | None, ...] = ()
    lane: int = 0
    column: int = 0
    columns: int | None = None
    lane_factor: int = 0
    column_factor: int = 0
    alignment: int = 1024
    extent: int | None = None
    byte_offset: int = 0
    byte_factor: int = 0
    address: int | None = None


def size(mode: Mode) -> int:
    total = 1
    for extent, _ in mode:
        total *= ENDLESS if extent is None else extent
    return total


def spread(mode: Mode, index: int) -> list[tuple[int, Any]]:
    """(digit, stride) of each sub-mode."""
    digits = []
    for extent, stride in reversed(mode):
        digits.insert(0, (index if extent is None else index % extent, stride))
        index = 0 if extent is None else index // extent
    return digits


def lane_column(copy: Copy, index: tuple[int, ...]) -> tuple[int, int]:
    lane, column = copy.dst_offset
    for mode, at in zip(copy.dst, index, strict=True):
        for digit, (lanes, columns) in spread(mode, at):
            lane += digit * lanes
            column += digit * columns
    return lane + copy.lane, column + copy.column


def linear(copy: Copy, index: tuple[int, ...]) -> int:
    word = copy.src_offset
    for mode, at in zip(copy.src, index, strict=True):
        for digit, stride in spread(mode, at):
            word += digit * stride
    return (copy.address or 0) + copy.byte_offset + 4 * word


def exchange(address: int, swizzle: int) -> int:
    for bit in range(swizzle):
        if address // (128 << bit) % 2:
            address += -(16 << bit) if address // (16 << bit) % 2 else 16 << bit
    return address


def leading(modes: list[Mode], indices: tuple[int | None, ...]) -> Iterator[tuple[int, ...]]:
    values = [
        range(size(mode)) if at is None else [at] for mode, at in zip(modes, indices, strict=False)
    ]
    return itertools.product(*values)


def repeats(copy: Copy) -> list[tuple[int, ...]]:
    modes = copy.dst[len(copy.dst_indices) : -2]
    return list(itertools.product(*(range(size(mode)) for mode in modes)))


def replica_set(copy: Copy) -> list[tuple[int, int]]:
    found = []
    for digits in itertools.product(*(range(extent) for extent, _ in copy.replicas)):
        lanes = sum(d * step[0] for d, (_, step) in zip(digits, copy.replicas, strict=True))
        columns = sum(d * step[1] for d, (_, step) in zip(digits, copy.replicas, strict=True))
        found.append((lanes, columns))
    return found


def origin_shift(copy: Copy) -> int:
    """Lanes from the layout's element to the lowest of its replicas, if they are the form's."""
    distances = FORMS[copy.form][3]
    lowest = min(lane for lane, _ in replica_set(copy))
    wanted = sorted((lowest + distance, 0) for distance in distances)
    return lowest if sorted(replica_set(copy)) == wanted else 0


def tensor_faults(copy: Copy) -> dict[str, list[Fault]]:
    rows, words, lanes, distances = FORMS[copy.form]
    found: dict[str, list[Fault]] = {f"F{number}": [] for number in range(1, 8)}
    shift = origin_shift(copy)
    column_shifts = wanderings(copy.column_factor, 1200)
    lanes_used: dict[Fault, list[int]] = {}
    columns_used: dict[Fault, int] = {}
    equal = True
    for index in leading(copy.dst, copy.dst_indices):
        written: dict[tuple[int, int], tuple[int, ...]] = {}
        for repeat in repeats(copy):
            lane0, column0 = lane_column(copy, (*index, *repeat, 0, 0))
            if any((column0 + moved) % 4 for moved in column_shifts):
                found["F4"].append((index, 0, repeat, 0, 0))
            for row, word in itertools.product(range(rows), range(words)):
                fault = (index, 0, repeat, row, word)
                lane, column = lane_column(copy, (*index, *repeat, row, word))
                if lane - lane0 != lanes[row]:
                    found["F2"].append(fault)
                if column - column0 != word:
                    found["F3"].append(fault)
                origin = lane0 + shift
                mine = {(origin + lanes[row] + d, column0 + word) for d in distances}
                theirs = {(lane + up, column + right) for up, right in replica_set(copy)}
                equal = equal and mine == theirs
                lanes_used[fault] = [lane for lane, _ in mine]
                columns_used[fault] = column0 + word
                for cell in mine:
                    if written.setdefault(cell, repeat) != repeat:
                        found["F7"].append((index, 0, repeat, 0, 0))
    if sorted(lane - shift for lane, _ in replica_set(copy)) != distances or any(
        column for _, column in replica_set(copy)
    ):
        found["F1"].append(WHOLE)
    # What the rules F1 to F3 say together: a word's cells are those that the instruction writes.
    assert equal == (not found["F1"] and not found["F2"] and not found["F3"])
    every_lane = [lane for used in lanes_used.values() for lane in used]
    if not fits(every_lane, 128, wanderings(copy.lane_factor, 400)):
        bad = [at for at, used in lanes_used.items() if min(used) < 0 or max(used) > 127]
        found["F5"] = bad or [WHOLE]
    limit = 512 if copy.columns is None else copy.columns
    if not fits(list(columns_used.values()), limit, column_shifts):
        bad = [at for at, used in columns_used.items() if used not in range(limit)]
        found["F6"] = bad or [WHOLE]
    return found


def fits(used: list[int], limit: int, moves: list[int]) -> bool:
    """Whether one of the moves brings all into 0..limit-1."""
    return any(min(used) + moved >= 0 and max(used) + moved < limit for moved in moves)


def wanderings(factor: int, reach: int) -> list[int]:
    """Multiples of an unknown addend's factor; none adds 0."""
    return list(range(-(reach // factor) * factor, reach, factor)) if factor else [0]


def walk(copy: Copy, start: int, row: int, word: int) -> int:
    """The byte that is read, before the XOR."""
    at = start
    for _ in range(row // 8):
        at += copy.sdo
    for _ in range(row % 8):
        at += (16, 32, 64, 128)[copy.swizzle]
    if copy.swizzle == 0 and word >= 4:
        return at + copy.ldo + 4 * (word - 4)
    return at + 4 * word


def starting_at(touched: int, swizzle: int) -> int:
    """The linear address whose XOR is `touched`."""
    row = touched // 128 * 128
    (start,) = (a for a in range(row, row + 128) if exchange(a, swizzle) == touched)
    return start


def shared_faults(copy: Copy) -> dict[str, list[Fault]]:
    """F8 to F12; only F8 and F9 where an origin is no multiple of 16 bytes ("F9o")."""
    rows, words, _, _ = FORMS[copy.form]
    names = ("F8", "F9", "F9o", "F10", "F11", "F12")
    found: dict[str, list[Fault]] = {name: [] for name in names}
    worst = max(copy.swizzle, copy.src_swizzle)
    period = 128 << worst if worst else 16
    if (copy.alignment if copy.address is None else copy.address) % period:
        found["F9"].append(WHOLE)
    root = copy.address or 0
    zero = tuple(at or 0 for at in copy.src_indices)
    endless = bool(copy.byte_factor) or any(
        extent is None and at is None
        for mode, at in zip(copy.src, copy.src_indices, strict=False)
        for extent, _ in mode
    )
    low, high = (0, 232448 - root) if copy.extent is not None else (-root, 232448 - root)
    high = high if copy.extent is None else min(high, copy.extent)
    if copy.extent is not None and copy.extent > 232448:
        found["F10"].append(WHOLE)
    placed = (copy.extent is not None or copy.address is not None) and not endless
    if not placed and copy.extent is None:
        low, high = -232448, 232448
    spans: list[int] = []
    moves = range(0, ENDLESS * copy.byte_factor, copy.byte_factor) if copy.byte_factor else [0]
    for moved, index in itertools.product(moves, leading(copy.src, copy.src_indices)):
        for repeat in repeats(copy):
            first = linear(copy, (*zero, *repeat, 0, 0))
            delta = starting_at(exchange(first, copy.src_swizzle), copy.swizzle) - first
            here = linear(copy, (*index, *repeat, 0, 0)) + moved
            if (here - root) % 16:
                found["F9o"].append((index, moved, repeat, 0, 0))
            start = here + delta
            for row, word in itertools.product(range(rows), range(words)):
                fault = (index, moved, repeat, row, word)
                wanted = linear(copy, (*index, *repeat, row, word)) + moved
                read = exchange(walk(copy, start, row, word), copy.swizzle)
                if exchange(wanted, copy.src_swizzle) != read:
                    found["F8"].append(fault)
                if word % 4 == 0:
                    at = read - root
                    if index == zero and moved == 0:
                        spans += [at, at + 16]
                    if not endless and (at < low or at + 16 > high):
                        found["F10"].append(fault)
                if word == 0 and copy.swizzle:
                    row_bytes = 16 << copy.swizzle
                    if walk(copy, start, row, 0) % row_bytes + 4 * words > row_bytes:
                        found["F12"].append(fault)
            if rows == 4 and placed and not is_backed(copy, start, root, low, high):
                found["F11"].append((index, moved, repeat, 0, 0))
    available = 232448 if copy.extent is None else min(copy.extent, 232448)
    if not placed and max(spans) - min(spans) > available:
        found["F10"] = found["F10"] or [WHOLE]
    if found["F9o"]:
        for name in ("F10", "F11", "F12"):
            found[name] = []
    return found


def is_backed(copy: Copy, start: int, root: int, low: int, high: int) -> bool:
    pitch = (16, 32, 64, 128)[copy.swizzle]
    for rows in (range(4, 8), range(-4, 0)):
        inside = True
        for row, word in itertools.product(rows, (0, 4)):
            plain = start + pitch * row
            plain += copy.ldo if word == 4 and copy.swizzle == 0 else 4 * word
            at = exchange(plain, copy.swizzle) - root
            inside = inside and low <= at and at + 16 <= high
        if inside:
            return True
    return False


def all_faults(copy: Copy) -> dict[str, list[Fault]]:
    """Every rule that is broken, with all places."""
    found = {**tensor_faults(copy), **shared_faults(copy)}
    return {rule: faults for rule, faults in found.items() if faults}
