"""`GlobalMemory`: host arrays mapped at fake 64-bit addresses; constants too."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .spaces import GLOBAL_BASE

BUFFER_ALIGNMENT: Final = 256
"""Bytes to which buffers are aligned, as those of cudaMalloc are."""

_GAP: Final = 4096
"""Unmapped bytes behind each buffer at least."""


@dataclass(frozen=True)
class HostBuffer:
    """One mapped buffer. `data`: uint8 (size,), the machine's own copy; `address`: its first byte.

    `storage` is `data` padded to a multiple of 16 bytes.
    """

    name: str
    address: int
    data: NDArray[np.uint8]
    storage: NDArray[np.uint8]
    writable: bool = True

    @property
    def size(self) -> int:
        return self.data.size


def padded(size: int) -> NDArray[np.uint8]:
    """Zero bytes, at least `size` and a multiple of 16."""
    return np.zeros(-(-size // 16) * 16, np.uint8)


class GlobalMemory:
    """The buffers of one launch: arguments, globals, constants, in one 64-bit space.

    Each buffer starts at a multiple of 256 bytes and an unmapped gap follows, so that an access
    past its end is seen. `GlobalMemory().add("A", numpy.zeros(4, "i4")).address` is
    0x7f0000000000.
    """

    def __init__(self) -> None:
        self.buffers: list[HostBuffer] = []
        self.starts = np.zeros(0, np.uint64)
        self._next = GLOBAL_BASE

    def add(self, name: str, array: NDArray[Any], *, writable: bool = True) -> HostBuffer:
        """Maps a copy of `array`'s bytes. The caller's array stays as it is."""
        contents = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
        storage = padded(contents.size)
        storage[: contents.size] = contents
        buffer = HostBuffer(name, self._next, storage[: contents.size], storage, writable)
        self.buffers.append(buffer)
        self.starts = np.append(self.starts, np.uint64(self._next))
        step = -(-(storage.size + _GAP) // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        self._next += step
        return buffer

    def find(self, address: int) -> HostBuffer | None:
        """The buffer that holds the byte at `address`."""
        at = bisect_right(self.starts, np.uint64(address)) - 1
        if at >= 0 and address < self.buffers[at].address + self.buffers[at].size:
            return self.buffers[at]
        return None
