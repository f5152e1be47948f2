"""Replica sets: the distances at which a copy writes the same data again."""

from __future__ import annotations

import itertools
import math
from typing import Any

from .axis import COL, LANE, Stride, read_stride
from .limits import TMEM_COLUMNS, TMEM_LANES
from .modes import leaves, read_modes

Replicas = tuple[tuple[int, ...], tuple[Stride, ...]]
"""Flat extents and strides, canonical."""

MAX_REPLICAS = TMEM_LANES * TMEM_COLUMNS
"""No replica set can be larger than tensor memory has cells."""


def canonical_replicas(extents: Any, strides: Any) -> Replicas:
    """The one spelling of a replica set.

    Extents of 1 are dropped, modes sorted (lanes before columns, strides ascending), neighbours
    coalesced: (2, 2) : (64@lane, 32@lane) becomes (4) : (32@lane).

    Raises ValueError for replicas that are not distinct or more than tensor memory holds, and
    what `read_modes` raises.
    """
    read_extents, read_strides = read_modes(extents, strides, read_stride)
    modes = [
        pair
        for pair in zip(leaves(read_extents), leaves(read_strides), strict=True)
        if pair[0] != 1
    ]
    modes.sort(key=lambda mode: (mode[1].axis is COL, abs(mode[1].value), mode[1].value))
    merged: list[tuple[int, Stride]] = []
    for extent, stride in modes:
        if merged and _absorbs(*merged[-1], stride):
            merged[-1] = (merged[-1][0] * extent, merged[-1][1])
        else:
            merged.append((extent, stride))
    replicas = (tuple(extent for extent, _ in merged), tuple(stride for _, stride in merged))
    _check_distinct(replicas)
    return replicas


def replica_offsets(replicas: Replicas) -> tuple[tuple[int, int], ...]:
    """(lanes, columns) of every replica, the first one (0, 0), row-major over the modes."""
    extents, strides = replicas
    return tuple(
        (
            sum(i * stride.along(LANE) for i, stride in zip(index, strides, strict=True)),
            sum(i * stride.along(COL) for i, stride in zip(index, strides, strict=True)),
        )
        for index in itertools.product(*(range(extent) for extent in extents))
    )


def _absorbs(extent: int, stride: Stride, following: Stride) -> bool:
    return stride.axis is following.axis and extent * stride.value == following.value


def _check_distinct(replicas: Replicas) -> None:
    count = math.prod(replicas[0])
    if count > MAX_REPLICAS:
        raise ValueError(f"'replicas' must be at most {MAX_REPLICAS}, got {count}")
    seen: set[tuple[int, int]] = set()
    for offset in replica_offsets(replicas):
        if offset in seen:
            lane, column = offset
            raise ValueError(
                f"'replicas' must be distinct: offset ({lane}@lane, {column}@col) occurs twice"
            )
        seen.add(offset)
