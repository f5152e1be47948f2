"""Waiting for columns, and for the other block of a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .accesses import Access
from .columns import Allocation
from .errors import Site
from .shared_memory import SharedMemory
from .waits import Blocked

if TYPE_CHECKING:
    from .tensor_space_ops import TensorSpaceOps


class AllocWait(Blocked):
    """A warp in tcgen05.alloc. It gets the first columns that fit, in a pair in both blocks."""

    def __init__(
        self,
        warp: TensorSpaceOps,
        site: Site,
        columns: int,
        group: int,
        slot: tuple[SharedMemory, Access] | None,
    ) -> None:
        super().__init__(warp, site)
        self.warp: TensorSpaceOps = warp
        self.columns = columns
        self._group = group
        self._slot = slot
        if group == 2:
            warp.block.pair_allocs.append(self)

    def ready(self) -> bool:
        if not self.over:
            self._try()
        return super().ready()

    def _partner(self) -> AllocWait | None:
        peer = self.warp.block.peer
        return peer.pair_allocs[0] if peer and peer.pair_allocs else None

    def _try(self) -> None:
        starts = self.warp.block.columns.fits(self.columns)
        if self._group == 1:
            if starts:
                self._take(starts[0])
            return
        partner = self._partner()
        if partner is None or self.warp.block.pair_allocs[0] is not self:
            return
        if partner.columns != self.columns:
            self.warp.fail(
                "P6",
                f"allocates {self.columns} columns of a pair, '{partner.site.name}' at "
                f"{partner.site.location} in the other block {partner.columns}",
                self.site,
            )
        both = [at for at in partner.warp.block.columns.fits(self.columns) if at in starts]
        if both:
            self._take(both[0])
            partner._take(both[0])

    def _take(self, start: int) -> None:
        warp = self.warp
        event = warp.block.cluster.ledger.add("alloc", warp, 0, self.site)
        event.done = True
        if self in warp.block.pair_allocs:
            warp.block.pair_allocs.remove(self)
        columns = warp.block.columns
        columns.take(start, self.columns, self._group, self.site, warp.place(), event.number)
        warp.write_slot(self._slot, start)
        self.finish(event.bit)

    def describe(self) -> str:
        if self._group == 2 and self._partner() is None:
            return "the other block of the pair, which has not reached its tcgen05.alloc"
        live = self.warp.block.columns.describe()
        return f"{self.columns} free columns of tensor memory; live are {live}"


class DeallocWait(Blocked):
    """A warp in tcgen05.dealloc; in a pair both give back together."""

    def __init__(
        self, warp: TensorSpaceOps, site: Site, allocation: Allocation, group: int
    ) -> None:
        super().__init__(warp, site)
        self._allocation = allocation
        self._group = group
        warp.block.columns.give_back(allocation, site)
        if group == 1:
            self.finish()

    def ready(self) -> bool:
        peer = self.warp.block.peer
        if not self.over and (peer is None or not peer.columns.starting_at(self._allocation.start)):
            self.finish()
        return super().ready()

    def describe(self) -> str:
        return "the other block of the pair, which has not reached its tcgen05.dealloc"
