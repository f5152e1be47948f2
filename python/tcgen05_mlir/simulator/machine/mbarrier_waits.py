"""Waiting on mbarriers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import Site
from .mbarrier import Mbarrier, MisuseError

if TYPE_CHECKING:
    from .warp_state import WarpState


@dataclass(eq=False)
class Test:
    """`lanes` of a warp wait for one phase of one mbarrier, by parity or by state token."""

    barrier: Mbarrier
    name: str
    wanted: int
    by_state: bool
    first_lane: int
    lanes: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(32, np.bool_))
    done: bool = False

    def passes(self) -> bool:
        """Whether the phase is complete. MisuseError S5 for a token that is too old."""
        if self.by_state:
            return self.barrier.passed_token(self.wanted)
        return self.barrier.passed(self.wanted)

    def __str__(self) -> str:
        which = f"phase {self.wanted >> 32}" if self.by_state else f"parity {self.wanted}"
        return (
            f"{which} of the mbarrier at {self.name}, which is in phase {self.barrier.phase}: "
            f"{self.barrier.missing()} missing"
        )


class MbarrierWait:
    """A warp that waits on mbarriers: over when the test of every lane has succeeded once."""

    def __init__(self, warp: WarpState, site: Site, tests: list[Test]) -> None:
        self.warp = warp
        self.site = site
        self._tests = tests
        warp.waits[self] = None

    def ready(self) -> bool:
        for test in self._tests:
            if not test.done and self._passes(test):
                test.done = True
                self.warp.known |= test.barrier.observe()
        over = all(test.done for test in self._tests)
        if over:
            self.warp.waits.pop(self, None)
        return over

    @property
    def done(self) -> NDArray[np.bool_]:
        """The lanes whose test has succeeded."""
        lanes = np.zeros(32, np.bool_)
        for test in self._tests:
            if test.done:
                lanes |= test.lanes
        return lanes

    def leave(self) -> None:
        """It is waited for no longer."""
        self.warp.waits.pop(self, None)

    def describe(self) -> str:
        return str(next((test for test in self._tests if not test.done), self._tests[0]))

    def _passes(self, test: Test) -> bool:
        try:
            return test.passes()
        except MisuseError as error:
            lane = test.first_lane
            self.warp.fail(error.rule, error.message, self.site, lane=lane, notes=error.notes)
            return True


class MbarrierTry:
    """One try_wait: over when its wait is, or, where it `expires`, at the second asking.

    Hardware ends a try after a time of its own choice; `done` are the lanes whose phase is
    complete. `spins` tells that it ends without anything having happened.
    """

    def __init__(self, wait: MbarrierWait, *, expires: bool) -> None:
        self._wait = wait
        self._expires = expires
        self._asked = False

    def ready(self) -> bool:
        asked, self._asked = self._asked, True
        if self._wait.ready():
            return True
        if asked and self._expires:
            self._wait.leave()
            return True
        return False

    @property
    def spins(self) -> bool:
        return self._expires

    @property
    def done(self) -> NDArray[np.bool_]:
        return self._wait.done

    def describe(self) -> str:
        return self._wait.describe()
