"""Functions that every kernel's code calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tcgen05_mlir.simulator.machine import Site, Warp


def split(condition: Any, mask: NDArray[np.bool_]) -> int:
    """1 where the condition holds in all lanes of the mask, 0 where in none, 2 otherwise."""
    holds = (condition & mask).tobytes()
    if holds == mask.tobytes():
        return 1
    return 2 if 1 in holds else 0


def settle(h: Warp, value: Any, site: Site) -> Any:
    """The value, if its registers have arrived: else the machine's error (P5)."""
    if isinstance(value, tuple):
        return tuple(settle(h, member, site) for member in value)
    return h.use(value, site) if isinstance(value, np.ndarray) else value


def come_back(places: Any, mask: NDArray[np.bool_]) -> int:
    """The node that a group returns to: one call brought all its lanes."""
    return int(places if places.ndim == 0 else places[mask.argmax()])
