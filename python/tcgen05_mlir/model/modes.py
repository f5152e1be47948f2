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

from .values import as_int

Nest = tuple[Any, ...]
"""One entry per dimension, each a leaf or a tuple of leaves."""

REACH_LIMIT = 1 << 60
"""Address units: no element lies further from the base, so that int64 never wraps."""


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
        return tuple(None if e is None else math.prod(leaves(e)) for e in self.extents)

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
        modes = [_mode_offsets(*mode) for mode in zip(extents, self.strides)]
        return reduce(np.add.outer, modes, np.zeros((), np.int64))

    def reach(self) -> int:
        """The largest distance from the first element to another; `?` counts as 1."""
        pairs = zip(leaves(self.extents), leaves(self.strides))
        return sum((extent - 1) * abs(stride) for extent, stride in pairs if extent is not None)

    def _mode_offset(self, dim: int, index: int) -> int:
        size = self.shape[dim]
        if index < 0 or (size is not None and index >= size):
            bound = "" if size is None else f" and below {size}"
            raise ValueError(f"index {index} of dimension {dim} must be at least 0{bound}")
        if size is None:
            return index * self.strides[dim]
        offset = 0
        pairs = zip(leaves(self.extents[dim]), leaves(self.strides[dim]))
        for extent, stride in reversed(list(pairs)):
            index, position = divmod(index, extent)
            offset += position * stride
        return offset


def read_modes(
    extents: Any, strides: Any, read_stride: Callable[[Any], Any], dynamic: bool = False
) -> tuple[Nest, Nest]:
    """Normalised extents and strides: one tuple entry per dimension, inner nesting flattened.

    `(((2, (2, 8)), 4), ...)` becomes `((2, 2, 8), 4)`, and a mode of one sub-mode a plain entry.
    With `dynamic` the first extent may be None.

    Raises ValueError where the two differ in nesting, a mode is empty or an extent is not
    positive; TypeError for what is neither a tuple nor a leaf.
    """
    for name, value in (("extents", extents), ("strides", strides)):
        if not isinstance(value, (tuple, list)):
            raise TypeError(f"'{name}' must be a tuple, got {type(value).__name__} {value!r}")
    _check_nesting(extents, strides)
    return (
        tuple(
            None if dynamic and dim == 0 and mode is None else _normal_mode(mode, _read_extent)
            for dim, mode in enumerate(extents)
        ),
        tuple(_normal_mode(mode, read_stride) for mode in strides),
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
    for count, step in zip(leaves(extent), leaves(stride)):
        offsets = np.add.outer(offsets, np.arange(count, dtype=np.int64) * step).reshape(-1)
    return offsets


def _with_leading(extents: Nest, leading: int | None) -> Nest:
    if not extents or (extents[0] is not None and leading is None):
        return extents
    if leading is None:
        raise ValueError("the leading extent is '?': give 'leading'")
    first = math.prod(leaves(extents[0])) if extents[0] is not None else leading
    if as_int(leading, "leading") != first or first < 0:
        raise ValueError(f"'leading' must be {max(first, 0)}, got {leading}")
    return extents if extents[0] is not None else (leading, *extents[1:])


def _normal_mode(mode: Any, read_leaf: Callable[[Any], Any]) -> Any:
    values = tuple(read_leaf(leaf) for leaf in leaves(mode))
    return values[0] if len(values) == 1 else values


def _read_extent(value: Any) -> int:
    if value is None:
        raise ValueError("an extent must be a number: only the whole leading one may be '?'")
    extent = as_int(value, "extent")
    if extent < 1:
        raise ValueError(f"an extent must be at least 1, got {extent}")
    return extent


def _check_nesting(extents: Any, strides: Any) -> None:
    nested = [isinstance(part, (tuple, list)) for part in (extents, strides)]
    if nested[0] != nested[1] or (nested[0] and len(extents) != len(strides)):
        raise ValueError(f"extents {_show(extents)} and strides {_show(strides)} differ in nesting")
    if not nested[0]:
        return
    for extent, stride in zip(extents, strides):
        if isinstance(extent, (tuple, list)) and not extent:
            raise ValueError("a mode must hold at least one extent, got ()")
        _check_nesting(extent, stride)


def _show(nest: Any) -> str:
    return format_nest(nest) if isinstance(nest, tuple) else str(nest)
