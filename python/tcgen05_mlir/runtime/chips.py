"""Whether a GPU runs code for a chip, by the rules of PTX's targets and families."""

from __future__ import annotations

import re
from math import prod

from tcgen05_mlir.model.capability import chip_of, number_of
from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS, TARGETS, TCGEN05_CHIPS

from .devices import Device
from .geometry import Triple, text
from .manifest import KernelInfo, Manifest

_FAMILIES = ({(10, 0), (10, 3)}, {(11, 0)}, {(12, 0), (12, 1)})
"""Compute capabilities that share the code of an `f` target, from the target's own one on."""


def check_chip(what: str, manifest: Manifest, device: Device) -> None:
    """ValueError, in one line with both targets, where the device cannot run the code.

    Code for sm_100a runs on compute capability 10.0 alone, for sm_100f on its family from 10.0 on;
    PTX for sm_90 on 9.0 and all later ones, a cubin for sm_90 on 9.0 and the later ones of 9.x.
    Source: PTX `target-directive`, and the CUDA programming guide on binary compatibility.
    """
    if not runs(manifest.chip, manifest.emit, device.capability):
        raise ValueError(
            f"'{what}' is {_KINDS[manifest.emit]} for {manifest.chip}, which runs on "
            f"{_where(manifest.chip, manifest.emit)}, got {device}: {_remedy(manifest, device)}"
        )


def check_clusters_of_code(
    kernel: KernelInfo, manifest: Manifest, cluster: Triple, device: Device
) -> None:
    """ValueError for clusters of a kernel that is emulated for a chip that has none.

    A newer GPU runs such code, in which a copy takes each block's shared memory for its own: in a
    cluster all blocks would read that of block 0.
    """
    clusters = number_of(_parse(manifest.chip)[0]) >= FIRST_WITH_CLUSTERS
    if kernel.tensor_memory and prod(cluster) > 1 and not clusters:
        raise ValueError(
            f"'cluster' must be 1,1,1 for kernel '{kernel.name}', which is emulated for "
            f"{manifest.chip}, a chip without clusters, got {text(cluster)}: compile with "
            f"--chip {chip_of(device.capability)}"
        )


def runs(chip: str, emit: str, capability: tuple[int, int]) -> bool:
    """`runs("sm_90", "ptx", (10, 0))` is True, `runs("sm_90", "cubin", (10, 0))` is not."""
    wanted, suffix = _parse(chip)
    if suffix == "a":
        return capability == wanted
    if suffix == "f":
        return any({wanted, capability} <= family for family in _FAMILIES) and capability >= wanted
    if emit == "ptx":
        return capability >= wanted
    return capability[0] == wanted[0] and capability >= wanted


_KINDS = {"ptx": "PTX", "cubin": "a cubin"}


def _where(chip: str, emit: str) -> str:
    (major, minor), suffix = _parse(chip)
    if suffix == "a":
        return f"sm_{major}{minor} alone"
    if suffix == "f":
        return f"sm_{major}{minor} and later ones of its family"
    return f"sm_{major}{minor} and later" + ("" if emit == "ptx" else f" ones of sm_{major}x")


def _remedy(manifest: Manifest, device: Device) -> str:
    chip = chip_of(device.capability)
    if manifest.chip in TCGEN05_CHIPS and not manifest.emulated and not device.has_tcgen05:
        return f"it has no tcgen05; compile with --emulate --chip {chip} (emulate=True in Python)"
    return f"compile with --chip {chip}"


def _parse(chip: str) -> tuple[tuple[int, int], str]:
    """`_parse("sm_100a")` is ((10, 0), "a"); chips that were renamed by their new name."""
    known = TARGETS.get(chip)
    match = re.fullmatch(r"sm_([0-9]+)([0-9])([af]?)", known.ptxas_chip if known else chip)
    assert match is not None, chip
    return (int(match[1]), int(match[2])), match[3]
