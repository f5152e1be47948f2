"""Commits: arrivals on mbarriers when a thread's copies are done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .errors import Site
from .events import Event
from .mbarrier import MisuseError

if TYPE_CHECKING:
    from .cluster import Block
    from .warp_state import WarpState

Thread = tuple["WarpState", int]


@dataclass(eq=False)
class Commit:
    """One tcgen05.commit: it covers all copies and shifts that its thread has issued.

    `known`: what the waiters learn, the covered events and what the thread knew (the commit
    contains fence::before_thread_sync). `left`: covered events that were under way at its issue.
    """

    thread: Thread
    site: Site
    targets: list[tuple[Block, int]]
    known: int
    left: list[Event]


@dataclass
class _Issued:
    """What one thread has issued: all of it as bits, what no commit covers, what is under way."""

    bits: int = 0
    uncommitted: list[Event] = field(default_factory=list)
    under_way: list[Event] = field(default_factory=list)


class Commits:
    """The commits of a cluster that have not arrived yet, in order of issue."""

    def __init__(self) -> None:
        self._issued: dict[Thread, _Issued] = {}
        self._waiting: list[Commit] = []

    def issue(self, event: Event) -> None:
        """A thread has issued a copy or shift."""
        issued = self._issued.setdefault((event.warp, event.lane), _Issued())
        issued.bits |= event.bit
        issued.uncommitted.append(event)
        issued.under_way.append(event)

    def uncommitted(self) -> list[Event]:
        """Copies and shifts that no commit covers, by thread in order of issue."""
        return [event for issued in self._issued.values() for event in issued.uncommitted]

    def add(self, thread: Thread, site: Site, targets: list[tuple[Block, int]]) -> None:
        """A commit: arrives when all that the thread has issued is done, perhaps at once."""
        issued = self._issued.setdefault(thread, _Issued())
        for event in issued.uncommitted:
            event.committed = True
        issued.uncommitted.clear()
        issued.under_way = [event for event in issued.under_way if not event.done]
        known = thread[0].known | issued.bits
        self._waiting.append(Commit(thread, site, targets, known, list(issued.under_way)))
        self.advance()

    def advance(self) -> None:
        """Commits whose work is done arrive, those of one thread in order."""
        blocked: set[Thread] = set()
        for commit in list(self._waiting):
            if commit.thread in blocked or not all(event.done for event in commit.left):
                blocked.add(commit.thread)
                continue
            self._waiting.remove(commit)
            for block, offset in commit.targets:
                _arrive(commit, block, offset)


def _arrive(commit: Commit, block: Block, offset: int) -> None:
    warp, lane = commit.thread
    barrier = block.mbarriers.get(offset)
    gone = barrier is None or (block.ended and not warp.block.ended)
    if barrier is None or gone:
        what = "whose block has ended" if block.ended else "where none is any more"
        warp.fail(
            "S5",
            f"arrives on the mbarrier at {block.shared.name(offset)}, {what}",
            commit.site,
            lane=lane,
            address=block.shared_base + offset,
            notes=["wait for the arrival before the mbarrier goes"],
        )
        return
    try:
        if barrier.pending == 1 and barrier.tx == 0 and not barrier.observed:
            raise MisuseError(
                "P4",
                f"completes phase {barrier.phase} before anybody waited for phase "
                f"{barrier.phase - 1}",
                f"the mbarrier is initialised for {barrier.expected} arrivals by "
                f"'{barrier.site.name}' at {barrier.site.location}",
                "commit once for each wait, or initialise it for all arrivals of a phase",
            )
        barrier.arrive(commit.site, known=commit.known)
    except MisuseError as error:
        warp.fail(
            error.rule,
            error.message,
            commit.site,
            lane=lane,
            address=block.shared_base + offset,
            notes=[f"the mbarrier lies at {block.shared.name(offset)}", *error.notes],
        )
        # Allowed: the phase ends all the same.
        if barrier.pending:
            barrier.arrive(commit.site, known=commit.known)
