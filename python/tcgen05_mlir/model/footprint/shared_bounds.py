"""Rules F10 and F11: what a copy reads, and what a 4-row copy needs around it, is allocated.

Bytes are counted from the root. The XOR moves 16-byte blocks inside a swizzle row, so the first
and the last byte of a walk depend on the phase that it starts at; nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..descriptor import SmemDescriptor
from ..limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, DESCRIPTOR_UNIT, SMEM_BLOCK_BYTES
from ..swizzle import swizzle_address, swizzle_row_bytes
from .distances import Choice, Distances, distance, extreme
from .operands import Source, near
from .plan import Assumption
from .violation import Violation

_PAIRS = 1 << 18
"""Pairs of a distance and a repeat that are looked at together."""


@dataclass(frozen=True)
class Walk:
    """All instructions of a copy as they read shared memory."""

    source: Source
    descriptor: SmemDescriptor

    @property
    def is_placed(self) -> bool:
        """Whether it is known where in its allocation the copy reads, up to dynamic indices."""
        base = self.source.base
        known = base.extent is not None or base.address is not None
        return known and not self.source.is_endless

    @cached_property
    def blocks(self) -> NDArray[np.int64]:
        """Distances of the 16-byte blocks that are read, before the XOR, int64 (rows, blocks)."""
        return self.source.walk(self.descriptor)[:, ::CORE_MATRIX_WORDS]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where each repeat starts with every dynamic index 0, int64 (count,)."""
        return self.source.starts(self.descriptor.swizzle)

    @property
    def window(self) -> tuple[int, int]:
        """The bytes, from the root, that an instruction may read."""
        base = self.source.base
        end = SMEM_BLOCK_BYTES - (base.address or 0)
        if base.extent is not None:
            return 0, min(base.extent, end)
        return (-SMEM_BLOCK_BYTES if base.address is None else -base.address), end

    def reach(
        self, starts: NDArray[np.int64], blocks: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first byte that each start touches and the one behind its last."""
        period = self.source.period(self.descriptor.swizzle)
        phases, which = np.unique((self.source.root + starts) % period, return_inverse=True)
        flat = blocks.reshape(-1)
        moved = swizzle_address(phases[:, None] + flat, self.descriptor.swizzle) - phases[:, None]
        least, greatest = moved.min(axis=1), moved.max(axis=1) + DESCRIPTOR_UNIT
        which = which.reshape(starts.shape)
        return starts + least[which], starts + greatest[which]

    def distances(self) -> Iterator[NDArray[np.int64]]:
        """What dynamic indices add, in parts that fit memory: 0 and the extremes first."""
        digits = self.source.digits
        ends = [distance(digits, extreme(digits, sign)) for sign in (-1, 1)]
        yield np.array([0, *map(near, ends)])
        if not digits or max(ends) - min(ends) > 4 * SMEM_BLOCK_BYTES:
            return  # nothing moves it, or the extremes lie outside
        values = Distances(digits).values
        size = max(1, _PAIRS // len(self.starts))
        for first in range(0, len(values), size):
            yield values[first : first + size]

    def choice_of(self, moved: int) -> Choice:
        """The indices that move the copy by one of `distances`."""
        digits = self.source.digits
        for choice in ((0,) * len(digits), extreme(digits, -1), extreme(digits, 1)):
            if near(distance(digits, choice)) == moved:
                return choice
        return Distances(digits).first_choice(moved)


def check_inside(walk: Walk) -> Iterator[Violation]:
    """F10: the walk stays inside the root allocation, and that inside a block's memory."""
    extent = walk.source.base.extent
    if extent is not None and extent > SMEM_BLOCK_BYTES:
        message = (
            f"'src' root must hold at most {SMEM_BLOCK_BYTES} bytes, the shared memory of a "
            f"block, got {extent} [F10]"
        )
        remedy = "use a smaller buffer, fewer stages for example"
        yield Violation("F10", "src", message, remedy, extent, SMEM_BLOCK_BYTES)
    if not walk.is_placed:
        wide = _too_wide(walk)
        if wide is not None:
            yield wide
        if wide is not None or walk.source.is_endless:
            return
    first, behind = walk.window
    for moved in walk.distances():
        low, high = walk.reach(moved[:, None] + walk.starts, walk.blocks)
        outside = np.argwhere((low < first) | (high > behind))
        if outside.size:
            number, repeat = map(int, outside[0])
            yield _outside(walk, int(moved[number]), repeat)
            return


def _too_wide(walk: Walk) -> Violation | None:
    """F10 where nobody knows the place: what is read, dynamic indices 0, fits some place."""
    source, extent = walk.source, walk.source.base.extent
    size = SMEM_BLOCK_BYTES if extent is None else min(extent, SMEM_BLOCK_BYTES)
    low, high = walk.reach(walk.starts, walk.blocks)
    wide = np.flatnonzero(high - low.min() > size)
    if not wide.size:
        return None
    repeat = int(wide[0])
    start = source.root + int(walk.starts[repeat])
    blocks = swizzle_address(start + walk.blocks, walk.descriptor.swizzle) - source.root
    behind = blocks + DESCRIPTOR_UNIT - int(low.min())
    row, column = map(int, np.argwhere(behind > size)[0])
    place = source.place(repeat=repeat, row=row, word=CORE_MATRIX_WORDS * column)
    span = int(behind[row, column])
    whose = "a block" if extent is None else "the root"
    message = (
        f"'descriptor' must keep the walk inside the {size} bytes of {whose}, got {span} bytes "
        f"from its first to {place} [F10]"
    )
    return Violation("F10", "descriptor", message, _remedy(walk), span, size, place)


def _outside(walk: Walk, moved: int, repeat: int) -> Violation:
    source, (first, behind) = walk.source, walk.window
    choice = walk.choice_of(moved)
    start = source.root + moved + int(walk.starts[repeat])
    blocks = swizzle_address(start + walk.blocks, walk.descriptor.swizzle) - source.root
    wrong = np.argwhere((blocks < first) | (blocks + DESCRIPTOR_UNIT > behind))
    row, column = map(int, wrong[0])
    place = source.place(choice, repeat, row=row, word=CORE_MATRIX_WORDS * column)
    beyond = source.start - near(source.start) + distance(source.digits, choice) - moved
    byte = int(blocks[row, column]) + beyond
    if source.base.extent is not None:
        where = f"the {behind} bytes of the root"
    elif source.base.address is not None:
        where, byte = f"the {SMEM_BLOCK_BYTES} bytes of a block", byte + source.root
    else:
        where = f"{SMEM_BLOCK_BYTES} bytes around the root"
    last = byte + DESCRIPTOR_UNIT - 1
    message = (
        f"'descriptor' must keep the walk inside {where}, got bytes {byte} to {last} for "
        f"{place} [F10]"
    )
    return Violation("F10", "descriptor", message, _remedy(walk), (byte, last), behind, place)


def _remedy(walk: Walk) -> str:
    fields = []
    if walk.source.instruction.reads_ldo(walk.descriptor.swizzle):
        fields.append(f"ldo = {walk.descriptor.ldo}")
    if walk.source.instruction.reads_sdo:
        fields.append(f"sdo = {walk.descriptor.sdo}")
    given = f" with {', '.join(fields)}" if fields else ""
    size = int(walk.blocks.max()) + DESCRIPTOR_UNIT
    name = walk.source.instruction.form.name
    return f"one {name}{given} spans {size} bytes; give the buffer room for all, or start earlier"


def check_backed(walk: Walk) -> Iterator[Violation]:
    """F11: rows 0..7 of a 4-row copy's walk, or rows -4..3, stay inside the root allocation."""
    instruction = walk.source.instruction
    if instruction.rows >= CORE_MATRIX_ROWS or not walk.is_placed:
        return
    first, behind = walk.window
    half = instruction.rows * swizzle_row_bytes(walk.descriptor.swizzle)
    for moved in walk.distances():
        starts = moved[:, None] + walk.starts
        above = walk.reach(starts, walk.blocks + half)
        below = walk.reach(starts, walk.blocks - half)
        backed = (above[0] >= first) & (above[1] <= behind)
        backed |= (below[0] >= first) & (below[1] <= behind)
        bare = np.argwhere(~backed)
        if bare.size:
            number, repeat = map(int, bare[0])
            last, start = int(above[1][number, repeat]) - 1, int(below[0][number, repeat])
            yield _bare(walk, int(moved[number]), repeat, last, start)
            return


def _bare(walk: Walk, moved: int, repeat: int, last: int, start: int) -> Violation:
    source, (first, behind) = walk.source, walk.window
    place = source.place(walk.choice_of(moved), repeat)
    which = f" of {place.issue}" if place.issue else ""
    message = (
        f"'src' must back the eight-row block of a 4-row copy, rows 0..7 or rows -4..3{which} "
        f"inside bytes {first}..{behind - 1} of the root, got rows 4..7 up to byte {last} and "
        f"rows -4..-1 from byte {start} [F11]"
    )
    remedy = "the hardware is organised in blocks of eight rows; give the buffer four rows more"
    return Violation("F11", "src", message, remedy, (start, last), (first, behind - 1), place)


def assumed_bounds(walk: Walk) -> Iterator[Assumption]:
    """What `check_inside` and `check_backed` took for granted."""
    source = walk.source
    if source.base.extent is not None and not source.is_endless:
        return
    first, behind = _total_reach(walk)
    touched = (first, behind - 1)
    text = f"{touched[0]} to {touched[1]} of the root"
    if source.is_endless:
        who = "'src' keeps the copy inside its buffer, whatever the run time chooses: bytes"
        yield Assumption("F10", "range", "src", touched, f"{who} {text}, moved by it [F10]")
    else:
        yield Assumption("F10", "extent", "src", touched, f"'src' holds bytes {text} [F10]")
    if source.instruction.rows < CORE_MATRIX_ROWS and not walk.is_placed:
        text = f"'src' holds the eight-row blocks of 4-row copies from bytes {text} [F11]"
        yield Assumption("F11", "block", "src", touched, text)


def _total_reach(walk: Walk) -> tuple[int, int]:
    """The first byte of all that is read and the one behind the last; endless digits are 0."""
    ends = []
    parts = [np.zeros(1, np.int64)] if walk.source.is_endless else walk.distances()
    for moved in parts:
        low, high = walk.reach(moved[:, None] + walk.starts, walk.blocks)
        ends.append((int(low.min()), int(high.max())))
    return min(low for low, _ in ends), max(high for _, high in ends)
