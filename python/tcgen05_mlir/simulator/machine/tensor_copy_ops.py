"""tcgen05.cp, tcgen05.shift and tcgen05.commit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model import Instruction, SmemDescriptor
from tcgen05_mlir.model.limits import (
    COLUMN_ALIGNMENT,
    TMEM_COLUMNS,
    TMEM_LANE_SHIFT,
    TMEM_LANES,
)

from .async_work import Copy, Shift
from .copy_source import CopySource
from .errors import Site
from .mbarrier_ops import MbarrierOps
from .tensor_space_ops import TensorSpaceOps

if TYPE_CHECKING:
    from .cluster import Block

Lanes = NDArray[np.bool_]
Addresses = NDArray[np.uint64]

_DESCRIPTOR_BITS: Final = (1 << 64) - 1

SHIFT_LANES: Final = 32
SHIFT_COLUMNS: Final = 8
"""tcgen05.shift moves 32-byte elements of 32 lanes (PTX `tcgen05-data-movement-shape`: 31x256b)."""


_instruction = lru_cache(Instruction)


class TensorCopyOps(MbarrierOps, TensorSpaceOps):
    """The part of `Warp` that starts asynchronous work on tensor memory."""

    def tcgen05_cp(
        self,
        taddr: NDArray[Any] | int,
        descriptor: NDArray[np.uint64],
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        multicast: str | None = None,
        cta_group: int = 1,
        src_format: str | None = None,
    ) -> None:
        """Issues one copy; it completes later. Spellings as for `model.Instruction`.

        With cta_group 2 each block of the pair copies within itself. Refuses C5, F4, F5, F6, F9,
        F10, F11, F12, P1, P2, P3, P4 (cells of a copy not waited for), P5, P9, S1, S7.
        """
        self.check_group(cta_group, site)
        instruction = _instruction(shape, multicast, cta_group, src_format)
        for lane in self._issuers(mask, site):
            address = int(np.broadcast_to(np.asarray(taddr), (32,))[lane])
            bits = int(np.broadcast_to(np.asarray(descriptor), (32,))[lane]) & _DESCRIPTOR_BITS
            decoded = self._decode(bits, instruction, lane, site)
            if decoded is not None:
                self._issue(instruction, address, decoded, lane, site)

    def tcgen05_shift(
        self, taddr: NDArray[Any] | int, mask: Lanes, site: Site, *, cta_group: int = 1
    ) -> None:
        """tcgen05.shift.down: 8 columns of lanes i+1 go to lanes i, i in 0..30, asynchronously.

        The lanes are the 32 from the address on. Which way is down is read from an independent
        simulator [M]; PTX draws no picture. Refuses F6, P1, P2, P4, P5, S3 (a lane that is no
        multiple of 32), S7.
        """
        self.check_group(cta_group, site)
        for lane in self._issuers(mask, site):
            address = int(np.broadcast_to(np.asarray(taddr), (32,))[lane])
            first, column = address >> TMEM_LANE_SHIFT, address & 0xFFFF
            if first % SHIFT_LANES or first >= TMEM_LANES:
                self.fail(
                    "S3",
                    f"shifts from lane {first}, wanted a multiple of {SHIFT_LANES} below "
                    f"{TMEM_LANES}",
                    site,
                    lane=lane,
                    address=address,
                )
            lanes, columns = np.indices((SHIFT_LANES, SHIFT_COLUMNS))
            lanes, columns = lanes + first // SHIFT_LANES * SHIFT_LANES, columns + column
            blocks = self._blocks(cta_group)
            self._check_columns(blocks, columns, address, lane, site)
            Shift(self, lane, site).begin(blocks, *_inside(lanes, columns))

    def tcgen05_commit(
        self,
        addresses: Addresses,
        mask: Lanes,
        site: Site,
        *,
        cta_group: int = 1,
        multicast_mask: NDArray[Any] | int | None = None,
        space: int = 3,
    ) -> None:
        """Arrives once on the mbarrier when all copies of this thread up to here are done.

        `multicast_mask`: bit i sends an arrival to the mbarrier at the same offset in the block of
        rank i; without it the address's own block gets it. Refuses P1, P2, S2, S3, S5 now, and P4
        when it arrives: more arrivals than the phase waits for, or a phase that completes before
        anybody waited for the last one.
        """
        self.check_group(cta_group, site)
        for lane in self._issuers(mask, site):
            one = np.zeros(32, np.bool_)
            one[lane] = True
            places = self._barrier_places(addresses, one, site, space)
            targets = [(block, offset) for _, block, offset in places]
            if multicast_mask is not None and targets:
                bits = int(np.broadcast_to(np.asarray(multicast_mask), (32,))[lane])
                targets = self._multicast(targets[0][1], bits, lane, site)
            for block, offset in targets:
                self._barrier(block, offset, lane, site)
            self.block.cluster.commits.add((self, lane), site, targets)

    def check_commits(self, mask: Lanes) -> None:
        """P4 for copies of lanes that end without having committed them."""
        for event in self.block.cluster.commits.uncommitted():
            if event.warp is self and mask[event.lane]:
                self.fail(
                    "P4",
                    "is never committed: its thread ends",
                    event.site,
                    lane=event.lane,
                    notes=["put nvvm.tcgen05.commit behind it, in the same thread"],
                )

    def _issuers(self, mask: Lanes, site: Site) -> list[int]:
        lanes = [int(lane) for lane in np.flatnonzero(mask)]
        if len(lanes) > 1:
            self.fail(
                "P1",
                f"is issued by {len(lanes)} lanes at once, wanted one thread",
                site,
                lane=lanes[0],
                notes=["put it under nvvm.elect.sync"],
            )
        return lanes

    def _decode(
        self, bits: int, instruction: Instruction, lane: int, site: Site
    ) -> SmemDescriptor | None:
        try:
            return SmemDescriptor.decode(bits)
        except ValueError as error:
            message = str(error).removesuffix(" [C5]")
            self.fail("C5", f"has the {message}", site, lane=lane)
            return None

    def _issue(
        self,
        instruction: Instruction,
        address: int,
        descriptor: SmemDescriptor,
        lane: int,
        site: Site,
    ) -> None:
        copy = Copy(self, lane, site, instruction, address, descriptor)
        first, column = address >> TMEM_LANE_SHIFT, address & 0xFFFF
        if column % COLUMN_ALIGNMENT:
            self.fail(
                "F4",
                f"'dst' column origin must be a multiple of {COLUMN_ALIGNMENT}, got {column}",
                site,
                lane=lane,
                address=address,
            )
        rows = np.add.outer(instruction.replicas, instruction.row_lanes()).reshape(-1, 1) + first
        if rows.max() >= TMEM_LANES:
            self.fail(
                "F5",
                f"'dst' must keep the footprint inside lanes 0..{TMEM_LANES - 1}, got lane {first} "
                f"from which {instruction.form.name} reaches lane {int(rows.max())}",
                site,
                lane=lane,
                address=address,
            )
        lanes, columns = np.broadcast_arrays(rows, column + np.arange(instruction.words))
        blocks = self._blocks(instruction.cta_group)
        self._check_columns(blocks, columns, address, lane, site)
        sources = [
            CopySource(self, lane, site, block, instruction, descriptor).check() for block in blocks
        ]
        event = copy.begin(blocks, *_inside(lanes, columns))
        for block, source in zip(blocks, sources, strict=True):
            block.shared.reader[source] = event.number

    def _blocks(self, cta_group: int) -> list[Block]:
        """The blocks in which work is done: this one, in a pair both."""
        peer = self.block.peer
        return [self.block] if cta_group == 1 or peer is None else [self.block, peer]

    def _check_columns(
        self, blocks: list[Block], columns: NDArray[np.int64], address: int, lane: int, site: Site
    ) -> None:
        first, last = int(columns.min()), int(columns.max())
        for block in blocks:
            owners = block.columns.owner[first : last + 1]
            if last < TMEM_COLUMNS and owners[0] and (owners == owners[0]).all():
                continue
            rank = "" if block is self.block else f" of the other block, rank {block.rank}"
            self.fail(
                "F6",
                f"'dst' must keep the footprint inside one allocation, got columns {first} to "
                f"{last}{rank}; live are {block.columns.describe()}",
                site,
                lane=lane,
                address=address,
            )

    def _multicast(self, offset: int, bits: int, lane: int, site: Site) -> list[tuple[Block, int]]:
        blocks = self.block.cluster.blocks
        last = len(blocks) - 1
        beyond = bits >> len(blocks)
        if beyond or not bits:
            self.fail(
                "S2",
                f"sends arrivals to the blocks of mask {bits:#x}, wanted ranks 0..{last}",
                site,
                lane=lane,
            )
        return [(block, offset) for block in blocks if bits >> block.rank & 1]


def _inside(
    lanes: NDArray[np.int64], columns: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells that exist; others were reported, or are allowed."""
    inside = (lanes < TMEM_LANES) & (columns < TMEM_COLUMNS)
    return lanes[inside], columns[inside]
