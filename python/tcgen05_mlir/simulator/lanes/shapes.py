"""Values in all lanes: spreading, merging under a mask, the same bits as another type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.lanes.integers import Lanes

WARP = 32


def spread(a: Lanes) -> Lanes:
    """A scalar's value (32,), one array entry per lane."""
    return a if a.shape == (WARP,) else np.broadcast_to(a, (WARP,))


def spread_vector(a: Lanes, count: int) -> Lanes:
    """A vector's value (count, 32)."""
    return a if a.shape == (count, WARP) else np.broadcast_to(a, (count, WARP))


def merge(mask: NDArray[np.bool_], new: Any, old: Any) -> Any:
    """`new` in the lanes of the mask, `old` in the others; member by member for a tuple."""
    if isinstance(new, tuple):
        olds = old if isinstance(old, tuple) else (old,) * len(new)
        return tuple(merge(mask, n, o) for n, o in zip(new, olds, strict=True))
    return np.where(mask, new, old)


def select(condition: Lanes, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`; member by member for a tuple."""
    if isinstance(a, tuple):
        return tuple(select(condition, x, y) for x, y in zip(a, b, strict=True))
    if condition.ndim == 0:
        return a if condition else b
    return np.where(condition, a, b)


def replace(members: tuple, position: tuple[int, ...], value: Any) -> tuple:
    """The tuple with one member, nested by `position`, replaced."""
    first, rest = position[0], position[1:]
    new = replace(members[first], rest, value) if rest else value
    return (*members[:first], new, *members[first + 1 :])


def bitcast(a: Lanes, dtype: np.dtype, count: int) -> Lanes:
    """The bits of a scalar (`count` 0) or vector as another of the same size, little-endian.

    `bitcast(vector<4xi8> of 1, 0, 0, 0, u4, 0)` is 1. i1 vectors count bits, not bytes.
    """
    rows = np.atleast_2d(a) if a.ndim else a.reshape(1, 1)
    raw = _to_bytes(rows)
    if dtype.kind == "b":
        bits = np.unpackbits(raw, axis=1, count=max(count, 1), bitorder="little")
        result = bits.T.astype(bool)
    else:
        result = np.ascontiguousarray(raw).view(dtype).T
    if count:
        return result
    return result[0] if result.shape[1] > 1 else result[0, 0]


def _to_bytes(rows: Lanes) -> Lanes:
    """(lanes, bytes) of a vector (count, lanes)."""
    if rows.dtype == bool:
        return np.packbits(rows.T, axis=1, bitorder="little")
    return np.ascontiguousarray(rows.T).view(np.uint8)


def insert_element(vector: Lanes, value: Lanes, index: Lanes) -> Lanes:
    """The vector with one element replaced; an index outside changes nothing."""
    if index.ndim == 0 and type(vector) is type(value) is np.ndarray:
        result = np.broadcast_to(vector, (len(vector), WARP)).copy()
        if index < len(vector):
            result[index] = value
        return result
    rows = np.arange(len(vector))[:, None]
    return np.where(rows == index.astype(np.int64), value, vector)


def extract_element(vector: Lanes, index: Lanes) -> Lanes:
    """The element at an index per lane; zero for an index outside."""
    if index.ndim == 0 and index < len(vector):
        return vector[index]
    result = np.zeros(vector.shape[1:], vector.dtype)
    for row in range(len(vector)):
        result = np.where(index == row, vector[row], result)
    return result


def shuffle(a: Lanes, b: Lanes, places: tuple[int, ...]) -> Lanes:
    """Elements of `a` then `b` in the order of `places`; -1 is zero."""
    lanes = max(a.shape[1], b.shape[1])
    both = np.concatenate([np.broadcast_to(v, (len(v), lanes)) for v in (a, b)])
    result = both[[max(place, 0) for place in places]]
    result[[place < 0 for place in places]] = 0
    return result
