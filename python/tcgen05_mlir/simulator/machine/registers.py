"""`Registers`: what tcgen05.ld returns, usable after tcgen05.wait::ld."""

from __future__ import annotations

import numpy as np


class Registers(np.ndarray):
    """The registers of a tcgen05.ld, uint32 (n, 32): register i of every lane in row i.

    An ndarray that remembers its load. Indexing, slicing, reshape and view give Registers again
    (renaming a register is no use of it); `warp.use(values, site)` is a use: it reports P5 until
    that warp's wait::ld, and returns a plain ndarray. A ufunc on it, or storing it in another
    array, without `use` raises AssertionError: the engine forgot the check.
    """
