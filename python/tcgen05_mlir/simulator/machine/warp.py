"""`Warp`: the operations of a kernel, for 32 lanes at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .tensor_access_ops import TensorAccessOps
from .tensor_copy_ops import TensorCopyOps


class Warp(TensorCopyOps, TensorAccessOps):
    """One warp. Made by its `Block`; `number` is its number in the block.

    `mask` is always bool (32,): the active lanes. `addresses` are uint64 (32,), in the space that
    `space` names (LLVM's number); entries of inactive lanes are ignored. Values are arrays whose
    last axis is the lane. `site` is the op. Every method may raise SimulationError.
    """

    def exit(self, mask: NDArray[np.bool_]) -> None:
        """The active lanes end: barriers stop counting them. P4 for copies without a commit."""
        self.check_commits(mask)
        self.living &= ~mask
        if not self.living.any():
            self.waits.clear()
            self.polls.clear()
        self.block.check_barriers()
