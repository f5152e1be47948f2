"""Which kernels share a gpu.module, so that LLVM and ptxas start seldom. Needs no MLIR."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from cases import KERNELS, PATHS, Kernel, module_text

EMITS = ("cubin", "ptx")
"""What an artifact holds; the first is what a GPU prefers."""
FIRST_CLUSTERS = 90
"""The first chip with clusters: sm_90."""
MOST = 10
"""Kernels in a batch: several batches keep several processors busy."""


@dataclass(frozen=True)
class Batch:
    """Kernels of one gpu.module; all of them or none use clusters and run on the same chips."""

    name: str
    kernels: tuple[Kernel, ...]

    @property
    def text(self) -> str:
        """The whole module."""
        one = self.kernels[0]
        return one.text if len(self.kernels) == 1 else module_text(list(self.kernels))

    @property
    def clustered(self) -> bool:
        return self.kernels[0].clustered

    @property
    def lacking(self) -> tuple[str, ...]:
        return self.kernels[0].lacking

    @property
    def emulated(self) -> bool:
        return self.kernels[0].emulated

    @property
    def paths(self) -> tuple[str, ...]:
        return self.kernels[0].paths


def _kind(kernel: Kernel) -> tuple[object, ...]:
    alone = kernel.name if kernel.module else ""
    return alone, kernel.clustered, kernel.lacking, kernel.paths, kernel.emulated


def _batches() -> list[Batch]:
    found = []
    kernels = sorted(KERNELS.values(), key=lambda kernel: tuple(map(str, _kind(kernel))))
    for _, same in groupby(kernels, key=_kind):
        there = list(same)
        for first in range(0, len(there), MOST):
            part = there[first : first + MOST]
            found.append(Batch(part[0].name, tuple(part)))
    return found


BATCHES = _batches()
"""All kernels, each once. A batch is called what its first kernel is called."""

HOME = {kernel.name: batch for batch in BATCHES for kernel in batch.kernels}
"""The batch of a kernel, by the kernel's name."""


@dataclass(frozen=True)
class Build:
    """One batch for one chip: an artifact. `device`: native or emulate. `emit`: cubin or ptx."""

    batch: Batch
    chip: str
    device: str
    path: str
    emit: str = "cubin"

    @property
    def file(self) -> Path:
        """Its name in a folder of artifacts."""
        return Path(f"{self.chip}-{self.device}-{self.path}-{self.batch.name}.{self.emit}")


def builds(
    chip: str, device: str, paths: tuple[str, ...] = PATHS, emit: str = "cubin"
) -> list[Build]:
    """What can be built for a chip: no clusters below sm_90, nothing that the chip lacks."""
    clusters = number(chip) >= FIRST_CLUSTERS
    return [
        Build(batch, chip, device, path, emit)
        for batch in BATCHES
        for path in paths
        if path in batch.paths
        and (clusters or not batch.clustered)
        and (device == "emulate" or not (batch.emulated or chip in batch.lacking))
    ]


def number(chip: str) -> int:
    """`number("sm_103a")` is 103."""
    return int("".join(digit for digit in chip if digit.isdigit()))
