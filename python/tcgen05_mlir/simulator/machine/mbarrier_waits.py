"""Waiting on mbarriers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import Site
from .mbarrier import Mbarrier

if TYPE_CHECKING:
    from .warp import Warp


class MbarrierWait:
    """A warp that waits on mbarriers: over when the test of every lane has succeeded once."""

    def __init__(
        self,
        warp: Warp,
        site: Site,
        barriers: dict[int, tuple[Mbarrier, str]],
        wanted: NDArray[np.int64],
        test: Callable[[NDArray[np.bool_]], NDArray[np.bool_]],
        mask: NDArray[np.bool_],
    ) -> None:
        self.warp = warp
        self.site = site
        self._barriers = barriers
        self._wanted = wanted
        self._test = test
        self._left = mask.copy()
        warp.waiting = self

    def ready(self) -> bool:
        if self._left.any():
            self._left &= ~self._test(self._left)
        over = not self._left.any()
        self.warp.waiting = None if over else self
        return over

    def describe(self) -> str:
        lanes = [lane for lane in self._barriers if self._left[lane]] or list(self._barriers)
        barrier, name = self._barriers[lanes[0]]
        return (
            f"parity {self._wanted[lanes[0]]} of the mbarrier at {name}, which is in phase "
            f"{barrier.phase}: {barrier.missing()} missing"
        )

    def barriers(self) -> list[Mbarrier]:
        """The mbarriers that it waits on."""
        return [barrier for barrier, _ in self._barriers.values()]
