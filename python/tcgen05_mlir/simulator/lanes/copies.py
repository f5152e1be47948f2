"""Accesses to memory that are made of many: byte runs, and vectors with an address per element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.lanes.shapes import WARP, spread

if TYPE_CHECKING:
    from tcgen05_mlir.simulator.machine import Site, Warp

Mask = NDArray[np.bool_]


def copy_bytes(
    h: Warp, to: int, source: int, targets: Lanes, origins: Lanes, length: Lanes, m: Mask, s: Site
) -> None:
    """memcpy and memmove: all is read before anything is written."""
    for count, mask in _lengths(length, m):
        data = h.load(source, origins, np.uint8, mask, s, count=count, alignment=1)
        h.store(to, targets, data.reshape(count, WARP), mask, s, alignment=1)


def set_bytes(
    h: Warp, to: int, targets: Lanes, value: Lanes, length: Lanes, m: Mask, s: Site
) -> None:
    """memset."""
    for count, mask in _lengths(length, m):
        h.store(to, targets, np.broadcast_to(value, (count, WARP)), mask, s, alignment=1)


def _lengths(length: Lanes, mask: Mask) -> Iterator[tuple[int, Mask]]:
    """The lanes of each length but 0."""
    lengths = spread(length)
    for count in np.unique(lengths[mask]).tolist():
        if count:
            yield count, mask & (lengths == count)


def element_addresses(pointers: Lanes, count: int, size: int) -> Lanes:
    """(count, 32): from a pointer per lane consecutive ones, or the vector of pointers itself."""
    if pointers.ndim == 2:
        return np.broadcast_to(pointers, (count, WARP))
    return spread(pointers) + (np.arange(count, dtype=np.uint64) * np.uint64(size))[:, None]


def gather(
    h: Warp, space: int, addresses: Lanes, old: Lanes, chosen: Lanes, m: Mask, s: Site
) -> Lanes:
    """The elements that are chosen, and those of `old`."""
    rows = []
    for row, address in enumerate(addresses):
        mask = m & chosen[row]
        new = h.load(space, address, old.dtype, mask, s)
        rows.append(np.where(mask, new, old[row]))
    return np.stack(rows)


def scatter(
    h: Warp, space: int, addresses: Lanes, values: Lanes, chosen: Lanes, m: Mask, s: Site
) -> None:
    """Stores the elements that are chosen, the first first."""
    for row, address in enumerate(addresses):
        h.store(space, address, spread(values[row]), m & chosen[row], s)
