"""The mbarrier operations of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .accesses import Access
from .errors import Site
from .mbarrier import BYTES, Mbarrier, MisuseError
from .mbarrier_waits import MbarrierTry, MbarrierWait, Test
from .shared_memory import State
from .spaces import OFFSET_MASK, RANK_SHIFT, SHARED_WINDOW, Space
from .warp_state import WarpState

if TYPE_CHECKING:
    from .cluster import Block

Lanes = NDArray[np.bool_]
Addresses = NDArray[np.uint64]


class MbarrierOps(WarpState):
    """The part of `Warp` for mbarriers. `space` is 3, 7 or 0 (generic, in the shared window)."""

    def mbarrier_init(
        self,
        addresses: Addresses,
        counts: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.init: 8 bytes become an mbarrier in phase 0. S2, S3, S5, S7, P9."""
        for lane, block, offset in self._barrier_places(addresses, mask, site, space, own=True):
            if offset in block.mbarriers:
                other = block.mbarriers[offset].site
                self.fail(
                    "S5",
                    f"initialises the mbarrier at {block.shared.name(offset)} again",
                    site,
                    lane=lane,
                    address=block.shared_base + offset,
                    notes=[f"it lives since '{other.name}' at {other.location}; inval ends it"],
                )
            else:
                lanes, offsets = np.array([lane]), np.array([offset], np.int64)
                access = Access(self, site, lanes, offsets, BYTES, "puts an mbarrier on")
                block.shared.check_free(access, "")
            try:
                count = int(np.broadcast_to(counts, (32,))[lane])
                block.mbarriers[offset] = Mbarrier(site, count)
            except MisuseError as error:
                self._misuse(error, site, lane, block, offset)
                continue
            block.shared.mark(offset, BYTES, State.MBARRIER)

    def mbarrier_inval(
        self, addresses: Addresses, mask: Lanes, site: Site, *, space: int = 3
    ) -> None:
        """mbarrier.inval: the 8 bytes are ordinary again, and unwritten."""
        for lane, block, offset in self._barrier_places(addresses, mask, site, space, own=True):
            if self._barrier(block, offset, lane, site):
                del block.mbarriers[offset]
                block.shared.mark(offset, BYTES, State.UNWRITTEN)

    def mbarrier_arrive(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
        counts: NDArray[Any] | int = 1,
        expect_tx: NDArray[Any] | int | None = None,
        drop: bool = False,
        no_complete: bool = False,
        relaxed: bool = False,
    ) -> NDArray[np.uint64]:
        """arrive, arrive_drop, with .expect_tx or .noComplete: state tokens (32,), lane by lane.

        `relaxed` changes nothing here: see `events`. P4 for more arrivals
        than the phase waits for; S5.
        """
        tokens = np.zeros(32, np.uint64)
        for lane, block, offset in self._barrier_places(addresses, mask, site, space):
            barrier = self._barrier(block, offset, lane, site)
            if barrier is None:
                continue
            try:
                if expect_tx is not None:
                    barrier.expect_tx(int(np.broadcast_to(expect_tx, (32,))[lane]))
                tokens[lane] = barrier.arrive(
                    site,
                    int(np.broadcast_to(counts, (32,))[lane]),
                    known=self.known,
                    drop=drop,
                    no_complete=no_complete,
                )
            except MisuseError as error:
                self._misuse(error, site, lane, block, offset)
        return tokens

    def mbarrier_expect_tx(
        self,
        addresses: Addresses,
        counts: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.expect_tx."""
        self._transact(addresses, counts, mask, site, space, complete=False)

    def mbarrier_complete_tx(
        self,
        addresses: Addresses,
        counts: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.complete_tx."""
        self._transact(addresses, counts, mask, site, space, complete=True)

    def mbarrier_test(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        parity: NDArray[Any] | int | None = None,
        state: NDArray[np.uint64] | None = None,
        space: int = 3,
        relaxed: bool = False,
    ) -> Lanes:
        """test_wait, by parity or state: done (32,), False when inactive.

        Never blocks. After a False the warp counts as waiting: yield, and try again. `relaxed`
        changes nothing here: see `events`. S5 for an
        mbarrier of another block, which cannot be waited on, and for a parity that is not 0 or 1.
        """
        wait = self.mbarrier_wait(addresses, mask, site, parity=parity, state=state, space=space)
        # The next try by the same lanes takes the place of this one.
        self.waits.pop(wait)
        self.polls[site, mask.tobytes()] = wait
        if wait.ready():
            del self.polls[site, mask.tobytes()]
        return wait.done

    def mbarrier_try(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        parity: NDArray[Any] | int | None = None,
        state: NDArray[np.uint64] | None = None,
        space: int = 3,
    ) -> MbarrierTry:
        """try_wait: blocks, but the seed may end it early, as the time limit does on hardware."""
        wait = self.mbarrier_wait(addresses, mask, site, parity=parity, state=state, space=space)
        return MbarrierTry(wait, expires=self.block.cluster.schedule.coin())

    def mbarrier_wait(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        parity: NDArray[Any] | int | None = None,
        state: NDArray[np.uint64] | None = None,
        space: int = 3,
    ) -> MbarrierWait:
        """nvvm.mbarrier.try_wait.parity, a loop: over when every active lane's test was true."""
        wanted = self._wanted(parity, state, mask, site)
        tests: dict[tuple[int, int, int], Test] = {}
        for lane, block, offset in self._barrier_places(addresses, mask, site, space, own=True):
            key = (block.rank, offset, int(wanted[lane]))
            if key not in tests:
                barrier = self._barrier(block, offset, lane, site)
                if barrier is None:
                    continue
                name = block.shared.name(offset)
                tests[key] = Test(barrier, name, key[2], state is not None, lane)
            tests[key].lanes[lane] = True
        return MbarrierWait(self, site, list(tests.values()))

    def mbarrier_pending_count(self, state: NDArray[np.uint64], mask: Lanes) -> NDArray[np.uint32]:
        """mbarrier.pending_count: what was pending before the arrive-on that gave `state`."""
        return np.where(mask, state & np.uint64(0xFFFFFFFF), 0).astype(np.uint32)

    def _wanted(
        self,
        parity: NDArray[Any] | int | None,
        state: NDArray[np.uint64] | None,
        mask: Lanes,
        site: Site,
    ) -> NDArray[np.int64]:
        if state is not None:
            return np.asarray(state).astype(np.int64)
        assert parity is not None, "either parity or state"
        wanted = np.broadcast_to(np.asarray(parity), (32,)).astype(np.int64)
        wrong = np.flatnonzero(mask & (wanted & ~1 != 0))
        if wrong.size:
            lane = int(wrong[0])
            self.fail(
                "S5",
                f"waits for a phase of parity {wanted[lane]}, wanted 0 or 1",
                site,
                lane=lane,
                notes=["the parity is the phase's number modulo 2"],
            )
        return wanted & 1

    def _transact(
        self,
        addresses: Addresses,
        counts: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        space: int,
        *,
        complete: bool,
    ) -> None:
        for lane, block, offset in self._barrier_places(addresses, mask, site, space):
            barrier = self._barrier(block, offset, lane, site)
            if barrier is None:
                continue
            count = int(np.broadcast_to(counts, (32,))[lane])
            try:
                barrier.complete_tx(count) if complete else barrier.expect_tx(count)
            except MisuseError as error:
                self._misuse(error, site, lane, block, offset)

    def _barrier_places(
        self, addresses: Addresses, mask: Lanes, site: Site, space: int, *, own: bool = False
    ) -> list[tuple[int, Block, int]]:
        """Lane, block and offset of every active lane's mbarrier."""
        base = SHARED_WINDOW if space == Space.GENERIC else 0
        found: dict[int, tuple[Block, int] | None] = {}
        places = []
        for lane in map(int, np.flatnonzero(mask)):
            address = int(addresses[lane]) - base
            if address not in found:
                found[address] = self._barrier_place(address, lane, site, own)
            place = found[address]
            if place is not None:
                places.append((lane, *place))
        return places

    def _barrier_place(
        self, address: int, lane: int, site: Site, own: bool
    ) -> tuple[Block, int] | None:
        block = self.block.cluster.block_at(address >> RANK_SHIFT)
        if address % BYTES:
            rule, problem = "S3", "which must be a multiple of 8"
        elif block is None:
            rule, problem = "S2", "which is no shared memory of the cluster"
        elif block.ended:
            rule, problem = "S5", "of a block that has ended"
        elif own and block is not self.block:
            rule, problem = "S5", f"of the block of rank {block.rank}: only its threads may"
        else:
            return block, address & OFFSET_MASK
        self.fail(
            rule,
            f"names the mbarrier at shared address {address:#x}, {problem}",
            site,
            lane=lane,
            address=address,
        )
        return None if block is None else (block, address & OFFSET_MASK)

    def _barrier(self, block: Block, offset: int, lane: int, site: Site) -> Mbarrier | None:
        barrier = block.mbarriers.get(offset)
        if barrier is None:
            self.fail(
                "S5",
                f"uses {block.shared.name(offset)} as an mbarrier, where none was initialised",
                site,
                lane=lane,
                address=block.shared_base + offset,
                notes=["nvvm.mbarrier.init by one thread, then a barrier, comes first"],
            )
        return barrier

    def _misuse(self, error: MisuseError, site: Site, lane: int, block: Block, offset: int) -> None:
        self.fail(
            error.rule,
            error.message,
            site,
            lane=lane,
            address=block.shared_base + offset,
            notes=[f"the mbarrier lies at {block.shared.name(offset)}", *error.notes],
        )
