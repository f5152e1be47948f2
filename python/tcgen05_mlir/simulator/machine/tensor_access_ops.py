"""tcgen05.ld and tcgen05.st, their waits, and the fences around barriers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model.ldst_shapes import footprint, read_ldst_shape
from tcgen05_mlir.model.limits import TMEM_COLUMNS, TMEM_LANE_SHIFT

from .accesses import distinct
from .errors import Site
from .registers import Registers
from .warp_state import WarpState

Lanes = NDArray[np.bool_]
Cells = tuple[NDArray[np.int64], NDArray[np.int64]]

WARP_LANES = 32
"""Lanes of tensor memory that a warp reaches: from 32 * (number % 4) on."""

_UNWRITTEN = (
    "what writes it must be waited for: a copy by the mbarrier of its commit, then "
    "nvvm.tcgen05.fence <after>; another warp's store by a barrier behind its wait::st"
)


class TensorAccessOps(WarpState):
    """The part of `Warp` that moves words between registers and tensor memory."""

    def tcgen05_ld(
        self,
        taddr: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        registers: int,
        pack: bool = False,
        offset: int = 0,
    ) -> Registers:
        """Words of registers by lanes, (registers, 32); usable after `tcgen05_wait("load")`.

        `shape` is 32x32b, 16x64b, 16x128b, 16x256b or 16x32bx2, with or without `shape_`; `offset`
        is immHalfSplitoff. Refuses P4 (the copy was not waited for), P5 (no fence after the wait),
        P7, S1, S2, S6. ValueError for a shape that has no form with so many registers.
        """
        lanes, columns = self._cells(taddr, mask, site, "reads", shape, registers, pack, offset)
        self._check_readable(lanes, columns, site)
        memory = self.block.tensor
        event = self.block.cluster.ledger.add("load", self, 0, site)
        self.open.append(event.number)
        memory.reader[lanes, columns] = event.number
        words = memory.cells[lanes, columns]
        if pack:
            low, high = words & np.uint32(0xFFFF), words << np.uint32(16)
            words = low[:1] | high[1:]
        return Registers.of(np.ascontiguousarray(words[0]), (event,))

    def tcgen05_st(
        self,
        taddr: NDArray[Any] | int,
        values: NDArray[Any],
        mask: Lanes,
        site: Site,
        *,
        shape: str,
        unpack: bool = False,
        offset: int = 0,
    ) -> None:
        """Stores `values`, (registers, 32) or (32,), in the cells that tcgen05_ld would read.

        With `unpack` the low 16 bits of two cells get the halves of a register and the high ones
        stay [PTX is silent]. Refuses P4, P5, S7 (an access to the cells is not over), P7, S2, S6.
        """
        words = np.atleast_2d(self.use(values, site)).astype(np.uint32)
        count = words.shape[0]
        lanes, columns = self._cells(taddr, mask, site, "writes", shape, count, unpack, offset)
        memory = self.block.tensor
        memory.check_over(self, lanes, columns, "writes", site)
        event = self.block.cluster.ledger.add("store", self, 0, site)
        self.open.append(event.number)
        if unpack:
            old = memory.cells[lanes, columns] & np.uint32(0xFFFF0000)
            words = old | np.stack([words & np.uint32(0xFFFF), words >> np.uint32(16)])
        memory.cells[lanes, columns] = words
        memory.writer[lanes, columns] = event.number

    def tcgen05_wait(self, kind: str, mask: Lanes, site: Site) -> None:
        """tcgen05.wait::ld (`kind` load) or ::st (store): this warp's are over. P7.

        ValueError for another kind.
        """
        if kind not in ("load", "store"):
            raise ValueError(f"'kind' must be load or store, got {kind}")
        self.collective(mask, site, whole=True)
        ledger = self.block.cluster.ledger
        for number in list(self.open):
            event = ledger[number]
            if event.kind == kind:
                event.done = True
                self.known |= event.bit
                self.open.remove(number)

    def tcgen05_fence(self, kind: str, mask: Lanes, site: Site) -> None:
        """tcgen05.fence::before_thread_sync (`before`) or ::after_thread_sync (`after`).

        `after`: the lanes' loads rely on what is known now; a load is of all lanes. `before` does
        nothing here: shipping code hands over waited loads without it [C], and commit contains it.
        ValueError for another kind.
        """
        if kind not in ("before", "after"):
            raise ValueError(f"'kind' must be before or after, got {kind}")
        if kind == "after":
            self.fence_after(mask)

    def _cells(
        self,
        taddr: NDArray[Any] | int,
        mask: Lanes,
        site: Site,
        verb: str,
        shape: str,
        registers: int,
        packed: bool,
        offset: int,
    ) -> Cells:
        """The cells (halves, registers, 32), clipped to what exists; S2, S6, P7."""
        name = read_ldst_shape(shape, registers)
        self.collective(mask, site, whole=True)
        address = self.uniform(taddr, mask, site, "addresses")
        lanes, columns = footprint(name, registers, packed, offset)
        lanes = lanes + (address >> TMEM_LANE_SHIFT)
        columns = columns + (address & 0xFFFF)
        first = WARP_LANES * (self.number % 4)
        low, high = int(lanes.min()), int(lanes.max())
        if low < first or high >= first + WARP_LANES:
            self.fail(
                "S6",
                f"{verb} lanes {low} to {high}, but warp {self.number} reaches lanes {first} to "
                f"{first + WARP_LANES - 1} only",
                site,
                address=address,
                notes=["the lane field of the address is 32 * (warp % 4), or 16 more"],
            )
        if columns.max() >= TMEM_COLUMNS:
            self.fail(
                "S2",
                f"{verb} columns {int(columns.min())} to {int(columns.max())}, beyond column "
                f"{TMEM_COLUMNS - 1}",
                site,
                address=address,
            )
        clipped = np.minimum(columns, TMEM_COLUMNS - 1)
        free = np.flatnonzero(self.block.columns.owner[clipped] == 0)
        if free.size:
            self.fail(
                "S2",
                f"{verb} column {int(clipped.reshape(-1)[free[0]])}, which is not allocated",
                site,
                address=address,
                notes=[f"live are {self.block.columns.describe()}"],
            )
        return np.minimum(lanes, 127), clipped

    def _check_readable(
        self, lanes: NDArray[np.int64], columns: NDArray[np.int64], site: Site
    ) -> None:
        writers = self.block.tensor.writer[lanes, columns]
        for number in distinct(writers):
            if number and self._may_read(number):
                continue
            at = tuple(np.argwhere(writers == number)[0])
            cell = f"lane {lanes[at]}, column {columns[at]}"
            address = int(lanes[at]) << TMEM_LANE_SHIFT | int(columns[at])
            if number == 0:
                message, notes = f"reads {cell}, which was never written", [_UNWRITTEN]
                self.fail("S1", message, site, address=address, notes=notes)
                continue
            event = self.block.cluster.ledger[number]
            self.fail(*self._unread(event, cell), site, address=address, notes=self._remedy(event))

    def _may_read(self, number: int) -> bool:
        """Whether the write is over and ordered before this warp's loads."""
        event = self.block.cluster.ledger[number]
        own = event.kind == "store" and event.warp is self
        return bool((self.known if own else self.fenced) & event.bit)

    def _unread(self, event: Any, cell: str) -> tuple[str, str]:
        if self.known & event.bit:
            return "P5", f"reads {cell}, which {event} wrote, with no fence behind the wait"
        if event.asynchronous:
            state = "waited for" if event.committed else "committed"
            return "P4", f"reads {cell}, which {event} writes and which was not {state}"
        if not event.done:
            return "P5", f"reads {cell}, which {event} still writes"
        return "S7", f"reads {cell}, which {event} wrote, and nothing orders the two"

    def _remedy(self, event: Any) -> list[str]:
        if self.known & event.bit:
            return ["put nvvm.tcgen05.fence <after> between the wait and this op, in all lanes"]
        if event.asynchronous:
            first = "" if event.committed else "commit the copy with nvvm.tcgen05.commit, "
            return [f"{first}wait for the mbarrier of the commit, then nvvm.tcgen05.fence <after>"]
        return ["nvvm.tcgen05.wait <store> by the writer, a barrier, nvvm.tcgen05.fence <after>"]
