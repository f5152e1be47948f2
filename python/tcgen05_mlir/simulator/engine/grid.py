"""Runs a kernel's grid: clusters one after the other, their warps in turns.

A cluster whose warps all wait for something that none of them brings lets the next cluster start
beside it: it may be waiting for another block, by way of global memory.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from tcgen05_mlir.simulator.engine.registers import Geometry, Triple, special_registers
from tcgen05_mlir.simulator.engine.warp import WarpRun
from tcgen05_mlir.simulator.machine import (
    Checks,
    Cluster,
    ClusterShape,
    GlobalMemory,
    SharedLayout,
)

PATIENCE = 64
"""Rounds in which warps only look at what has not happened, before that counts as waiting."""

STRETCH = 4
"""Rounds of nothing but loops after which another cluster starts: they may wait for it."""

Progress = Callable[[int, int], None]
"""Called with the number of clusters that have ended, and of all."""


@dataclass(frozen=True)
class Kernel:
    """What every warp runs: the translated function, its arguments, where its variables are.

    `variables` are addresses; `shared_variables` are offsets in shared memory, the same in each
    block.
    """

    run: Callable[..., Iterator[None]]
    arguments: tuple[Any, ...]
    variables: dict[str, int]
    shared_variables: dict[str, int]


@dataclass(frozen=True)
class Launch:
    """A kernel with the memory and the rules that it runs under."""

    kernel: Kernel
    geometry: Geometry
    shared: SharedLayout
    memory: GlobalMemory
    checks: Checks
    seed: int = 0


@dataclass(eq=False)
class _Strand:
    """A warp and its code under way."""

    run: WarpRun
    code: Iterator[None]


@dataclass(eq=False)
class _Resident:
    """A cluster that runs."""

    cluster: Cluster
    strands: list[_Strand]
    dice: random.Random
    idle_rounds: int = 0
    waiting: bool = field(default=False)


def run_grid(launch: Launch, progress: Progress | None = None) -> None:
    """Runs all blocks; what they leave in global memory is the result.

    Raises SimulationError for what hardware would punish.
    """
    with np.errstate(all="ignore"):
        _Grid(launch, progress).run()


class _Grid:
    def __init__(self, launch: Launch, progress: Progress | None) -> None:
        self.launch, self.progress = launch, progress
        self.origins = list(_origins(launch.geometry))
        self.started = self.ended = self.loops = 0
        self.looped = False
        self.residents: list[_Resident] = []

    def run(self) -> None:
        while self.ended < len(self.origins):
            if not self.residents or self.loops > STRETCH:
                self._start()
            moved, self.looped = False, False
            for resident in list(self.residents):
                moved |= self._round(resident)
            self.loops += self.looped
            if not moved and self.residents and not self._more():
                self._deadlock()

    def _more(self) -> bool:
        """Something can still happen: work under way, lanes that wait in vain, a new cluster."""
        for resident in self.residents:
            if resident.cluster.idle():
                return True
        for resident in self.residents:
            if any(strand.run.force() for strand in resident.strands):
                return True
        return self._start()

    def _deadlock(self) -> None:
        for resident in self.residents:
            resident.cluster.deadlock()
        raise AssertionError("a deadlock that the machine knows nothing of")

    def _start(self) -> bool:
        """One more cluster; False where all have started."""
        self.loops = 0
        if self.started == len(self.origins):
            return False
        self.residents.append(self._resident(self.started))
        self.started += 1
        return True

    def _resident(self, number: int) -> _Resident:
        launch, origin = self.launch, self.origins[number]
        seed = launch.seed * 1_000_003 + number
        shape = ClusterShape(launch.geometry.block, launch.geometry.cluster)
        cluster = Cluster(shape, origin, launch.shared, launch.memory, launch.checks, seed=seed)
        dice = random.Random(seed)
        strands = [
            self._strand(block, warp, dice) for block in cluster.blocks for warp in block.warps
        ]
        return _Resident(cluster, strands, dice)

    def _strand(self, block: Any, warp: Any, dice: random.Random) -> _Strand:
        launch, kernel = self.launch, self.launch.kernel
        registers = special_registers(launch.geometry, block.index, block.rank, warp.number)
        addresses = {name: np.uint64(at) for name, at in kernel.variables.items()}
        for name, offset in kernel.shared_variables.items():
            addresses[name] = np.uint64(block.shared_base + offset)
        run = WarpRun(warp, registers, addresses, launch.checks, dice)
        return _Strand(run, kernel.run(run, warp, run.root, *kernel.arguments))

    def _round(self, resident: _Resident) -> bool:
        """Every warp runs until it waits; whether any did more than to look again."""
        moved = False
        order = list(resident.strands)
        resident.dice.shuffle(order)
        for strand in order:
            if strand.run.waiting and not strand.run.runnable and not _ready(strand.run):
                continue
            strand.run.spinning = strand.run.paused = False
            if next(strand.code, resident) is resident:
                resident.strands.remove(strand)
                strand.run.spinning = False
            resident.cluster.tick()
            moved |= not strand.run.spinning
            self.looped |= strand.run.paused
            if not (strand.run.paused or strand.run.spinning):
                self.loops = 0
        if not resident.strands:
            self._finish(resident)
            return True
        if not moved and any(strand.run.spinning for strand in resident.strands):
            return self._patient(resident)
        resident.idle_rounds = 0
        return moved

    def _patient(self, resident: _Resident) -> bool:
        """Whether warps that only look may look once more."""
        resident.idle_rounds += 1
        return resident.idle_rounds < PATIENCE

    def _finish(self, resident: _Resident) -> None:
        resident.cluster.finish()
        self.residents.remove(resident)
        self.ended += 1
        self.loops = 0
        if self.progress:
            self.progress(self.ended, len(self.origins))


def _ready(run: WarpRun) -> bool:
    return any(group.token is not None and group.token.ready() for group in run.waiting)


def _origins(geometry: Geometry) -> Iterator[Triple]:
    """The first block of every cluster, x fastest."""
    x, y, z = (
        range(0, blocks, step) for blocks, step in zip(geometry.grid, geometry.cluster, strict=True)
    )
    for at_z, at_y, at_x in product(z, y, x):
        yield at_x, at_y, at_z
