"""`TensorMemory`: the cells of one block and, for each, the last write and the last read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.model.limits import TMEM_COLUMNS, TMEM_LANE_SHIFT, TMEM_LANES

from .accesses import distinct
from .events import Event

if TYPE_CHECKING:
    from .cluster import Block
    from .errors import Site
    from .warp_state import WarpState

_GARBAGE: Final = 0xA5A5A5A5

Index = NDArray[np.int64]


class TensorMemory:
    """Cells uint32 (128, 512), lanes by columns; `writer` and `reader` hold event numbers, 0: none.

    A cell's state follows from its writer: 0 was never written since the allocation; an event that
    is not done is under way; one that a warp does not know was not waited for by that warp.
    """

    def __init__(self, block: Block) -> None:
        self._block = block
        self.cells = np.full((TMEM_LANES, TMEM_COLUMNS), _GARBAGE, np.uint32)
        self.writer = np.zeros((TMEM_LANES, TMEM_COLUMNS), np.int32)
        self.reader = np.zeros((TMEM_LANES, TMEM_COLUMNS), np.int32)

    def forget(self, start: int, columns: int) -> None:
        """The columns are newly allocated: unwritten, unread, with whatever they held."""
        self.writer[:, start : start + columns] = 0
        self.reader[:, start : start + columns] = 0

    def check_over(
        self,
        warp: WarpState,
        lanes: Index,
        columns: Index,
        verb: str,
        site: Site,
        *,
        lane: int | None = None,
        pipelined: tuple[Event, ...] = (),
    ) -> None:
        """Accesses to these cells must be over for `warp` before it writes them or gives them back.

        P4 for a copy that was not waited for, P5 for a load or store without its wait, S7 for one
        of another warp that nothing orders. `pipelined` events are ordered by the hardware.
        """
        for shadow in (self.writer, self.reader):
            numbers = shadow[lanes, columns]
            if not numbers.any():
                continue
            for number in distinct(numbers):
                event = self._block.cluster.ledger[number] if number else None
                if event is None or warp.known & event.bit or event in pipelined:
                    continue
                at = np.argwhere(numbers == number)[0]
                cell = f"lane {lanes[tuple(at)]}, column {columns[tuple(at)]}"
                rule, what, note = _open(event, warp)
                address = int(lanes[tuple(at)]) << TMEM_LANE_SHIFT | int(columns[tuple(at)])
                warp.fail(
                    rule, f"{verb} {cell}, {what}", site, lane=lane, address=address, notes=[note]
                )


def _open(event: Event, warp: WarpState) -> tuple[str, str, str]:
    """Rule, state and remedy for an access that is not over for a warp."""
    touches = "reads" if event.kind == "load" else "writes"
    if event.asynchronous:
        note = (
            "wait for the mbarrier of its commit first"
            if event.committed
            else "commit it to an mbarrier and wait for that first"
        )
        return "P4", f"which {event} {touches} and nobody has waited for", note
    if not event.done:
        wait = "load" if event.kind == "load" else "store"
        return "P5", f"which {event} still {touches}", f"put nvvm.tcgen05.wait <{wait}> behind it"
    return (
        "S7",
        f"which {event} of warp {event.warp.number} {touches}, and nothing orders the two",
        "put a barrier between them, with nvvm.tcgen05.fence <before> and <after> around it",
    )
