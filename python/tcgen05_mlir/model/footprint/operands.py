"""The two operands of a copy, taken apart: where they start, what moves them, one atom.

Distances of leading indices, of repeats, of rows and of words add up, so that each is looked at
once. Repeats are cut at one more than tensor memory can hold without two of them overlapping: the
fault of a copy that repeats more often lies in the first ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..axis import COL, LANE, Axis
from ..descriptor import SmemDescriptor
from ..instruction import Instruction
from ..limits import TMEM_COLUMNS, TMEM_LANES, WORD_BYTES
from ..modes import Modes, map_leaves
from ..smem_layout import SmemLayout
from ..swizzle import base_alignment, swizzle_address
from ..tmem_layout import TmemLayout
from .distances import (
    Choice,
    Digit,
    base_distance,
    chosen_index,
    moving_digits,
    repeat_distances,
    repeat_index,
)
from .facts import SharedBase, TensorBase
from .replica_sets import replica_shift
from .violation import Place

Indices = tuple[int | None, ...]
"""Leading indices of an operand: a constant, or None for what the run time chooses."""

FAR = 1 << 40
"""Beyond every bound of either memory, and small enough that int64 sums do not overflow."""


def repeat_limit(instruction: Instruction) -> int:
    """Instructions that fit tensor memory side by side: 128 of 128x128b, 2048 of 4x256b."""
    cells = instruction.rows * instruction.words * len(instruction.replicas)
    return TMEM_LANES * TMEM_COLUMNS // cells


def judged_repeats(instruction: Instruction, shape: Sequence[int]) -> int:
    """How many repeats are looked at: all that a right copy can have, and one more."""
    return min(math.prod(shape), repeat_limit(instruction) + 1)


def near(value: int) -> int:
    """`value`, or one as far out of every bound with the same remainder modulo 1024."""
    if abs(value) < FAR:
        return value
    return (FAR if value > 0 else -FAR) + value % base_alignment(3)


@dataclass(frozen=True)
class Destination:
    """`dst`: lanes and columns, counted from the base's root.

    `start`: of repeat 0 with every dynamic index 0; `repeats`: the distance of each repeat, int64
    (count,); `lanes`, `columns`: the atom's distances from its word (0, 0), int64 (rows, words).
    """

    instruction: Instruction
    layout: TmemLayout
    base: TensorBase
    indices: Indices
    repeat_shape: tuple[int, ...]
    start: tuple[int, int]
    repeats: tuple[NDArray[np.int64], NDArray[np.int64]]
    digits: tuple[tuple[Digit, ...], tuple[Digit, ...]]
    lanes: NDArray[np.int64]
    columns: NDArray[np.int64]

    def place(
        self, digits: Sequence[Digit] = (), choice: Choice = (), repeat: int = 0, **atom: int
    ) -> Place:
        """The place of a word: repeat by number, `row=`, `word=`."""
        index = chosen_index(digits, choice, self.indices)
        return Place(repeat_index(self.repeat_shape, repeat), index=index, **atom)


@dataclass(frozen=True)
class Source:
    """`src`: bytes before the swizzle, counted from the base's root.

    `start`: of repeat 0 with every dynamic index 0; `repeats`: the distance of each repeat, int64
    (count,); `atom`: distances of its words from word (0, 0), int64 (rows, words); `root`: the
    root's address, 0 where only its alignment matters.
    """

    instruction: Instruction
    layout: SmemLayout
    base: SharedBase
    indices: Indices
    repeat_shape: tuple[int, ...]
    start: int
    repeats: NDArray[np.int64]
    digits: tuple[Digit, ...]
    atom: NDArray[np.int64]

    @property
    def root(self) -> int:
        return self.base.address or 0

    @property
    def is_endless(self) -> bool:
        """Whether something unknown moves the source without a limit."""
        return any(digit.extent is None for digit in self.digits)

    def place(self, choice: Choice = (), repeat: int = 0, **atom: int) -> Place:
        """The place of a word: repeat by number, `row=`, `word=`."""
        choice = choice or (0,) * len(self.digits)
        index = chosen_index(self.digits, choice, self.indices)
        moved = base_distance(self.digits, choice)
        return Place(repeat_index(self.repeat_shape, repeat), index=index, moved=moved, **atom)

    def period(self, swizzle: int) -> int:
        """Bytes after which the XOR of the layout and that of a descriptor repeat."""
        return base_alignment(max(self.layout.swizzle, swizzle))

    def starts(self, swizzle: int) -> NDArray[np.int64]:
        """Where a descriptor must start for its first word to be the layout's, int64 (count,).

        From the root, all dynamic indices 0. It differs from the layout's own distance only where
        the layout is swizzled otherwise than the descriptor.
        """
        linear = self.root + near(self.start) + self.repeats
        if swizzle == self.layout.swizzle:
            return linear - self.root
        touched = swizzle_address(linear, self.layout.swizzle)
        return swizzle_address(touched, swizzle) - self.root

    def walk(self, descriptor: SmemDescriptor) -> NDArray[np.int64]:
        """The descriptor's distances from its start, before the XOR, int64 (rows, words)."""
        rows = np.arange(self.instruction.rows)[:, None]
        return descriptor.linear_addresses(rows, np.arange(self.instruction.words))


def read_destination(
    instruction: Instruction, layout: TmemLayout, indices: Indices, base: TensorBase
) -> Destination:
    """`dst` taken apart; ranks and extents are those that rule C4 wants."""
    lead, trail = len(indices), layout.rank - 2
    fixed = tuple(index or 0 for index in indices)
    lane, column = layout.origin(fixed)
    extents = layout.extents
    steps = {axis: _along(layout, axis) for axis in (LANE, COL)}
    shape = layout.shape[lead:trail]
    count = judged_repeats(instruction, shape)
    return Destination(
        instruction,
        layout,
        base,
        indices,
        shape,
        (base.lane + lane + (replica_shift(instruction, layout) or 0), base.column + column),
        (
            repeat_distances(extents[lead:trail], steps[LANE][lead:trail], count),
            repeat_distances(extents[lead:trail], steps[COL][lead:trail], count),
        ),
        (
            moving_digits(extents, steps[LANE], indices),
            moving_digits(extents, steps[COL], indices),
        ),
        Modes(extents[trail:], steps[LANE][trail:]).offsets(),
        Modes(extents[trail:], steps[COL][trail:]).offsets(),
    )


def read_source(
    instruction: Instruction, layout: SmemLayout, indices: Indices, base: SharedBase
) -> Source:
    """`src` taken apart; ranks and extents are those that rule C4 wants."""
    lead, trail = len(indices), layout.rank - 2
    fixed = tuple(index or 0 for index in indices)
    steps = map_leaves(lambda stride: WORD_BYTES * stride, layout.strides)
    extents = layout.extents
    shape = tuple(extent or 0 for extent in layout.shape[lead:trail])
    count = judged_repeats(instruction, shape)
    unknown = Digit(None, 0, None, base.offset_factor)
    return Source(
        instruction,
        layout,
        base,
        indices,
        shape,
        base.offset + layout.linear_bytes(fixed),
        repeat_distances(extents[lead:trail], steps[lead:trail], count),
        ((unknown,) if unknown.step else ()) + moving_digits(extents, steps, indices),
        Modes(extents[trail:], steps[trail:]).offsets(),
    )


def _along(layout: TmemLayout, axis: Axis) -> tuple:
    return map_leaves(lambda stride: stride.along(axis), layout.strides)
