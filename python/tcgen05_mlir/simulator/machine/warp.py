"""`Warp`: the operations of a kernel, for 32 lanes at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .errors import Place, Site
from .registers import Registers
from .waits import Wait

Lanes = NDArray[np.bool_]
Addresses = NDArray[np.uint64]


class Warp:
    """One warp. Made by its `Block`; `number` is its number in the block.

    `mask` is always bool (32,): the active lanes. `addresses` are uint64 (32,), in the space that
    `space` names (LLVM's number); entries of inactive lanes are ignored. Values are arrays whose
    last axis is the lane. `site` is the op. Every method may raise SimulationError.
    """

    number: int
    existing: Lanes
    """Lanes that have a thread: the last warp of a block of 48 threads has 16."""

    def place(self, lane: int) -> Place:
        """Block and thread index of a lane."""
        raise NotImplementedError

    # memory -----------------------------------------------------------------------------------

    def load(
        self,
        space: int,
        addresses: Addresses,
        dtype: DTypeLike,
        mask: Lanes,
        site: Site,
        *,
        count: int = 1,
        alignment: int | None = None,
        ordered: bool = False,
    ) -> NDArray:
        """Loads `count` consecutive elements per lane: (32,) for count 1, else (count, 32).

        `alignment` in bytes, default the element's size; `dtype` any numpy type of 1, 2, 4, 8 bytes.
        Inactive lanes get 0. `ordered`: acquire, or volatile: it takes over what the last ordered
        store or atomic at that address released. Refuses S1, S2, S3.
        """
        raise NotImplementedError

    def store(
        self,
        space: int,
        addresses: Addresses,
        values: NDArray,
        mask: Lanes,
        site: Site,
        *,
        alignment: int | None = None,
        ordered: bool = False,
    ) -> None:
        """Stores values (32,) or (count, 32); where lanes collide, the highest lane wins.

        Refuses S2, S3, S7 (a copy still reads the bytes), S9, P9 (bytes of a live mbarrier).
        """
        raise NotImplementedError

    def atomic(
        self,
        op: str,
        space: int,
        addresses: Addresses,
        values: NDArray,
        mask: Lanes,
        site: Site,
        *,
        compare: NDArray | None = None,
    ) -> NDArray:
        """Read-modify-write, lanes in ascending order; the old values (32,).

        `op` as in llvm.atomicrmw (xchg add sub _and nand _or _xor max min umax umin fadd fsub fmax
        fmin uinc_wrap udec_wrap; names without underscore too) or `cmpxchg` with `compare`.
        """
        raise NotImplementedError

    def alloca(self, size: int, alignment: int) -> int:
        """Local address of `size` fresh bytes in every lane."""
        raise NotImplementedError

    def local_mark(self) -> int:
        """The local stack's top; give it to `local_release` when a function returns."""
        raise NotImplementedError

    def local_release(self, mark: int) -> None:
        """Frees what was allocated since `local_mark`."""
        raise NotImplementedError

    def mapa(self, addresses: Addresses, rank: NDArray, mask: Lanes, site: Site) -> Addresses:
        """The shared::cluster addresses of the same offsets in the block of `rank` (PTX `mapa`)."""
        raise NotImplementedError

    # fences -----------------------------------------------------------------------------------

    def fence_proxy(self, kind: str, mask: Lanes, site: Site) -> None:
        """`kind`: async, async.global, async.shared::cta, async.shared::cluster; others do nothing.

        Bytes that the active lanes wrote become visible to copies.
        """
        raise NotImplementedError

    def fence_mbarrier_init(self, mask: Lanes, site: Site) -> None:
        """fence.mbarrier_init.release.cluster."""
        raise NotImplementedError

    # barriers ---------------------------------------------------------------------------------

    def bar_sync(
        self,
        barrier: int,
        mask: Lanes,
        site: Site,
        *,
        threads: int | None = None,
        aligned: bool = True,
    ) -> Wait:
        """bar.sync: arrives at once; the Wait is over when all have. P7 for part of a warp."""
        raise NotImplementedError

    def bar_arrive(
        self, barrier: int, threads: int, mask: Lanes, site: Site, *, aligned: bool = True
    ) -> None:
        """bar.arrive: counts this warp, waits for nobody."""
        raise NotImplementedError

    def cluster_arrive(
        self, mask: Lanes, site: Site, *, relaxed: bool = False, aligned: bool = True
    ) -> None:
        """barrier.cluster.arrive."""
        raise NotImplementedError

    def cluster_wait(self, mask: Lanes, site: Site, *, aligned: bool = True) -> Wait:
        """barrier.cluster.wait."""
        raise NotImplementedError

    def collective(self, mask: Lanes, site: Site, *, members: int | None = None) -> None:
        """P7 unless `mask` is every living lane of the warp (or of the member mask `members`)."""
        raise NotImplementedError

    # mbarriers --------------------------------------------------------------------------------

    def mbarrier_init(
        self,
        addresses: Addresses,
        counts: NDArray,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.init."""
        raise NotImplementedError

    def mbarrier_inval(
        self, addresses: Addresses, mask: Lanes, site: Site, *, space: int = 3
    ) -> None:
        """mbarrier.inval."""
        raise NotImplementedError

    def mbarrier_arrive(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
        counts: NDArray | int = 1,
        expect_tx: NDArray | int | None = None,
        drop: bool = False,
        no_complete: bool = False,
        relaxed: bool = False,
    ) -> NDArray[np.uint64]:
        """mbarrier.arrive and arrive_drop, also .expect_tx and .noComplete: state tokens (32,)."""
        raise NotImplementedError

    def mbarrier_expect_tx(
        self,
        addresses: Addresses,
        counts: NDArray | int,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.expect_tx."""
        raise NotImplementedError

    def mbarrier_complete_tx(
        self,
        addresses: Addresses,
        counts: NDArray | int,
        mask: Lanes,
        site: Site,
        *,
        space: int = 3,
    ) -> None:
        """mbarrier.complete_tx."""
        raise NotImplementedError

    def mbarrier_test(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        parity: NDArray | int | None = None,
        state: NDArray[np.uint64] | None = None,
        space: int = 3,
        relaxed: bool = False,
    ) -> Lanes:
        """test_wait and one try of try_wait, by parity or by state: done (32,), False when inactive.

        Never blocks. After a False the warp counts as waiting: yield, and try again.
        """
        raise NotImplementedError

    def mbarrier_wait(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        parity: NDArray | int | None = None,
        state: NDArray[np.uint64] | None = None,
        space: int = 3,
    ) -> Wait:
        """The loop around try_wait of nvvm.mbarrier.try_wait.parity: over when all lanes are done."""
        raise NotImplementedError

    def mbarrier_pending_count(self, state: NDArray[np.uint64], mask: Lanes) -> NDArray[np.uint32]:
        """mbarrier.pending_count of state tokens."""
        raise NotImplementedError

    # tensor memory ----------------------------------------------------------------------------

    def tcgen05_alloc(
        self,
        slot: Addresses,
        columns: NDArray,
        mask: Lanes,
        site: Site,
        *,
        cta_group: int = 1,
        space: int = 3,
    ) -> Wait:
        """Over when the columns were got and their address was written to the slot; P2, P6, P7, P9."""
        raise NotImplementedError

    def tcgen05_dealloc(
        self, taddr: NDArray, columns: NDArray, mask: Lanes, site: Site, *, cta_group: int = 1
    ) -> Wait:
        """P2, P4 (copy under way), P5 (ld not waited for), P6, P7, P8."""
        raise NotImplementedError

    def tcgen05_relinquish(self, mask: Lanes, site: Site, *, cta_group: int = 1) -> None:
        """relinquish_alloc_permit."""
        raise NotImplementedError

    def tcgen05_cp(
        self,
        taddr: NDArray,
        descriptor: NDArray[np.uint64],
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        multicast: str | None = None,
        cta_group: int = 1,
        src_format: str | None = None,
    ) -> None:
        """Issues one copy; spellings as for `model.Instruction`. C5, F4 to F12, P1 to P3, S1, S7."""
        raise NotImplementedError

    def tcgen05_commit(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        cta_group: int = 1,
        multicast_mask: NDArray | int | None = None,
        space: int = 3,
    ) -> None:
        """Arrives once on the mbarrier (of each block of the mask) when this thread's copies are done."""
        raise NotImplementedError

    def tcgen05_ld(
        self,
        taddr: NDArray,
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        registers: int,
        pack: bool = False,
        offset: int = 0,
    ) -> Registers:
        """(registers, 32) words. `shape`: 32x32b, 16x64b, ... with or without `shape_`."""
        raise NotImplementedError

    def tcgen05_st(
        self,
        taddr: NDArray,
        values: NDArray,
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        unpack: bool = False,
        offset: int = 0,
    ) -> None:
        """`values` (registers, 32) or (32,)."""
        raise NotImplementedError

    def tcgen05_wait(self, kind: str, mask: Lanes, site: Site) -> None:
        """`kind`: load or store."""
        raise NotImplementedError

    def tcgen05_fence(self, kind: str, mask: Lanes, site: Site) -> None:
        """`kind`: before or after (thread_sync)."""
        raise NotImplementedError

    def tcgen05_shift(self, taddr: NDArray, mask: Lanes, site: Site, *, cta_group: int = 1) -> None:
        """tcgen05.shift.down: rows move one lane down, asynchronously; covered by commit."""
        raise NotImplementedError

    def use(self, values: NDArray, site: Site) -> NDArray:
        """A use of values that may come from tcgen05.ld: P5 before wait::ld; a plain ndarray."""
        raise NotImplementedError

    # life -------------------------------------------------------------------------------------

    def exit(self, mask: Lanes) -> None:
        """The active lanes end. Barriers stop counting them; after the last, P4 for open copies."""
        raise NotImplementedError
