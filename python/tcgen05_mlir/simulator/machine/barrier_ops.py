"""The barrier operations and proxy fences of a warp."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .barriers import NAMED_BARRIERS, WARP, BarrierWait
from .errors import Site
from .waits import Wait
from .warp_state import WarpState

Lanes = NDArray[np.bool_]

PROXY_FENCES: Final = (
    "alias",
    "async",
    "async.global",
    "async.shared::cta",
    "async.shared::cluster",
    "tensormap",
)
"""Kinds of fence.proxy that `Warp.fence_proxy` takes."""


class BarrierOps(WarpState):
    """The part of `Warp` for barriers of the block and the cluster, and for fences."""

    def bar_sync(
        self,
        barrier: int,
        mask: Lanes,
        site: Site,
        *,
        threads: int | None = None,
        aligned: bool = True,
        predicate: Lanes | None = None,
    ) -> BarrierWait:
        """bar.sync and bar.red: arrives at once; the wait is over when all have arrived.

        `threads` None: all threads of the block. P7 for part of a warp where `aligned`; S8 for a
        barrier beyond 15, a count that is no multiple of 32, or two counts. For bar.red give
        `predicate` (32,); then `trues` and `total` of the wait count the threads.
        """
        self._check_named(barrier, threads, mask, site, aligned=aligned)
        chosen = self.block.barriers[barrier % NAMED_BARRIERS]
        wait = chosen.arrive(self, mask, site, threads, wait=True, predicate=predicate)
        assert wait is not None
        return wait

    def bar_arrive(
        self, barrier: int, threads: int, mask: Lanes, site: Site, *, aligned: bool = True
    ) -> None:
        """bar.arrive: counts this warp, waits for nobody."""
        self._check_named(barrier, threads, mask, site, aligned=aligned)
        self.block.barriers[barrier % NAMED_BARRIERS].arrive(self, mask, site, threads, wait=False)

    def cluster_arrive(
        self, mask: Lanes, site: Site, *, relaxed: bool = False, aligned: bool = True
    ) -> None:
        """barrier.cluster.arrive. `relaxed` changes nothing here: see `events`. P7, S8."""
        if aligned:
            self.collective(mask, site)
        self.block.cluster.barrier.arrive(self, mask, site)

    def cluster_wait(self, mask: Lanes, site: Site, *, aligned: bool = True) -> Wait:
        """barrier.cluster.wait. P7, S8."""
        if aligned:
            self.collective(mask, site)
        return self.block.cluster.barrier.wait(self, mask, site)

    def fence_proxy(self, kind: str, mask: Lanes, site: Site) -> None:
        """fence.proxy of a kind in `PROXY_FENCES`: what active lanes wrote is visible to copies.

        Shared memory is covered by async and async.shared::cluster, that of the own block by
        async.shared::cta. ValueError for another kind.
        """
        if kind not in PROXY_FENCES:
            raise ValueError(f"'kind' must be one of {', '.join(PROXY_FENCES)}, got {kind}")
        if kind in ("async", "async.shared::cta", "async.shared::cluster"):
            self.unfenced.fence(mask, own_block=kind == "async.shared::cta")

    def fence_mbarrier_init(self, mask: Lanes, site: Site) -> None:
        """fence.mbarrier_init.release.cluster: the initial states are in order here anyway."""

    def _check_named(
        self, barrier: int, threads: int | None, mask: Lanes, site: Site, *, aligned: bool
    ) -> None:
        if aligned:
            self.collective(mask, site)
        if not 0 <= barrier < NAMED_BARRIERS:
            self.fail("S8", f"names barrier {barrier}, wanted 0..{NAMED_BARRIERS - 1}", site)
        if threads is not None and (threads <= 0 or threads % WARP):
            self.fail(
                "S8", f"has {threads} threads at a barrier, wanted a multiple of {WARP}", site
            )
        most = WARP * len(self.block.warps)
        if threads is not None and threads > most:
            self.fail("S8", f"waits for {threads} threads in a block of {most}", site)
