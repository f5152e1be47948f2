"""Accesses to tensor memory as events, and who knows that they are over.

Each access is one bit. A warp's `known` holds the accesses that are over for it: its own loads
and stores after wait::ld and wait::st, copies after a wait on the mbarrier of their commit, and
whatever another warp knew when both met at a barrier or an mbarrier. The fence after_thread_sync
copies `known` to `fenced`: what the warp's later loads may rely on. Relaxed barriers pass
knowledge on too: the tcgen05 fences make the order. Knowledge is a warp's, not a thread's: what
one lane waited for counts for all [a simplification: it can miss a fault, never invent one].
Source: PTX `tcgen05-memory-consistency-model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import Site

if TYPE_CHECKING:
    from .warp_state import WarpState


@dataclass(eq=False)
class Event:
    """One access: `kind` is copy, shift, load, store or alloc; `lane` issued it (warps: lane 0).

    `done`: it is over. `committed`: a commit covers it (copy, shift).
    """

    number: int
    kind: str
    warp: WarpState
    lane: int
    site: Site
    done: bool = False
    committed: bool = False

    @property
    def bit(self) -> int:
        return 1 << self.number

    @property
    def asynchronous(self) -> bool:
        """Whether a commit covers it, not a wait."""
        return self.kind in ("copy", "shift")

    def __str__(self) -> str:
        return f"the {self.kind} '{self.site.name}' at {self.site.location}"


class Ledger:
    """All events of a cluster by number; 0 stands for none."""

    def __init__(self) -> None:
        self._events: list[Event | None] = [None]

    def add(self, kind: str, warp: WarpState, lane: int, site: Site) -> Event:
        event = Event(len(self._events), kind, warp, lane, site)
        self._events.append(event)
        return event

    def __getitem__(self, number: int) -> Event:
        event = self._events[number]
        assert event is not None, "0 is no event"
        return event

    def all(self) -> list[Event]:
        return [event for event in self._events if event is not None]
