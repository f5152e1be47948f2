"""A small cluster to call operations on, with the ops of a copy kernel as named steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tcgen05_mlir.model import SmemDescriptor
from tcgen05_mlir.simulator.machine import (
    Block,
    Checks,
    Cluster,
    ClusterShape,
    GlobalMemory,
    SharedBuffer,
    SharedLayout,
    SimulationError,
    Warp,
)

ALL = np.ones(32, np.bool_)
ONE = np.arange(32) == 0
NONE = np.zeros(32, np.bool_)

SLOT, MBAR, TILE = 1024, 1032, 1040
TILE_BYTES = 8192
LAYOUT = SharedLayout(
    [
        SharedBuffer("taddr", SLOT, 4, 4),
        SharedBuffer("mbar", MBAR, 8, 8),
        SharedBuffer("tile", TILE, TILE_BYTES, 16),
    ]
)
DESCRIPTOR = SmemDescriptor(TILE, ldo=16, sdo=128)


@dataclass(frozen=True)
class Op:
    """A site: line `line` of k.mlir."""

    name: str
    line: int = 1

    @property
    def location(self) -> str:
        return f"k.mlir:{self.line}:1"


def u64(value: Any) -> NDArray[np.uint64]:
    """A value for each of 32 lanes."""
    return np.broadcast_to(np.asarray(value, np.uint64), (32,)).copy()


def make(
    threads: int = 128,
    *,
    blocks: int = 1,
    allow: Iterable[str] = (),
    seed: int = 0,
    layout: SharedLayout = LAYOUT,
    memory: GlobalMemory | None = None,
) -> Cluster:
    """A cluster of `blocks` blocks in a row."""
    shape = ClusterShape((threads, 1, 1), (blocks, 1, 1))
    host = memory or GlobalMemory()
    return Cluster(shape, (0, 0, 0), layout, host, Checks(allow), seed=seed)


def alloc(
    warp: Warp, columns: int = 32, *, group: int = 1, slot: int = SLOT, line: int = 10
) -> None:
    """tcgen05.alloc that does not have to wait."""
    op = Op("nvvm.tcgen05.alloc", line)
    address = u64(warp.block.shared_base + slot)
    assert warp.tcgen05_alloc(address, columns, ALL, op, cta_group=group).ready()


def dealloc(warp: Warp, columns: int = 32, *, at: int = 0, group: int = 1, line: int = 90) -> None:
    op = Op("nvvm.tcgen05.dealloc", line)
    assert warp.tcgen05_dealloc(at, columns, ALL, op, cta_group=group).ready()


def init(warp: Warp, count: int = 1, *, at: int = MBAR, line: int = 20) -> None:
    address = u64(warp.block.shared_base + at)
    warp.mbarrier_init(address, count, ONE, Op("nvvm.mbarrier.init", line))


def fill(block: Block, size: int = TILE_BYTES, *, at: int = TILE, fence: bool = True) -> None:
    """Warp 0 writes byte i % 251 in byte i of the tile, and fences."""
    warp = block.warps[0]
    for first in range(0, size, 128):
        offsets = first + 4 * np.arange(32)
        data = ((offsets[:, None] + np.arange(4)) % 251).astype(np.uint8)
        mask = offsets < size
        address = u64(block.shared_base + at) + offsets.astype(np.uint64)
        warp.store(3, address, data.view(np.uint32)[:, 0], mask, Op("llvm.store", 30))
    if fence:
        warp.fence_proxy("async.shared::cta", ALL, Op("nvvm.fence.proxy", 31))


def words(first: int, rows: int, columns: int, *, stride: int = 16) -> NDArray[np.uint32]:
    """What `fill` leaves in rows of words, `stride` bytes apart."""
    bytes_ = first + stride * np.arange(rows)[:, None] + np.arange(4 * columns)
    return (bytes_ % 251).astype(np.uint8).view(np.uint32)


def cp(
    warp: Warp,
    taddr: int = 0,
    descriptor: SmemDescriptor | int = DESCRIPTOR,
    mask: NDArray[np.bool_] = ONE,
    *,
    shape: str = "128x128b",
    line: int = 40,
    **more: Any,
) -> None:
    bits = descriptor if isinstance(descriptor, int) else descriptor.encode()
    warp.tcgen05_cp(taddr, u64(bits), mask, Op("nvvm.tcgen05.cp", line), shape=shape, **more)


def commit(warp: Warp, mask: NDArray[np.bool_] = ONE, *, line: int = 41, **more: Any) -> None:
    address = u64(warp.block.shared_base + MBAR)
    warp.tcgen05_commit(address, mask, Op("nvvm.tcgen05.commit", line), **more)


def passes(warp: Warp, parity: int = 0, *, line: int = 50) -> bool:
    """Whether one try of the wait on the mbarrier succeeds."""
    address = u64(warp.block.shared_base + MBAR)
    op = Op("nvvm.mbarrier.try_wait.parity", line)
    return bool(warp.mbarrier_test(address, ALL, op, parity=parity).all())


def wait(warp: Warp, parity: int = 0) -> None:
    """Waits until the copies are done."""
    while not passes(warp, parity):
        assert warp.block.cluster.idle()


def fence(warp: Warp, kind: str = "after", mask: NDArray[np.bool_] = ALL) -> None:
    warp.tcgen05_fence(kind, mask, Op("nvvm.tcgen05.fence", 51))


def ld(
    warp: Warp,
    taddr: int | None = None,
    *,
    shape: str = "32x32b",
    registers: int = 4,
    mask: NDArray[np.bool_] = ALL,
    line: int = 60,
    **more: Any,
) -> Any:
    address = 32 * (warp.number % 4) << 16 if taddr is None else taddr
    op = Op("nvvm.tcgen05.ld", line)
    return warp.tcgen05_ld(address, mask, op, shape=shape, registers=registers, **more)


def wait_ld(warp: Warp) -> None:
    warp.tcgen05_wait("load", ALL, Op("nvvm.tcgen05.wait", 61))


def st(
    warp: Warp,
    values: Any,
    taddr: int | None = None,
    *,
    shape: str = "32x32b",
    line: int = 70,
    **more: Any,
) -> None:
    address = 32 * (warp.number % 4) << 16 if taddr is None else taddr
    warp.tcgen05_st(address, values, ALL, Op("nvvm.tcgen05.st", line), shape=shape, **more)


def wait_st(warp: Warp) -> None:
    warp.tcgen05_wait("store", ALL, Op("nvvm.tcgen05.wait", 71))


def barrier(block: Block) -> None:
    """All warps of the block meet."""
    waits = [warp.bar_sync(0, ALL, Op("nvvm.barrier0", 80)) for warp in block.warps]
    assert all(wait.ready() for wait in waits)


def cluster_barrier(cluster: Cluster) -> None:
    """All warps of the cluster meet."""
    warps = [warp for block in cluster.blocks for warp in block.warps]
    for warp in warps:
        warp.cluster_arrive(ALL, Op("nvvm.cluster.arrive", 81))
    assert all(warp.cluster_wait(ALL, Op("nvvm.cluster.wait", 82)).ready() for warp in warps)


def end(cluster: Cluster) -> None:
    """All threads end."""
    for block in cluster.blocks:
        for warp in block.warps:
            warp.exit(warp.living)
    cluster.finish()


def ready_to_copy(**options: Any) -> Cluster:
    """Columns, mbarrier and a fenced tile."""
    cluster = make(**options)
    block = cluster.blocks[0]
    alloc(block.warps[0])
    init(block.warps[0])
    fill(block)
    barrier(block)
    return cluster


def message(action: Any, *arguments: Any, **more: Any) -> str:
    """The whole message of the SimulationError that `action` raises."""
    with pytest.raises(SimulationError) as caught:
        action(*arguments, **more)
    return text(caught.value)


def text(error: BaseException) -> str:
    """The whole message."""
    assert isinstance(error, SimulationError)
    return str(error)
