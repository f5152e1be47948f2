"""`GlobalMemory`: host arrays mapped at fake 64-bit addresses; constants too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class HostBuffer:
    """One mapped buffer. `data` is uint8 (size,), the machine's own copy; `address` its first byte."""

    name: str
    address: int
    data: NDArray[np.uint8]
    writable: bool = True


class GlobalMemory:
    """The buffers of one launch: arguments, globals, constants, in one 64-bit space.

    Each buffer starts at a multiple of 256 bytes and is followed by an unmapped gap, so that an
    access past its end is seen. Initialised bytes are those of the array.
    """

    def __init__(self) -> None:
        raise NotImplementedError

    def add(self, name: str, array: NDArray, *, writable: bool = True) -> HostBuffer:
        """Maps a copy of `array`'s bytes. The caller's array stays as it is."""
        raise NotImplementedError

    def find(self, address: int) -> HostBuffer | None:
        """The buffer that holds the byte at `address`."""
        raise NotImplementedError
