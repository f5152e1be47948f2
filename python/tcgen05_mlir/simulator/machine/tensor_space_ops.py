"""Allocation of tensor memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model.limits import ALLOCATION_UNIT, TMEM_COLUMNS, TMEM_LANE_SHIFT, TMEM_LANES

from .accesses import Access
from .allocation_waits import AllocWait, DeallocWait
from .barrier_ops import BarrierOps
from .columns import Allocation
from .errors import Site
from .memory_ops import MemoryOps
from .shared_memory import SharedMemory, State
from .waits import Ready, Wait

Lanes = NDArray[np.bool_]
Addresses = NDArray[np.uint64]


class TensorSpaceOps(MemoryOps, BarrierOps):
    """The part of `Warp` that allocates and gives back tensor memory."""

    def tcgen05_alloc(
        self,
        slot: Addresses,
        columns: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        cta_group: int = 1,
        space: int = 3,
    ) -> Wait:
        """tcgen05.alloc: over when the columns were got and their address is in the slot.

        Waits for columns, and with cta_group 2 for the peer's alloc of as many. Refuses P2, P6 (a
        bad count, more than the last alloc's, more than 512 live, after relinquish), P7, P9 (the
        slot), S2, S3.
        """
        self.collective(mask, site, whole=True)
        self.check_group(cta_group, site)
        count = self.uniform(columns, mask, site, "column counts")
        if not self._check_count(count, site):
            return Ready(site)
        self.uniform(slot, mask, site, "slot addresses")
        target = self._slot(slot, mask, site, space)
        return AllocWait(self, site, count, cta_group, target)

    def tcgen05_dealloc(
        self,
        taddr: NDArray[Any] | int,
        columns: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        cta_group: int = 1,
    ) -> Wait:
        """tcgen05.dealloc: with cta_group 2 over when the peer gives back as well.

        Refuses P2, P4 (a copy not waited for), P5 (a load or store under way), P6 (double, another
        size, no allocation), P7, P8, S7 (another warp still uses the columns).
        """
        self.collective(mask, site, whole=True)
        self.check_group(cta_group, site)
        address = self.uniform(taddr, mask, site, "addresses")
        count = self.uniform(columns, mask, site, "column counts")
        allocation = self._allocation(address, count, site)
        if allocation is None:
            return Ready(site)
        lanes, cells = np.indices((TMEM_LANES, allocation.columns))
        self.block.tensor.check_over(self, lanes, cells + allocation.start, "gives back", site)
        if cta_group == 2:
            self._check_pair(allocation, site)
        return DeallocWait(self, site, allocation, cta_group)

    def tcgen05_relinquish(self, mask: Lanes, site: Site, *, cta_group: int = 1) -> None:
        """tcgen05.relinquish_alloc_permit: no alloc of this block may follow. P2, P7."""
        self.collective(mask, site, whole=True)
        self.check_group(cta_group, site)
        self.block.columns.relinquished = site

    def check_group(self, cta_group: int, site: Site) -> None:
        """P2: one cta_group in a kernel, and 2 only in clusters of an even size."""
        cluster = self.block.cluster
        if cluster.group is None:
            cluster.group = (cta_group, site)
        group, first = cluster.group
        if group != cta_group:
            self.fail(
                "P2",
                f"uses cta_group::{cta_group}, where '{first.name}' at {first.location} uses "
                f"cta_group::{group}",
                site,
                notes=["all tcgen05 operations of a kernel use one cta_group"],
            )
        if cta_group == 2 and len(cluster.blocks) % 2:
            self.fail(
                "P2",
                f"uses cta_group::2 in a cluster of {len(cluster.blocks)}, wanted an even size",
                site,
                notes=["launch with --cluster 2, or state it with nvvm.cluster_dim"],
            )

    def _check_count(self, count: int, site: Site) -> bool:
        """P6; whether the count can be simulated at all."""
        columns = self.block.columns
        legal = ALLOCATION_UNIT <= count <= TMEM_COLUMNS and not count & (count - 1)
        if not legal:
            self.fail(
                "P6",
                f"allocates {count} columns, wanted a power of two in "
                f"{ALLOCATION_UNIT}..{TMEM_COLUMNS}",
                site,
            )
        smaller = columns.smaller_than(count)
        if smaller is not None:
            # PTX: counts "should not increase between any two allocations" of a CTA.
            self.fail(
                "P6",
                f"allocates {count} columns after {smaller.columns}: counts of a block must not "
                "increase",
                site,
                notes=[
                    f"the smaller one is '{smaller.site.name}' at {smaller.site.location}; "
                    "allocate the largest first"
                ],
            )
        if columns.relinquished:
            given = columns.relinquished
            self.fail(
                "P6",
                f"allocates after '{given.name}' at {given.location} gave up the permit",
                site,
                notes=["put nvvm.tcgen05.relinquish_alloc_permit behind the last alloc"],
            )
        if columns.used + count > TMEM_COLUMNS:
            self.fail(
                "P6",
                f"allocates {count} columns with {columns.used} live: {columns.used + count} > "
                f"{TMEM_COLUMNS}",
                site,
                notes=[f"live are {columns.describe()}"],
            )
        return 0 < count <= TMEM_COLUMNS

    def _slot(
        self, slot: Addresses, mask: Lanes, site: Site, space: int
    ) -> tuple[SharedMemory, Access] | None:
        one = np.zeros(32, np.bool_)
        one[np.flatnonzero(mask)[:1]] = True
        verb = "leaves the tensor memory address in"
        for memory, access in self._accesses(space, slot, one, site, verb, 4, 4):
            if memory is self.block.shared:
                self.block.shared.check_free(access, "")
                return self.block.shared, access
            self.fail("S2", f"{verb} memory that is not the block's own shared memory", site)
        return None

    def write_slot(self, target: tuple[SharedMemory, Access] | None, address: int) -> None:
        """Puts the address of an allocation where the program wants it."""
        if target is None:
            return
        memory, access = target
        access.write(memory.storage, np.array([[address]], np.uint32))
        memory.mark(int(access.offsets[0]), 4, State.SLOT)

    def _allocation(self, address: int, count: int, site: Site) -> Allocation | None:
        columns = self.block.columns
        allocation = columns.starting_at(address & 0xFFFF)
        if allocation is None or address >> TMEM_LANE_SHIFT:
            earlier = [site for one, site in columns.gone if one.start == address]
            notes = [f"live are {columns.describe()}"]
            notes += [f"given back before by '{s.name}' at {s.location}" for s in earlier[-1:]]
            self.fail(
                "P6",
                f"gives back lane {address >> TMEM_LANE_SHIFT}, column {address & 0xFFFF}, where "
                "no live allocation starts",
                site,
                address=address,
                notes=notes,
            )
        elif allocation.columns != count:
            self.fail(
                "P6",
                f"gives back {count} columns of an allocation of {allocation.columns}",
                site,
                address=address,
                notes=[f"allocated by '{allocation.site.name}' at {allocation.site.location}"],
            )
        return allocation

    def _check_pair(self, allocation: Allocation, site: Site) -> None:
        peer = self.block.peer
        other = peer.columns.latest_at(allocation.start) if peer else None
        if other and not self.known >> other.event & 1:
            self.fail(
                "P8",
                "gives back columns of a pair with no cluster barrier since "
                f"'{allocation.site.name}' at {allocation.site.location} allocated them",
                site,
                notes=["put nvvm.cluster.arrive and nvvm.cluster.wait between, in both blocks"],
            )
