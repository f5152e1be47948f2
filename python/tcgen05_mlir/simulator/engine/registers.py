"""Special registers of a warp."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.machine.shared_buffers import SYSTEM_BYTES

Triple = tuple[int, int, int]
_LANE = np.arange(32, dtype=np.uint32)


@dataclass(frozen=True)
class Geometry:
    """The sizes of a launch: blocks of the grid, threads of a block, blocks of a cluster.

    `shared_end`: behind a block's last byte of shared memory; `dynamic_bytes` of it are dynamic.
    """

    grid: Triple
    block: Triple
    cluster: Triple = (1, 1, 1)
    shared_end: int = SYSTEM_BYTES
    dynamic_bytes: int = 0

    @property
    def warps(self) -> int:
        return -(-prod(self.block) // 32)


def special_registers(g: Geometry, block: Triple, rank: int, warp: int) -> dict[str, Lanes]:
    """Registers by their PTX names without `%`: numbers that all lanes share are scalars."""
    values: dict[str, Lanes] = {}
    in_cluster = tuple(b % c for b, c in zip(block, g.cluster, strict=True))
    cluster = tuple(b // c for b, c in zip(block, g.cluster, strict=True))
    clusters = tuple(n // c for n, c in zip(g.grid, g.cluster, strict=True))
    for name, triple in (
        ("ntid", g.block),
        ("ctaid", block),
        ("nctaid", g.grid),
        ("clusterid", cluster),
        ("nclusterid", clusters),
        ("cluster.ctaid", in_cluster),
        ("cluster.nctaid", g.cluster),
    ):
        values.update({f"{name}.{a}": np.uint32(n) for a, n in zip("xyz", triple, strict=True)})
    values.update(_thread_indices(g.block, warp))
    values.update(_lane_registers())
    shared = max(g.shared_end - SYSTEM_BYTES, 0)
    for name, number in (
        ("warpid", warp),
        ("nwarpid", g.warps),
        ("warpsize", 32),
        ("smid", block[0] + g.grid[0] * (block[1] + g.grid[1] * block[2])),
        ("nsmid", prod(g.grid)),
        ("gridid", 1),
        ("cluster.ctarank", rank),
        ("cluster.nctarank", prod(g.cluster)),
        ("total.smem.size", shared),
        ("aggr.smem.size", shared),
        ("dynamic.smem.size", g.dynamic_bytes),
        ("reserved.smem.offset.begin", 0),
        ("reserved.smem.offset.end", SYSTEM_BYTES),
        ("reserved.smem.offset.cap", SYSTEM_BYTES),
    ):
        values[name] = np.uint32(number)
    return values


def _thread_indices(block: Triple, warp: int) -> dict[str, Lanes]:
    thread = warp * 32 + _LANE
    x, y, z = (np.uint32(size) for size in block)
    indices = (thread % x, thread // x % y, thread // (x * y) % z)
    return {
        f"tid.{axis}": index[0] if (index == index[0]).all() else index
        for axis, index in zip("xyz", indices, strict=True)
    }


def _lane_registers() -> dict[str, Lanes]:
    one = np.uint32(1) << _LANE
    below = one - np.uint32(1)
    return {
        "laneid": _LANE,
        "lanemask.eq": one,
        "lanemask.lt": below,
        "lanemask.le": below | one,
        "lanemask.gt": ~(below | one),
        "lanemask.ge": ~below,
    }
