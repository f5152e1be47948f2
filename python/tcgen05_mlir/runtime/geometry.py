"""Grid, block and cluster of a launch: read, checked against each other and against the kernel."""

from __future__ import annotations

from math import prod
from operator import index
from typing import NamedTuple, Protocol

Triple = tuple[int, int, int]
Sizes = int | tuple[int, ...] | None

MAX_THREADS = 1024
"""Threads of a block (CUDA programming guide, compute capabilities)."""
MAX_BLOCK: Triple = (1024, 1024, 64)
"""Threads of a block in each direction."""
MAX_GRID: Triple = (2**31 - 1, 65535, 65535)
"""Blocks of a grid in each direction."""
PORTABLE_CLUSTER = 8
"""Blocks of a cluster that every GPU with clusters takes."""
MAX_CLUSTER = 16
"""Blocks of a cluster that a kernel can ask for (sm_90, sm_100)."""


class Stated(Protocol):
    """What a kernel or its host code says about launches; each size None where it says nothing."""

    @property
    def name(self) -> str: ...
    @property
    def grid(self) -> Triple | None: ...
    @property
    def block(self) -> Triple | None: ...
    @property
    def cluster(self) -> Triple | None: ...
    @property
    def required_block(self) -> Triple | None: ...
    @property
    def required_cluster(self) -> Triple | None: ...


class LaunchSizes(NamedTuple):
    """The sizes of a launch, each (x, y, z): blocks, threads, blocks."""

    grid: Triple
    block: Triple
    cluster: Triple

    @property
    def blocks(self) -> int:
        return prod(self.grid)

    @property
    def threads(self) -> int:
        """Of one block."""
        return prod(self.block)

    def __str__(self) -> str:
        return f"grid {text(self.grid)}, block {text(self.block)}, cluster {text(self.cluster)}"


def launch_sizes(kernel: Stated, grid: Sizes, block: Sizes, cluster: Sizes) -> LaunchSizes:
    """The sizes of a launch: the caller's, else the kernel's; a grid nobody states is one cluster.

    `grid` and `cluster` in blocks, `block` in threads, as x or (x, y, z). Raises ValueError for
    sizes that the kernel or no GPU allows, and where nobody states the block.
    """
    blocks = _triple("cluster", cluster) or kernel.cluster or (1, 1, 1)
    threads = _triple("block", block) or kernel.block
    if threads is None:
        raise ValueError(
            f"'block' must be given: kernel '{kernel.name}' does not state its block size "
            "(nvvm.reqntid)"
        )
    whole = _triple("grid", grid) or kernel.grid or blocks
    _check_required("block", threads, kernel.required_block, "nvvm.reqntid")
    _check_required("cluster", blocks, kernel.required_cluster, "nvvm.cluster_dim")
    _check_limits(whole, threads, blocks)
    return LaunchSizes(whole, threads, blocks)


def shared_bytes(stated: int | None, smem: int | None) -> int:
    """Bytes of dynamic shared memory: `smem`, else what the kernel's host code states, else 0.

    Raises TypeError for what is no int, ValueError for less than 0.
    """
    if smem is None:
        return stated or 0
    if isinstance(smem, bool) or not hasattr(smem, "__index__"):
        raise TypeError(f"'smem' must be an int, got {type(smem).__name__} {smem!r}")
    if index(smem) < 0:
        raise ValueError(f"'smem' must be 0 or more bytes, got {smem}")
    return index(smem)


def check_pair(kernel: str, needs_pair: bool, cluster: Triple) -> None:
    """ValueError [P2] where a kernel with cta_group::2 has a cluster without pairs of blocks."""
    if needs_pair and prod(cluster) % 2:
        raise ValueError(
            f"'cluster' must hold pairs of blocks, since kernel '{kernel}' uses cta_group::2, "
            f"got {text(cluster)} [P2]"
        )


def text(sizes: Triple) -> str:
    """`text((2, 1, 1))` is `2,1,1`."""
    return ",".join(map(str, sizes))


def _check_limits(grid: Triple, block: Triple, cluster: Triple) -> None:
    if prod(block) > MAX_THREADS:
        raise ValueError(f"'block' must have at most {MAX_THREADS} threads, got {text(block)}")
    for name, sizes, limits in (("block", block, MAX_BLOCK), ("grid", grid, MAX_GRID)):
        if any(n > limit for n, limit in zip(sizes, limits, strict=True)):
            raise ValueError(f"'{name}' must be at most {text(limits)}, got {text(sizes)}")
    if prod(cluster) > MAX_CLUSTER:
        raise ValueError(f"'cluster' must have at most {MAX_CLUSTER} blocks, got {text(cluster)}")
    if any(n % c for n, c in zip(grid, cluster, strict=True)):
        raise ValueError(
            f"'grid' must be a multiple of the cluster {text(cluster)}, got {text(grid)}"
        )


def _check_required(name: str, got: Triple, wanted: Triple | None, attribute: str) -> None:
    if wanted is not None and got != wanted:
        raise ValueError(
            f"'{name}' must be {text(wanted)}, which the kernel requires ({attribute}), "
            f"got {text(got)}"
        )


def _triple(name: str, value: Sizes) -> Triple | None:
    if value is None:
        return None
    given = tuple(value) if isinstance(value, tuple | list) else (value,)
    try:
        if any(isinstance(n, bool) for n in given):
            raise TypeError
        x, y, z = (*map(index, given), 1, 1)[:3] if 1 <= len(given) <= 3 else (0, 0, 0)
    except TypeError:
        x = y = z = 0
    if min(x, y, z) < 1:
        raise ValueError(f"'{name}' must be one to three positive numbers, got {value!r}")
    return (x, y, z)
