"""What the lanes of a warp compute together. All are given by PTX for the lanes of a member mask.

`m` is the lanes that take part, `members` the mask that they named; results of other lanes are 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce as fold

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.lanes import floats, integers
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.lanes.shapes import WARP, spread
from tcgen05_mlir.simulator.machine import Site, Warp

Mask = NDArray[np.bool_]
_LANES = np.arange(WARP, dtype=np.uint32)
_BITS = np.uint32(1) << _LANES


def uniform(h: Warp, m: Mask, value: Lanes, site: Site) -> int:
    """A value that PTX wants the same in all lanes that take part."""
    values = spread(value)[m]
    if (values != values[0]).any():
        h.collective(np.zeros_like(m), site)
    return int(values[0])


def together(h: Warp, m: Mask, members: Lanes, site: Site) -> None:
    """Checks that the lanes are those that they name (P7); PTX does not count ended threads."""
    named = int(spread(members)[m][0]) & int((_BITS * h.living).sum(dtype=np.uint32))
    h.collective(m, site, members=named)


def active(m: Mask) -> Lanes:
    """The lanes that run together, as a number (PTX `activemask`)."""
    return (_BITS * m).sum(dtype=np.uint32)


def elect(h: Warp, m: Mask, members: Lanes, site: Site) -> Lanes:
    """True in the lowest lane."""
    together(h, m, members, site)
    return np.argmax(m) == _LANES


def shuffle(
    h: Warp, m: Mask, members: Lanes, value: Lanes, b: Lanes, c: Lanes, kind: str, site: Site
) -> tuple[Lanes, Lanes]:
    """The value of another lane, and whether that lane is within bounds (PTX `shfl-sync`)."""
    together(h, m, members, site)
    by, clamp, segments = b & np.uint32(31), c & np.uint32(31), c >> np.uint32(8) & np.uint32(31)
    last = (_LANES & segments) | (clamp & ~segments)
    lane, step = _LANES.astype(np.int64), spread(by).astype(np.int64)
    source = {
        "up": lane - step,
        "down": lane + step,
        "bfly": lane ^ step,
        "idx": ((_LANES & segments) | (by & ~segments)).astype(np.int64),
    }[kind]
    valid = source >= last if kind == "up" else source <= last
    source = np.where(valid, source, lane)
    values = spread(value)
    return np.where(m[source], values[source], np.zeros((), values.dtype)), valid


def vote(h: Warp, m: Mask, members: Lanes, predicate: Lanes, kind: str, site: Site) -> Lanes:
    together(h, m, members, site)
    votes = spread(predicate)
    if kind == "ballot":
        return np.uint32((_BITS * (votes & m)).sum(dtype=np.uint32))
    count, total = int((votes & m).sum()), int(m.sum())
    outcome = {"any": count > 0, "all": count == total, "uni": count in (0, total)}
    return np.bool_(outcome[kind])


def match(h: Warp, m: Mask, members: Lanes, value: Lanes, kind: str, site: Site) -> object:
    """`any`: the mask of the lanes with this lane's value; `all`: (mask, 1), or (0, 0)."""
    together(h, m, members, site)
    values = spread(value)
    same = (values[:, None] == values[None, :]) & m
    masks = (_BITS * same).sum(axis=1, dtype=np.uint32)
    if kind == "any":
        return masks
    everyone = np.uint32((_BITS * m).sum(dtype=np.uint32))
    agree = masks == everyone
    return np.where(agree, everyone, np.uint32(0)), agree


_REDUCTIONS: dict[str, Callable[..., Lanes]] = {
    "add": np.add,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "umin": np.minimum,
    "umax": np.maximum,
    "min": integers.smin,
    "max": integers.smax,
}


def reduce(
    h: Warp,
    m: Mask,
    members: Lanes,
    value: Lanes,
    kind: str,
    absolute: bool,
    nan: bool,
    site: Site,
) -> Lanes:
    """redux.sync: the sum, minimum, ... over the lanes."""
    together(h, m, members, site)
    values = spread(value)[m]
    if kind in _REDUCTIONS:
        return fold(_REDUCTIONS[kind], values)
    values = np.abs(values) if absolute else values
    numbers = (floats.minimum_number, floats.maximum_number)
    or_nan = (floats.minimum_or_nan, floats.maximum_or_nan)
    return fold((or_nan if nan else numbers)[kind == "fmax"], values)
