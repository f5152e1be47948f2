"""Where a kernel's blocks stand: the grid, clusters, pairs, and which block of a pair issues."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Place:
    """The parts of a kernel that say which block this one is, and with which ones it shares.

    `group`: the cta_group. `pair`: blocks run in clusters of two, which cta_group 2 needs.
    `shape`: blocks of a cluster along x, y, z, where they are not two along x. `leader`: the rank
    in a pair of the block that issues. `flat`: the grid lies along x alone.
    """

    name: str
    group: int = 1
    pair: bool = False
    shape: tuple[int, int, int] = (2, 1, 1)
    leader: int = 0
    flat: bool = True

    @property
    def cluster(self) -> int:
        """Blocks of a cluster."""
        return prod(self.shape) if self.clustered else 1

    @property
    def clustered(self) -> bool:
        return self.pair or self.group == 2

    @property
    def attribute(self) -> str:
        return f"{{group = #nvvm.cta_group<cta_{self.group}>}}"

    @property
    def sync(self) -> str:
        """All threads that share an allocation or a copy meet."""
        if self.clustered:
            return "nvvm.cluster.arrive {aligned}\n    nvvm.cluster.wait {aligned}"
        return "gpu.barrier"

    @property
    def attributes(self) -> str:
        shape = ", ".join(map(str, self.shape))
        cluster = f", nvvm.cluster_dim = array<i32: {shape}>" if self.clustered else ""
        return f"kernel attributes {{nvvm.reqntid = array<i32: 128, 1, 1>{cluster}}}"

    @property
    def number(self) -> str:
        """Defines `%block`: blocks along x are counted first, then those along y."""
        if self.flat:
            return "%block = gpu.block_id x"
        return """%block_x = gpu.block_id x
    %block_y = gpu.block_id y
    %block_z = gpu.block_id z
    %grid_x = gpu.grid_dim x
    %grid_y = gpu.grid_dim y
    %planes = arith.muli %block_z, %grid_y : index
    %all_rows = arith.addi %planes, %block_y : index
    %before = arith.muli %all_rows, %grid_x : index
    %block = arith.addi %before, %block_x : index"""

    @property
    def both(self) -> str:
        """Defines `%both`: the mask of the pair's two ranks."""
        if self.cluster <= 2:
            return "%both = arith.constant 3 : i16"
        return """%my_rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %even = arith.constant 14 : i32
    %pair_rank = arith.andi %my_rank, %even : i32
    %three = arith.constant 3 : i32
    %ranks = arith.shli %three, %pair_rank : i32
    %both = arith.trunci %ranks : i32 to i16"""

    @property
    def leading(self) -> str:
        """Defines `%issues`: warp 0, with cta_group 2 that of the pair's leader."""
        if self.group == 1:
            return "%issues = arith.andi %is_warp0, %true : i1"
        return f"""%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %in_pair = arith.andi %rank, %one : i32
    %leader = arith.constant {self.leader} : i32
    %is_leader = arith.cmpi eq, %in_pair, %leader : i32
    %issues = arith.andi %is_warp0, %is_leader : i1"""
