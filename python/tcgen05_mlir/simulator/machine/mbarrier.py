"""`Mbarrier`: the counts and phases of one mbarrier object.

The current phase completes when no arrival is pending and the tx-count is zero; then the next
phase starts with the expected count. Source: PTX `parallel-synchronization-and-communication-
instructions-mbarrier` (phase completion, contents, arrive-on, expect-tx, complete-tx).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .errors import Site

MAX_COUNT: Final = (1 << 20) - 1
"""Arrival counts lie in 1..MAX_COUNT, tx-counts in -MAX_COUNT..MAX_COUNT."""

BYTES: Final = 8
"""An mbarrier is 8 bytes, 8-byte aligned, in shared memory."""


class MisuseError(Exception):
    """What an operation on an mbarrier did wrong: the rule and the sentence."""

    def __init__(self, rule: str, message: str, *notes: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.notes = notes


@dataclass(eq=False)
class Mbarrier:
    """One mbarrier. `Mbarrier(site, expected=2)` has phase 0 and 2 pending arrivals.

    `known`: events that arrivals of the current phase release; `completed`: those of all complete
    phases, what a successful wait acquires. `observed`: somebody waited for the last complete
    phase. `arrivals`: the ops that arrived in the current phase, for reports.
    """

    site: Site
    expected: int
    pending: int = field(init=False)
    tx: int = 0
    phase: int = 0
    known: int = 0
    completed: int = 0
    observed: bool = True
    arrivals: list[Site] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not 1 <= self.expected <= MAX_COUNT:
            raise MisuseError(
                "S5", f"initialises an mbarrier for {self.expected} arrivals, wanted 1..{MAX_COUNT}"
            )
        self.pending = self.expected

    def arrive(
        self,
        site: Site,
        count: int = 1,
        *,
        known: int = 0,
        drop: bool = False,
        no_complete: bool = False,
    ) -> int:
        """Arrives `count` times; the state token from before. MisuseError P4 for too many."""
        token = self.token()
        if not 1 <= count <= self.pending:
            ops = ", ".join(sorted({f"'{s.name}' at {s.location}" for s in self.arrivals}))
            raise MisuseError(
                "P4",
                f"arrives {count} times on an mbarrier that waits for {self.pending} more arrivals "
                f"in phase {self.phase}, of {self.expected}",
                *([f"arrived already: {ops}"] if ops else []),
                f"initialise it for all arrivals of a phase ('{self.site.name}' at "
                f"{self.site.location}), or wait for the phase first",
            )
        if no_complete and count == self.pending and self.tx == 0:
            raise MisuseError("S5", f"completes phase {self.phase} though it says .noComplete")
        if drop:
            self.expected -= count
        self.pending -= count
        self.known |= known
        self.arrivals.append(site)
        self._complete()
        return token

    def expect_tx(self, count: int) -> None:
        """More bytes to come in this phase."""
        self._add_tx(count)

    def complete_tx(self, count: int) -> None:
        """Bytes that came."""
        self._add_tx(-count)
        self._complete()

    def passed(self, parity: int) -> bool:
        """Whether the phase of `parity` is the immediately preceding one, so complete."""
        return self.phase % 2 != parity

    def passed_token(self, token: int) -> bool:
        """Whether the phase of a state token is complete; MisuseError S5 for one too old."""
        phase = token >> 32
        if not self.phase - 1 <= phase <= self.phase:
            raise MisuseError(
                "S5", f"waits for phase {phase} by its state; the mbarrier is in phase {self.phase}"
            )
        return phase < self.phase

    def observe(self) -> int:
        """A wait has succeeded: the events that it acquires."""
        self.observed = True
        return self.completed

    def token(self) -> int:
        """The state of now: bits 0-31 pending arrivals, bits 32-63 the phase (opaque in PTX)."""
        return self.phase << 32 | self.pending

    def missing(self) -> str:
        """What the current phase still waits for: `1 of 2 arrivals`."""
        parts = [f"{self.pending} of {self.expected} arrivals"] if self.pending else []
        if self.tx:
            parts.append(f"{self.tx} bytes of transactions")
        return " and ".join(parts) or "nothing"

    def _add_tx(self, count: int) -> None:
        if not -MAX_COUNT <= self.tx + count <= MAX_COUNT:
            raise MisuseError(
                "S5",
                f"makes the tx-count {self.tx + count}, wanted {-MAX_COUNT}..{MAX_COUNT}",
            )
        self.tx += count

    def _complete(self) -> None:
        if self.pending or self.tx:
            return
        self.phase += 1
        self.pending = self.expected
        self.completed |= self.known
        self.known = 0
        self.observed = False
        self.arrivals.clear()
