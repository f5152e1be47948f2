"""Every kernel of the table through ptxas, for every chip, by both ways of lowering."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
import tcgen05_mlir
from batches import BATCHES, HOME, PATHS, Build, builds
from cases import KERNELS
from lowered import opt_level, ptx
from tcgen05_mlir.cuda_tools import Tool, assemble
from tcgen05_mlir.model.targets import TCGEN05_CHIPS

JOBS = 2
OLDER = ("sm_80", "sm_86", "sm_87", "sm_88", "sm_89")
"""Without clusters, and so without the kernels that need them."""
EMULATED = (
    *OLDER,
    *("sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103", "sm_110", "sm_120", "sm_120a", "sm_121"),
)
CHIPS = [
    *(("native", chip) for chip in TCGEN05_CHIPS),
    *(("emulate", chip) for chip in EMULATED),
]
BOTH_PATHS = ("sm_80", "sm_90", "sm_100a")
"""Emulated, both ways of lowering leave the same code but for who issues: a chip of each kind."""
RUNS = [
    (device, chip, path)
    for device, chip in CHIPS
    for path in PATHS
    if device == "native" or path == PATHS[0] or chip in BOTH_PATHS
]


def names(cubin: bytes) -> set[str]:
    """The kernels of a cubin: each has a section of its own."""
    return {name.decode() for name in re.findall(rb"\0\.text\.(\w+)(?=\0)", cubin)}


def compiled(build: Build) -> set[str]:
    """The kernels that come out of ptxas; -O0, since nothing here runs or reads the code."""
    emulate = build.device == "emulate"
    text = ptx(build.batch.kernels, build.path, build.chip, emulate)
    assert ("tcgen05." in re.sub(r"//.*", "", text)) != emulate
    return names(assemble(text, build.chip, 0))


@pytest.mark.parametrize(("device", "chip", "path"), RUNS, ids=map("-".join, RUNS))
def test_all_kernels_through_ptxas(device: str, chip: str, path: str, ptxas: Tool) -> None:
    batches = builds(chip, device, (path,))
    wanted = {kernel.name for build in batches for kernel in build.batch.kernels}
    with ThreadPoolExecutor(JOBS) as pool:
        found = set().union(*pool.map(compiled, batches))
    assert found >= wanted
    there = [kernel for kernel in KERNELS.values() if path in kernel.paths]
    clusters = chip not in OLDER
    assert wanted == {
        kernel.name
        for kernel in there
        if (clusters or not kernel.clustered)
        and (device == "emulate" or not (kernel.emulated or chip in kernel.lacking))
    }
    assert len(wanted) > 20


def test_every_kernel_is_in_one_batch() -> None:
    kernels = [kernel.name for batch in BATCHES for kernel in batch.kernels]
    assert sorted(kernels) == sorted(KERNELS)
    for batch in BATCHES:
        for kernel in batch.kernels:
            of_kernel = kernel.clustered, kernel.lacking, kernel.emulated
            assert of_kernel == (batch.clustered, batch.lacking, batch.emulated)


@pytest.mark.parametrize(
    ("device", "chip"), [("native", "sm_103f"), ("emulate", "sm_86"), ("emulate", "sm_90")]
)
def test_emitting_again_gives_what_compile_gives(device: str, chip: str) -> None:
    batch = HOME["schedule_4"]
    emulate = device == "emulate"
    level = opt_level(chip, emulate)
    whole = tcgen05_mlir.compile(batch.text, chip=chip, opt_level=level, emulate=emulate)
    assert ptx(batch.kernels, "nvvm", chip, emulate) == whole
