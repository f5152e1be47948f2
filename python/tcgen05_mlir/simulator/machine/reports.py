"""What is said when nothing can move, and what is checked when all has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import SimulationError
from .mbarrier_waits import MbarrierWait

if TYPE_CHECKING:
    from .cluster import Cluster
    from .waits import Wait
    from .warp_state import WarpState


def report_deadlock(cluster: Cluster) -> None:
    """P4 for a copy that was never committed while a warp waits on an mbarrier; else S4."""
    waiting = [warp for block in cluster.blocks for warp in block.warps if warp.waiting]
    notes = [_line(warp, wait) for warp in waiting for wait in warp.waiting]
    open_copies = cluster.commits.uncommitted()
    if open_copies and any(
        isinstance(wait, MbarrierWait) for warp in waiting for wait in warp.waiting
    ):
        event = open_copies[0]
        event.warp.fail(
            "P4",
            "is never committed, and nothing else can complete what is waited for",
            event.site,
            lane=event.lane,
            notes=[*notes, "put nvvm.tcgen05.commit behind it, in the same thread"],
        )
    notes += [f"{event} was never committed" for event in open_copies]
    living = sum(warp.living.any() for block in cluster.blocks for warp in block.warps)
    first = waiting[0] if waiting else None
    raise SimulationError(
        "S4",
        f"never ends: {len(waiting)} of {living} warps wait, the others have nothing to do, and "
        "no copy is under way",
        site=first.waiting[0].site if first else None,
        place=first.place() if first else None,
        notes=notes,
    )


def report_end(cluster: Cluster) -> None:
    """P6 for columns that were not given back, P4 for copies that nobody waited for."""
    known = 0
    for block in cluster.blocks:
        for warp in block.warps:
            known |= warp.known
    for event in cluster.ledger.all():
        if event.asynchronous and not known & event.bit:
            event.warp.fail(
                "P4",
                "is committed, but no thread waits for the mbarrier of the commit",
                event.site,
                lane=event.lane,
                notes=["wait for it before the kernel ends"],
            )
    for block in cluster.blocks:
        for allocation in block.columns.live:
            cluster.checks.fail(
                "P6",
                f"allocates {allocation}, which nobody gives back before the kernel ends",
                site=allocation.site,
                place=allocation.place,
                address=allocation.start,
                notes=["nvvm.tcgen05.dealloc with the same count, on every path"],
            )


def _line(warp: WarpState, wait: Wait) -> str:
    block = ", ".join(map(str, warp.block.index))
    return (
        f"warp {warp.number} of block ({block}) waits in '{wait.site.name}' at "
        f"{wait.site.location} for {wait.describe()}"
    )
