"""When asynchronous work completes: later than it was issued, by seed."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random
from typing import Final

LONGEST_DELAY: Final = 24
"""Steps of warps that a copy takes at most, if something else can run meanwhile."""


class Schedule:
    """Work with due times, counted in steps of warps.

    PTX does not order one copy after another (`tcgen05-memory-consistency-model`, pipelined
    instructions), so copies of one thread complete in any order.
    """

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)
        self._now = 0
        self._count = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []

    def add(self, work: Callable[[], None]) -> None:
        """`work` is done after 1 to `LONGEST_DELAY` ticks, or earlier when idle."""
        due = self._now + self._random.randint(1, LONGEST_DELAY)
        self._count += 1
        heapq.heappush(self._queue, (due, self._count, work))

    def coin(self) -> bool:
        """For what hardware may do in either of two ways."""
        return self._random.random() < 0.5

    def tick(self) -> None:
        self._now += 1
        while self._queue and self._queue[0][0] <= self._now:
            heapq.heappop(self._queue)[2]()

    def skip(self) -> bool:
        """Jumps to the next due time; False where nothing is under way."""
        if not self._queue:
            return False
        self._now = max(self._now, self._queue[0][0] - 1)
        self.tick()
        return True
