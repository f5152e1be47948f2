"""Address spaces, numbered as LLVM numbers them, and their windows in the generic space.

A shared address is 32 bits: bits 0-23 the offset inside a block's shared memory, bits 24-31 the
block's rank in its cluster. So a block's own addresses carry its rank, shared::cta and
shared::cluster addresses are the same number, `mapa` replaces bits 24-31, and code that clears bit
24 of an mbarrier's address to reach the leader of a pair works. [C: shipping code relies on this
encoding; PTX leaves it open.] A generic address is a window's base plus the address in its space;
global addresses are generic addresses. Source: PTX `state-spaces`, `generic-addressing`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray


class Space(IntEnum):
    """LLVM's numbers of the NVPTX address spaces."""

    GENERIC = 0
    GLOBAL = 1
    SHARED = 3
    CONSTANT = 4
    LOCAL = 5
    TENSOR = 6
    SHARED_CLUSTER = 7


RANK_SHIFT: Final = 24
"""Bits 24-31 of a shared address hold the rank of the block in its cluster."""

OFFSET_MASK: Final = (1 << RANK_SHIFT) - 1

SHARED_WINDOW: Final = 0x7000_0000_0000
"""Generic address of shared address 0; the window is 2^32 bytes."""

LOCAL_WINDOW: Final = 0x7100_0000_0000
"""Generic address of a thread's local address 0; the window is 2^32 bytes."""

GLOBAL_BASE: Final = 0x7F00_0000_0000
"""Address of the first mapped host buffer."""

WINDOW_BYTES: Final = 1 << 32

_BASES = {
    Space.SHARED: SHARED_WINDOW,
    Space.SHARED_CLUSTER: SHARED_WINDOW,
    Space.LOCAL: LOCAL_WINDOW,
}


def to_generic(addresses: NDArray[np.uint64], space: int) -> NDArray[np.uint64]:
    """The generic addresses of addresses in `space` (LLVM `addrspacecast` to space 0).

    Shared address 0x10 becomes 0x7000_0000_0010. Null pointers are not kept: 0 is a shared address.
    """
    return np.asarray(addresses, np.uint64) + np.uint64(_BASES.get(Space(space), 0))


def from_generic(addresses: NDArray[np.uint64], space: int) -> NDArray[np.uint64]:
    """The inverse of `to_generic`; an address outside the window wraps and fails at its use."""
    return np.asarray(addresses, np.uint64) - np.uint64(_BASES.get(Space(space), 0))
