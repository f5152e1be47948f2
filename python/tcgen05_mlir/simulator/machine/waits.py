"""What a warp may have to wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .errors import Site

if TYPE_CHECKING:
    from .warp_state import WarpState


class Wait(Protocol):
    """A condition on which a warp blocks: the engine yields until `ready()` is true.

    `ready` has no effect when false; the first time it is true it completes the operation (what
    other warps released becomes known) and it stays true.
    """

    site: Site

    def ready(self) -> bool: ...

    def describe(self) -> str:
        """What it waits for and what is missing, for the deadlock report."""
        ...


class Ready:
    """A wait that is over at once."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def ready(self) -> bool:
        return True

    def describe(self) -> str:
        return "nothing"


class Blocked:
    """Base of waits that others end: `finish` makes it ready. Registers itself at the warp."""

    def __init__(self, warp: WarpState, site: Site) -> None:
        self.warp = warp
        self.site = site
        self.over = False
        warp.waits[self] = None

    def finish(self, known: int = 0) -> None:
        """It is over; `known` are the events that the warp learns."""
        self.warp.known |= known
        self.over = True
        self.warp.waits.pop(self, None)

    def ready(self) -> bool:
        return self.over

    def describe(self) -> str:
        raise NotImplementedError


class Nap(Blocked):
    """Some lanes sleep, in a loop that waits for others: over at the second asking.

    A warp that does nothing else counts as waiting.
    """

    spins = True

    def __init__(self, warp: WarpState, site: Site) -> None:
        super().__init__(warp, site)
        self._asked = False

    def ready(self) -> bool:
        if self._asked:
            self.finish()
        self._asked = True
        return super().ready()

    def describe(self) -> str:
        return "another warp or block"
