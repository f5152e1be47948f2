"""`TmemLayout`: where each element of a memref lies in tensor memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .axis import COL, LANE, Axis, Stride, read_stride
from .instruction import Instruction
from .limits import TMEM_LANE_SHIFT
from .modes import Modes, Nest, format_nest, map_leaves, read_modes
from .replicas import Replicas, canonical_replicas, replica_offsets
from .scanner import Scanner
from .values import bounded


@dataclass(frozen=True)
class TmemLayout:
    """A map from indices to (lane, column), one mode per dimension, relative to a base address.

    `extents` and `strides` have the same nesting, one entry per dimension; inside a mode the last
    sub-mode is the fastest. `replicas` is a pair (extents, strides): the distances at which the
    same data lies again; equal sets compare equal. `offset` is (lanes, columns).

    `TmemLayout(((2, 32), 4), ((64 @ LANE, 1 @ LANE), 1 @ COL))` puts element (33, 2) in lane 65,
    column 2. Its text is `#tcgen05.tmem_layout<((2, 32), 4) : ((64@lane, 1@lane), 1@col)>`.

    Raises ValueError for extents below 1 or nestings that differ, TypeError for wrong kinds. The
    bounds of tensor memory are not judged here but where a copy uses the layout (F1 to F7).
    """

    extents: Nest
    strides: Nest
    replicas: Replicas = ((), ())
    offset: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        extents, strides = read_modes(self.extents, self.strides, read_stride)
        object.__setattr__(self, "extents", extents)
        object.__setattr__(self, "strides", strides)
        object.__setattr__(self, "replicas", canonical_replicas(*_pair(self.replicas, "replicas")))
        lane, column = _pair(self.offset, "offset")
        object.__setattr__(self, "offset", (bounded(lane, "offset"), bounded(column, "offset")))

    @classmethod
    def for_instruction(
        cls,
        instruction: Instruction,
        repeats: int | Sequence[int] = (),
        *,
        repeat_strides: Sequence[Stride] | None = None,
        offset: tuple[int, int] = (0, 0),
    ) -> TmemLayout:
        """The layout that `instruction` writes: dimensions (*repeats, row, word).

        Repeats lie side by side along columns, row-major, unless `repeat_strides` says otherwise.
        Four repeats of 32x128b.warpx4 give
        `(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)`.
        """
        counts = (repeats,) if isinstance(repeats, int) else tuple(repeats)
        strides = _dense_columns(counts, instruction.words)
        form = instruction.form
        return cls(
            (*counts, form.row_extents, form.words),
            (
                *(strides if repeat_strides is None else repeat_strides),
                tuple(lane @ LANE for lane in form.row_lanes),
                1 @ COL,
            ),
            ((len(form.replicas),), (max(form.replicas[:2]) @ LANE,)),
            offset,
        )

    @classmethod
    def parse(cls, text: str) -> TmemLayout:
        """The layout of an attribute's text, with or without `#tcgen05.tmem_layout` and `<>`.

        Raises ValueError that says what was wanted and at which character.
        """
        scan = Scanner(text, "tmem_layout")

        def stride() -> Stride:
            value = scan.integer()
            scan.expect("@")
            return value @ Axis(scan.expect("lane", "col"))

        def modes() -> tuple[Any, Any]:
            extents = scan.nest(scan.integer)
            scan.expect(":")
            return extents, scan.nest(stride)

        def offset() -> tuple[int, int]:
            found: dict[str, int] = {}

            def field() -> None:
                missing = [axis.value for axis in Axis if axis.value not in found]
                if not missing:
                    scan.fail("')'")
                value = scan.integer()
                scan.expect("@")
                found[scan.expect(*missing)] = value

            scan.nest(field)
            return found.get("lane", 0), found.get("col", 0)

        closed = scan.open()
        extents, strides = modes()
        return cls(extents, strides, **scan.fields({"replicas": modes, "offset": offset}, closed))

    def __str__(self) -> str:
        text = f"{format_nest(self.extents)} : {format_nest(self.strides)}"
        if self.replicas[0]:
            replica_extents, replica_strides = self.replicas
            text += f", replicas = {format_nest(replica_extents)} : {format_nest(replica_strides)}"
        if self.offset != (0, 0):
            text += f", offset = ({self.offset[0]}@lane, {self.offset[1]}@col)"
        return f"#tcgen05.tmem_layout<{text}>"

    @property
    def rank(self) -> int:
        """Dimensions of the memref."""
        return len(self.extents)

    @property
    def shape(self) -> tuple[int, ...]:
        """The memref's shape: (64, 4) for extents ((2, 32), 4)."""
        return tuple(extent for extent in self._lane_modes.shape if extent is not None)

    @property
    def replica_offsets(self) -> tuple[tuple[int, int], ...]:
        """(lanes, columns) from the first replica to each: ((0, 0), (32, 0), ...) for warpx4."""
        return replica_offsets(self.replicas)

    def origin(self, index: Sequence[int] = ()) -> tuple[int, int]:
        """(lane, column) of an element's first replica; trailing indices left out are 0.

        With one index per repeat dimension it is the repeat's origin: index (3,) of the example
        of `for_instruction` is (0, 12). Raises ValueError for an index outside its extent.
        """
        lane, column = self.offset
        return lane + self._lane_modes.offset(index), column + self._column_modes.offset(index)

    def offset_of(self, index: Sequence[int] = ()) -> int:
        """The affine map of the memref layout: lane * 65536 + column of an element."""
        lane, column = self.origin(index)
        return (lane << TMEM_LANE_SHIFT) + column

    def lanes(self) -> NDArray[np.int64]:
        """The lane of every element's first replica, int64 in the layout's shape."""
        return self.offset[0] + self._lane_modes.offsets()

    def columns(self) -> NDArray[np.int64]:
        """The column of every element's first replica, int64 in the layout's shape."""
        return self.offset[1] + self._column_modes.offsets()

    @cached_property
    def _lane_modes(self) -> Modes:
        return self._modes(LANE)

    @cached_property
    def _column_modes(self) -> Modes:
        return self._modes(COL)

    def _modes(self, axis: Axis) -> Modes:
        return Modes(self.extents, map_leaves(lambda stride: stride.along(axis), self.strides))


def _pair(value: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"'{name}' must be a pair, got {value!r}")
    return value[0], value[1]


def _dense_columns(counts: Sequence[int], words: int) -> tuple[Stride, ...]:
    strides: list[Stride] = []
    step = words
    for count in reversed(counts):
        strides.insert(0, step @ COL)
        step *= count
    return tuple(strides)
