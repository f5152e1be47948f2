"""Replica sets: the distances at which a copy writes the same data again."""

from __future__ import annotations

import itertools
from typing import Any

from .axis import COL, LANE, Stride, read_stride
from .modes import leaves, read_modes

Replicas = tuple[tuple[int, ...], tuple[Stride, ...]]
"""Flat extents and strides, canonical."""


def canonical_replicas(extents: Any, strides: Any) -> Replicas:
    """The one spelling of a replica set.

    Extents of 1 are dropped, modes sorted (lanes before columns, strides ascending), neighbours
    coalesced: (2, 2) : (64@lane, 32@lane) becomes (4) : (32@lane). Raises as `read_modes`.
    """
    read_extents, read_strides = read_modes(extents, strides, read_stride)
    modes = [pair for pair in zip(leaves(read_extents), leaves(read_strides)) if pair[0] != 1]
    modes.sort(key=lambda mode: (mode[1].axis is COL, mode[1].value, mode[0]))
    merged: list[tuple[int, Stride]] = []
    for extent, stride in modes:
        if merged and stride == Stride(merged[-1][0] * merged[-1][1].value, merged[-1][1].axis):
            merged[-1] = (merged[-1][0] * extent, merged[-1][1])
        else:
            merged.append((extent, stride))
    return tuple(extent for extent, _ in merged), tuple(stride for _, stride in merged)


def replica_offsets(replicas: Replicas) -> tuple[tuple[int, int], ...]:
    """(lanes, columns) of every replica, the first one (0, 0), row-major over the modes."""
    extents, strides = replicas
    return tuple(
        (
            sum(i * stride.along(LANE) for i, stride in zip(index, strides)),
            sum(i * stride.along(COL) for i, stride in zip(index, strides)),
        )
        for index in itertools.product(*(range(extent) for extent in extents))
    )
