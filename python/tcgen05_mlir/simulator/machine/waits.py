"""What a warp may have to wait for."""

from __future__ import annotations

from typing import Protocol


class Wait(Protocol):
    """A condition on which a warp blocks: the engine yields until `ready()` is true.

    `ready` has no effect when false; the first time it is true it completes the operation (phases
    move on, what other warps released becomes known) and stays true.
    """

    def ready(self) -> bool: ...

    def describe(self) -> str:
        """What it waits for and what is missing, for the deadlock report."""
        ...


class Ready:
    """A wait that is over at once."""

    def ready(self) -> bool:
        return True

    def describe(self) -> str:
        return "nothing"
