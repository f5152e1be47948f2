"""Loads and stores to the host's buffers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .accesses import Access
from .host_memory import GlobalMemory, HostBuffer


class BufferAccess:
    """One host buffer as a memory: offsets count from its first byte."""

    def __init__(self, buffer: HostBuffer) -> None:
        self.buffer = buffer

    def read(self, access: Access, dtype: np.dtype[Any]) -> NDArray[Any]:
        self._check(access)
        return access.read(self.buffer.storage, dtype)

    def write(self, access: Access, values: NDArray[Any]) -> None:
        self._check(access)
        if not self.buffer.writable:
            access.fail(
                "S9",
                0,
                f"{access.verb} '{self.buffer.name}', which is read-only",
                address=self.buffer.address + int(access.offsets[0]),
            )
            return
        access.write(self.buffer.storage, values)

    def _check(self, access: Access) -> None:
        low, high = access.span
        if low >= 0 and high <= self.buffer.size:
            return
        outside = (access.offsets < 0) | (access.offsets + access.width > self.buffer.size)
        if outside.any():
            at = int(np.flatnonzero(outside)[0])
            first = int(access.offsets[at])
            access.fail(
                "S2",
                at,
                f"{access.verb} bytes {first} to {first + access.width - 1} of "
                f"'{self.buffer.name}', which has {self.buffer.size} bytes",
                address=self.buffer.address + first,
            )


def nearest(memory: GlobalMemory, addresses: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of the buffer at or below each address, -1 where there is none."""
    return np.searchsorted(memory.starts, addresses, side="right").astype(np.int64) - 1
