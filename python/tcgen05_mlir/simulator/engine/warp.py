"""A warp as the translated code sees it."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcgen05_mlir.simulator.engine.groups import Gathering, Group, Mask, Token
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.lanes.shapes import spread
from tcgen05_mlir.simulator.machine import Checks, Site, Warp

_BITS = np.uint32(1) << np.arange(32, dtype=np.uint32)

Steps = Generator[None, None, "Group | None"]


class WarpRun:
    """The groups of one warp.

    `registers`: special registers by name. `spinning`: the last thing that the warp did was to look
    at something that had not happened yet; `paused`: it was to go round in a loop for a while.
    """

    def __init__(
        self,
        machine: Warp,
        registers: dict[str, Lanes],
        addresses: dict[str, np.uint64],
        checks: Checks,
        dice: random.Random,
    ) -> None:
        self.machine, self.registers = machine, registers
        self._addresses, self._checks, self._dice = addresses, checks, dice
        self.alive: Mask = machine.existing.copy()
        self.root = Group(self.alive)
        self.runnable: list[Group] = []
        self.waiting: list[Group] = []
        self.gatherings: dict[Any, Gathering] = {}
        self.spinning = self.paused = False
        self._locals: dict[tuple[Site, int], np.uint64] = {}
        self._time = 0

    # values -----------------------------------------------------------------------------------

    def address(self, symbol: str) -> np.uint64:
        """The address of one of the module's variables."""
        return self._addresses[symbol]

    def local(self, site: Site, size: int, alignment: int) -> np.uint64:
        """The local memory of an alloca, the same at each time."""
        key = (site, size)
        if key not in self._locals:
            self._locals[key] = np.uint64(self.machine.alloca(size, alignment))
        return self._locals[key]

    def clock(self, dtype: np.dtype) -> Lanes:
        """A clock that goes on at every look."""
        self._time += 1
        return dtype.type(self._time)

    def trap(self, mask: Mask, site: Site) -> None:
        """Lanes have come where none may: llvm.unreachable, llvm.intr.trap (S20)."""
        lane = int(np.argmax(mask))
        self._checks.fail(
            "S20",
            "is reached, which must not happen",
            site=site,
            place=self.machine.place(lane),
            notes=("what the kernel asserts does not hold",),
        )

    # control flow -----------------------------------------------------------------------------

    def diverge(
        self, group: Group, true: int, false: int, yes: Mask, no: Mask, meet: int
    ) -> Group | None:
        """Parts a group; who runs first. A way that is the meeting place has no code of its own."""
        group.pc, group.back = meet, np.zeros(32, bool)
        parts = []
        for target, mask in ((true, yes), (false, no)):
            if target == meet:
                group.back = group.back | mask
            else:
                parts.append(Group(mask, target, group, meet, full=False))
        if len(parts) == 2 and self._dice.random() < 0.5:
            parts.reverse()
        if not parts:
            return self.arrived(group) if group.meet == meet else group
        group.parts = len(parts)
        self.runnable += parts[1:]
        return parts[0]

    def arrived(self, group: Group) -> Group | None:
        """A group is where its parent's ways meet: the parent, if all are; else who runs next."""
        parent = group.parent
        assert parent is not None
        parent.back = parent.back | group.mask
        return self._part_done(parent)

    def ended(self, group: Group) -> Group | None:
        """The threads of a group have ended."""
        self.alive = self.alive & ~group.mask
        self.machine.exit(group.mask)
        return self._part_done(group.parent) if group.parent else self._take()

    def _part_done(self, parent: Group) -> Group | None:
        parent.parts -= 1
        if parent.parts:
            return self._take()
        parent.mask = parent.back
        if not parent.mask.any():
            return self._part_done(parent.parent) if parent.parent else self._take()
        if parent.meet == parent.pc:
            return self.arrived(parent)
        return self._started(parent)

    def _started(self, group: Group) -> Group:
        group.full = not (self.alive & ~group.mask).any()
        return group

    def _take(self) -> Group | None:
        """A group that can run now."""
        if self.runnable:
            return self._started(self.runnable.pop())
        for group in self.waiting:
            assert group.token is not None
            if group.token.ready():
                self.waiting.remove(group)
                return self._started(group)
        return None

    def next(self) -> Steps:
        """Waits until a group can run: a generator whose value is the group, None at the end."""
        while (group := self._take()) is None:
            if not self.waiting:
                return None
            if all(isinstance(g.token, Gathering) and not g.token.done for g in self.waiting):
                self.force()
                continue
            yield
        return group

    def force(self) -> bool:
        """Carries out an operation for which lanes are missing; False where there is none."""
        for group in self.waiting:
            if isinstance(group.token, Gathering) and not group.token.done:
                group.token.carry_out()
                return True
        return False

    def suspend(self, group: Group, pc: int, token: Token) -> Steps:
        """A group waits; the value is the group that runs next."""
        group.pc, group.token = pc, token
        self.waiting.append(group)
        if getattr(token, "spins", False):
            self.spinning = True
            yield
        return (yield from self.next())

    def pause(self, group: Group, pc: int) -> Steps:
        """Lets all others have their turn."""
        group.pc = pc
        self.runnable.insert(0, group)
        self.paused = True
        yield
        return (yield from self.next())

    # collectives ------------------------------------------------------------------------------

    def meet(
        self,
        group: Group,
        action: Callable[..., Any],
        operands: tuple[Any, ...],
        members: Lanes | None,
        site: Site,
    ) -> Gathering:
        """A group comes to an operation of many lanes: `members`, or all that are alive."""
        named = None if members is None else int(spread(members)[group.mask][0])
        key = (site, named)
        gathering = self.gatherings.get(key)
        if gathering is None or gathering.done or (gathering.here & group.mask).any():
            needed = self._needed(named)
            gathering = Gathering(action, site, needed, self.machine, group.mask, operands)
            self.gatherings[key] = gathering
        else:
            gathering.join(group.mask, operands)
        return gathering

    def _needed(self, members: int | None) -> Callable[[], Mask]:
        if members is None:
            return lambda: self.alive
        named: NDArray[np.bool_] = (np.uint32(members) & _BITS) != 0
        return lambda: self.alive & named
