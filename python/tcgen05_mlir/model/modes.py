"""The nested-mode algebra that both layouts share: one mode per memref dimension.

A mode is an extent with a stride, or several of them, row-major inside the mode: the last
sub-mode is the fastest. `Modes(((2, 32), 4), ((64, 1), 0))` sends index (33, 2) to
64*(33//32) + 33%32 = 65.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .values import as_int, bounded

Nest = tuple[Any, ...]
"""One entry per dimension, each a leaf or a tuple of leaves."""


@dataclass(frozen=True)
class Modes:
    """Normalised extents and integer strides of the same nesting; see `read_modes`.

    The first extent may be None: `?` in the text, known when the memref is.
    """

    extents: Nest
    strides: Nest

    @property
    def shape(self) -> tuple[int | None, ...]:
        """Extent of each dimension: (64, 4) for ((2, 32), 4)."""
        return tuple(_size(extent) for extent in self.extents)

    def offset(self, index: Sequence[int]) -> int:
        """Where an element lies; trailing indices that are left out are 0.

        Raises ValueError for an index outside its extent or more indices than dimensions.
        """
        if len(index) > len(self.extents):
            raise ValueError(f"got {len(index)} indices for {len(self.extents)} dimensions")
        return sum(
            self._mode_offset(dim, as_int(value, "index")) for dim, value in enumerate(index)
        )

    def offsets(self, leading: int | None = None) -> NDArray[np.int64]:
        """`offset` of every element, int64 in the layout's shape.

        `leading` is the extent that `?` stands for. Raises ValueError where it is missing, or
        contradicts the extent that the layout has.
        """
        extents = _with_leading(self.extents, leading)
        modes = [_mode_offsets(*mode) for mode in zip(extents, self.strides, strict=True)]
        return reduce(np.add.outer, modes, np.zeros((), np.int64))

    def _mode_offset(self, dim: int, index: int) -> int:
        size = _size(self.extents[dim])
        if index < 0 or (size is not None and index >= size):
            bound = "" if size is None else f" and below {size}"
            raise ValueError(f"index {index} of dimension {dim} must be at least 0{bound}")
        extents, strides = leaves(self.extents[dim]), leaves(self.strides[dim])
        offset = 0
        for extent, stride in zip(extents[:0:-1], strides[:0:-1], strict=True):
            index, position = divmod(index, extent)
            offset += position * stride
        return offset + index * strides[0]


def read_modes(
    extents: Any, strides: Any, read_stride: Callable[[Any], Any], dynamic: bool = False
) -> tuple[Nest, Nest]:
    """Normalised extents and strides: one tuple entry per dimension, inner nesting flattened.

    `(((2, (2, 8)), 4), ...)` becomes `((2, 2, 8), 4)`, and a mode of one sub-mode a plain entry.
    With `dynamic` the very first extent may be None.

    Raises ValueError where the two differ in nesting, a mode is empty or an extent is not
    positive; TypeError for what is neither a tuple nor a leaf.
    """
    for name, value in (("extents", extents), ("strides", strides)):
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"'{name}' must be a tuple, got {type(value).__name__} {value!r}")
    _check_nesting(extents, strides)
    first = None in leaves(extents)[:1] and dynamic
    normal = _normal_modes(_with_first(extents, 1) if first else extents, _read_extent)
    return (
        _with_first(normal, None) if first else normal,
        _normal_modes(strides, read_stride),
    )


def leaves(nest: Any) -> tuple[Any, ...]:
    """The leaves of a nest in order: (2, 32, 4) for ((2, 32), 4); a leaf is its own."""
    if not isinstance(nest, (tuple, list)):
        return (nest,)
    return tuple(leaf for part in nest for leaf in leaves(part))


def format_nest(nest: Any) -> str:
    """The attribute's text: `((2, 32), 4)`; None is `?`."""
    if isinstance(nest, tuple):
        return f"({', '.join(format_nest(part) for part in nest)})"
    return "?" if nest is None else str(nest)


def map_leaves(function: Callable[[Any], Any], nest: Any) -> Any:
    """The nest with `function` applied to its leaves."""
    if isinstance(nest, tuple):
        return tuple(map_leaves(function, part) for part in nest)
    return function(nest)


def _mode_offsets(extent: Any, stride: Any) -> NDArray[np.int64]:
    offsets = np.zeros(1, np.int64)
    for count, step in zip(leaves(extent), leaves(stride), strict=True):
        offsets = np.add.outer(offsets, np.arange(count, dtype=np.int64) * step).reshape(-1)
    return offsets


def _size(extent: Any) -> int | None:
    return None if None in leaves(extent) else math.prod(leaves(extent))


def _with_leading(extents: Nest, leading: int | None) -> Nest:
    if leading is None:
        if None in leaves(extents):
            raise ValueError("the leading extent is '?': give 'leading'")
        return extents
    inner = math.prod(leaves(extents[0])[1:]) if extents else 1
    first, rest = divmod(as_int(leading, "leading"), inner)
    if not extents or rest or first < 0 or leaves(extents)[0] not in (None, first):
        shown = format_nest(extents)
        raise ValueError(f"'leading' must fit the first of the extents {shown}, got {leading}")
    return _with_first(extents, first)


def _with_first(nest: Any, leaf: Any) -> Any:
    return (_with_first(nest[0], leaf), *nest[1:]) if isinstance(nest, (tuple, list)) else leaf


def _normal_modes(modes: Any, read_leaf: Callable[[Any], Any]) -> Nest:
    read = [tuple(read_leaf(leaf) for leaf in leaves(mode)) for mode in modes]
    return tuple(mode[0] if len(mode) == 1 else mode for mode in read)


def _read_extent(value: Any) -> int:
    if value is None:
        raise ValueError(
            "an extent must be a number here: only the leading one in shared memory may be '?'"
        )
    extent = bounded(value, "extent")
    if extent < 1:
        raise ValueError(f"an extent must be at least 1, got {extent}")
    return extent


def _check_nesting(extents: Any, strides: Any) -> None:
    wanted = tuple(len(leaves(mode)) for mode in extents)
    found = tuple(len(leaves(mode)) for mode in strides)
    if 0 in wanted:
        raise ValueError("a mode must have at least one extent")
    if found != wanted:
        raise ValueError(
            f"strides must nest as the extents do: sub-modes per mode {wanted}, got {found}"
        )
