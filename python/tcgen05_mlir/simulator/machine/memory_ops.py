"""Loads, stores and atomics of a warp, by address space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .accesses import Access, distinct
from .atomics import updated
from .errors import Site
from .global_access import BufferAccess, nearest
from .local_memory import LocalMemory
from .registers import Registers
from .shared_memory import SharedMemory
from .spaces import (
    LOCAL_WINDOW,
    OFFSET_MASK,
    RANK_SHIFT,
    SHARED_WINDOW,
    WINDOW_BYTES,
    Space,
)
from .warp_state import WarpState

Lanes = NDArray[np.bool_]
Addresses = NDArray[np.uint64]
Memory = SharedMemory | LocalMemory | BufferAccess


class MemoryOps(WarpState):
    """The part of `Warp` that touches global, constant, shared and local memory."""

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
    ) -> NDArray[Any]:
        """Loads `count` consecutive elements per lane: (32,) for count 1, else (count, 32).

        `alignment` in bytes, default the element's size; `dtype` of 1, 2, 4 or 8 bytes. Inactive
        lanes get 0. `ordered` (volatile, acquire, atomic): the warp learns what the last ordered
        store or atomic at that address released. Refuses S1, S2, S3, P9.
        """
        kind = np.dtype(dtype)
        result = np.zeros((32, count), kind)
        for memory, access in self._accesses(
            space, addresses, mask, site, "reads", kind.itemsize * count, alignment or kind.itemsize
        ):
            result[access.lanes] = memory.read(access, kind)
        if ordered:
            self._acquire(space, addresses, mask)
        return result[:, 0] if count == 1 else np.ascontiguousarray(result.T)

    def load_source(
        self,
        space: int,
        addresses: Addresses,
        dtype: DTypeLike,
        mask: Lanes,
        site: Site,
        *,
        count: int = 1,
        alignment: int | None = None,
    ) -> NDArray[Any]:
        """As `load`, for the source of an emulated copy: bytes, whatever is known of them.

        It reads padding that nobody wrote. Refuses S2 for another block's memory in space 3, and
        for a block that is not there; S3.
        """
        kind = np.dtype(dtype)
        result = np.zeros((32, count), kind)
        lanes, width = np.flatnonzero(mask), kind.itemsize * count
        at = np.asarray(addresses, np.uint64)[lanes].astype(np.int64)
        whole = Access(self, site, lanes, at, width, "reads")
        whole.check_alignment(alignment or kind.itemsize, at, "shared")
        for memory, access in self._shared_accesses(whole, own=space == Space.SHARED):
            result[access.lanes] = access.read(memory.storage, kind)
        return result[:, 0] if count == 1 else np.ascontiguousarray(result.T)

    def store(
        self,
        space: int,
        addresses: Addresses,
        values: NDArray[Any],
        mask: Lanes,
        site: Site,
        *,
        alignment: int | None = None,
        ordered: bool = False,
    ) -> None:
        """Stores values (32,) or (count, 32); where lanes collide, the highest lane wins.

        `ordered` (volatile, release, atomic): passes on what the warp knows. Refuses S2, S3, S7 (a
        copy still reads the bytes), S9, P5 (registers of an open tcgen05.ld), P9.
        """
        if isinstance(values, Registers):
            values = self.use(values, site)
        rows = values[:, None] if values.ndim == 1 else values.T
        width = values.dtype.itemsize * rows.shape[1]
        if ordered:
            self._release(space, addresses, mask)
        for memory, access in self._accesses(
            space, addresses, mask, site, "writes", width, alignment or values.dtype.itemsize
        ):
            memory.write(access, rows[access.lanes])

    def atomic(
        self,
        op: str,
        space: int,
        addresses: Addresses,
        values: NDArray[Any],
        mask: Lanes,
        site: Site,
        *,
        compare: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Read-modify-write, lanes in ascending order; the old values (32,).

        `op` is LLVM's: xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap
        udec_wrap (a leading underscore is ignored), or cmpxchg with `compare`. Integers are signed
        or not as `op` says, whatever the dtype. Refuses what load and store refuse.
        """
        old = np.zeros(32, values.dtype)
        self._acquire(space, addresses, mask)
        for lane in np.flatnonzero(mask):
            one = np.zeros(32, np.bool_)
            one[lane] = True
            old[lane] = self.load(space, addresses, values.dtype, one, site)[lane]
            wanted = None if compare is None else compare[lane]
            new = updated(op, old[lane], values[lane], wanted)
            self.store(space, addresses, np.full(32, new, values.dtype), one, site)
        self._release(space, addresses, mask)
        return old

    def mapa(
        self, addresses: Addresses, rank: NDArray[Any] | int, mask: Lanes, site: Site
    ) -> Addresses:
        """The shared::cluster addresses of the same offsets in the block of `rank` (PTX `mapa`).

        `mapa` of 0x410 with rank 1 is 0x1000410. Refuses S2 for a rank that the cluster lacks.
        """
        ranks = np.broadcast_to(np.asarray(rank, np.int64), (32,))
        size = len(self.block.cluster.blocks)
        wrong = np.flatnonzero(mask & ((ranks < 0) | (ranks >= size)))
        if wrong.size:
            lane = int(wrong[0])
            self.fail(
                "S2", f"maps to rank {ranks[lane]} of a cluster of {size} blocks", site, lane=lane
            )
        offsets = np.asarray(addresses, np.uint64) & np.uint64(OFFSET_MASK)
        return offsets | (ranks.astype(np.uint64) << np.uint64(RANK_SHIFT))

    def alloca(self, size: int, alignment: int) -> int:
        """Local address of `size` fresh bytes in every lane; add LOCAL_WINDOW for a generic one."""
        return self.local.allocate(size, alignment)

    def local_mark(self) -> int:
        """The local stack's top; give it to `local_release` when a function returns."""
        return self.local.top

    def local_release(self, mark: int) -> None:
        """Frees what was allocated since `local_mark`."""
        self.local.top = mark

    def _accesses(
        self,
        space: int,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        verb: str,
        width: int,
        alignment: int,
    ) -> Iterator[tuple[Memory, Access]]:
        lanes = np.flatnonzero(mask)
        if not lanes.size:
            return
        at = np.asarray(addresses, np.uint64)[lanes]
        for kind, chosen, local in _by_space(Space(space), at):
            chosen_lanes = lanes[chosen]
            whole = Access(self, site, chosen_lanes, local, width, verb)
            whole.check_alignment(alignment, local, kind.name.lower().replace("_cluster", ""))
            if kind is Space.LOCAL:
                yield self.local, whole
            elif kind is Space.SHARED or kind is Space.SHARED_CLUSTER:
                own = space == Space.SHARED
                yield from self._shared_accesses(whole, own=own)
            else:
                yield from self._buffer_accesses(whole, at[chosen])

    def _shared_accesses(
        self, whole: Access, *, own: bool
    ) -> Iterator[tuple[SharedMemory, Access]]:
        ranks = whole.offsets >> RANK_SHIFT
        for rank in distinct(ranks):
            part = np.flatnonzero(ranks == rank)
            address = int(whole.offsets[part[0]])
            block = self.block.cluster.block_at(rank)
            reason = (
                f"of rank {rank}; the cluster has {len(self.block.cluster.blocks)} blocks"
                if block is None
                else f"of rank {rank}, which has ended"
                if block.ended
                else f"of rank {rank}, got by a block of rank {self.block.rank} in shared::cta"
                if own and block is not self.block
                else None
            )
            if reason:
                whole.fail(
                    "S2",
                    int(part[0]),
                    f"{whole.verb} shared address {address:#x} {reason}",
                    address=address,
                )
            if block is None:
                continue
            offsets = whole.offsets[part] & OFFSET_MASK
            yield (
                block.shared,
                Access(self, whole.site, whole.lanes[part], offsets, whole.width, whole.verb),
            )

    def _buffer_accesses(
        self, whole: Access, addresses: Addresses
    ) -> Iterator[tuple[BufferAccess, Access]]:
        memory = self.block.cluster.memory
        numbers = nearest(memory, addresses)
        for number in distinct(numbers):
            part = np.flatnonzero(numbers == number)
            if number < 0:
                address = int(addresses[part[0]])
                null = "a null pointer" if address < 4096 else "outside every buffer"
                whole.fail(
                    "S2",
                    int(part[0]),
                    f"{whole.verb} {whole.width} bytes at address {address:#x}, {null}",
                    address=address,
                )
                continue
            buffer = memory.buffers[number]
            offsets = (addresses[part] - np.uint64(buffer.address)).astype(np.int64)
            yield (
                BufferAccess(buffer),
                Access(self, whole.site, whole.lanes[part], offsets, whole.width, whole.verb),
            )

    def _acquire(self, space: int, addresses: Addresses, mask: Lanes) -> None:
        for key in self._keys(space, addresses, mask):
            self.known |= self.block.cluster.released.get(key, 0)

    def _release(self, space: int, addresses: Addresses, mask: Lanes) -> None:
        released = self.block.cluster.released
        for key in self._keys(space, addresses, mask):
            released[key] = released.get(key, 0) | self.known

    def _keys(self, space: int, addresses: Addresses, mask: Lanes) -> set[int]:
        offset = SHARED_WINDOW if space in (Space.SHARED, Space.SHARED_CLUSTER) else 0
        return {int(address) + offset for address in np.asarray(addresses)[mask]}


def _by_space(
    space: Space, addresses: Addresses
) -> Iterator[tuple[Space, NDArray[np.int64], NDArray[np.int64]]]:
    """Splits (k,) addresses: the real space, the entries, and their addresses in it."""
    every = np.arange(addresses.size)
    if space is not Space.GENERIC:
        yield space, every, addresses.astype(np.int64)
        return
    rest = np.ones(addresses.size, np.bool_)
    for real, base in ((Space.SHARED_CLUSTER, SHARED_WINDOW), (Space.LOCAL, LOCAL_WINDOW)):
        inside = (addresses >= np.uint64(base)) & (addresses < np.uint64(base + WINDOW_BYTES))
        rest &= ~inside
        if inside.any():
            chosen = every[inside]
            yield real, chosen, (addresses[inside] - np.uint64(base)).astype(np.int64)
    if rest.any():
        yield Space.GLOBAL, every[rest], addresses[rest].astype(np.int64)
