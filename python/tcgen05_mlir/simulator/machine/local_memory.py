"""`LocalMemory`: the stack of a warp's threads, one column of bytes per lane."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .accesses import Access

FIRST: Final = 16
"""The lowest local address: 0 stays free, so that no alloca is a null pointer."""


class LocalMemory:
    """Bytes (32, size) and whether each was written; grows with `allocate`."""

    def __init__(self) -> None:
        self.top = FIRST
        self._data = np.zeros((32, 256), np.uint8)
        self._written = np.zeros((32, 256), np.bool_)

    def allocate(self, size: int, alignment: int) -> int:
        """The address of `size` fresh bytes, the same in every lane."""
        start = -(-self.top // alignment) * alignment
        self.top = start + size
        if self.top > self._data.shape[1]:
            grow = ((0, 0), (0, max(self.top, 2 * self._data.shape[1]) - self._data.shape[1]))
            self._data = np.pad(self._data, grow)
            self._written = np.pad(self._written, grow)
        self._written[:, start : self.top] = False
        return start

    def read(self, access: Access, dtype: np.dtype[Any]) -> NDArray[Any]:
        index, lanes = self._place(access)
        found = access.first(~self._written[lanes, index])
        if found:
            address = int(index[found])
            access.fail(
                "S1",
                found[0],
                f"{access.verb} local address {address:#x}, which was never written",
                address=address,
            )
        return self._data[lanes, index].view(dtype)

    def write(self, access: Access, values: NDArray[Any]) -> None:
        index, lanes = self._place(access)
        self._data[lanes, index] = np.ascontiguousarray(values).view(np.uint8)
        self._written[lanes, index] = True

    def _place(self, access: Access) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        index = access.bytes
        found = access.first((index < FIRST) | (index >= self.top))
        if found:
            address = int(index[found])
            access.fail(
                "S2",
                found[0],
                f"{access.verb} {access.width} bytes at local address "
                f"{int(index[found[0], 0]):#x}, outside the stack, which ends at {self.top:#x}",
                address=address,
            )
        last = self._data.shape[1] - 1
        return np.clip(index, 0, last), np.broadcast_to(access.lanes[:, None], index.shape)
