"""Pairs of every make: in larger clusters and grids, led by rank 1, with commits to the peer."""

from __future__ import annotations

from functools import partial
from typing import Any

from tcgen05_mlir.model import Instruction

from .case import Case
from .copies import STAGES, Copy
from .expectation import maker
from .frame import Frame
from .loops import Bytes, Words

STAGE = """%pair = arith.divui %block, %c2 : index
        %stage = arith.remui %pair, %c3 : index
        """
"""Both blocks of a pair copy from the stage that the leader chooses."""
SHARED, REMOTE, GENERIC = "!llvm.ptr<3>", "!llvm.ptr<7>", "!llvm.ptr"
PEER = f"""nvvm.tcgen05.commit %mbar {{group = #nvvm.cta_group<cta_2>}} : {SHARED}
        %peer_rank = arith.xori %rank, %one : i32
        """
"""The commit of the leader's own, and the other's rank."""
TO_PEER = {
    "shared": f"""%far = nvvm.mapa %mbar, %peer_rank : {SHARED} -> {REMOTE}
        %far_i32 = llvm.ptrtoint %far : {REMOTE} to i32
        %there = llvm.inttoptr %far_i32 : i32 to {SHARED}
        nvvm.tcgen05.commit %there {{group = #nvvm.cta_group<cta_2>}} : {SHARED}""",
    "generic": f"""%generic = llvm.addrspacecast %mbar : {SHARED} to {GENERIC}
        %there = nvvm.mapa %generic, %peer_rank : {GENERIC} -> {GENERIC}
        nvvm.tcgen05.commit %there {{group = #nvvm.cta_group<cta_2>}} : {GENERIC}""",
    "cast": f"""%far = nvvm.mapa %mbar, %peer_rank : {SHARED} -> {REMOTE}
        %there = llvm.addrspacecast %far : {REMOTE} to {GENERIC}
        nvvm.tcgen05.commit %there {{group = #nvvm.cta_group<cta_2>}} : {GENERIC}""",
}
GENERIC_COMMITS = {
    1: f"nvvm.tcgen05.commit %generic : {GENERIC}",
    2: "nvvm.tcgen05.commit %generic, multicast_mask = %both "
    f"{{group = #nvvm.cta_group<cta_2>}} : {GENERIC}, i16",
}


def _case(name: str, family: str, frame: Frame, grid: Any = None, committed=None) -> Case:
    copy = Copy(Instruction("64x128b", "warpx2::02_13", frame.group), 2)
    stages = [block // 2 % STAGES for block in range(frame.blocks)]
    kernel = frame.around(STAGE + copy.text(0, "%stage"), committed=committed)
    make = maker(frame, partial(_run, copy, stages))
    return Case(name, family, kernel, make, grid=grid)


def _run(copy: Copy, stages: list[int], tensor: Words, shared: Bytes, block: int) -> None:
    copy.run(tensor, shared, stages[block])


def _pairs() -> list[Case]:
    """The blocks of a pair are neighbours along x, by which ranks are counted first."""
    places = {
        "led-by-1": (Frame("led_by_1", 2, leader=1, blocks=4), 4),
        "cluster-4": (Frame("cluster_4", 2, shape=(4, 1, 1), blocks=8), 8),
        "cluster-4-led-by-1": (
            Frame("cluster_4_led_by_1", 2, shape=(4, 1, 1), leader=1, blocks=4),
            4,
        ),
        "cluster-2x2": (Frame("cluster_2x2", 2, shape=(2, 2, 1), blocks=8, flat=False), (4, 2, 1)),
    }
    return [_case(f"pairs-{name}", "pairs", *place) for name, place in places.items()]


def _grids() -> list[Case]:
    alone = Frame("grid_xyz", blocks=12, flat=False)
    pairs = Frame("grid_xyz_g2", 2, blocks=24, flat=False)
    return [
        _case("grid-xyz-g1", "grids in y and z", alone, (2, 3, 2)),
        _case("grid-xyz-g2", "grids in y and z", pairs, (4, 3, 2)),
    ]


def _commits() -> list[Case]:
    cases = []
    for name, text in TO_PEER.items():
        frame = Frame(f"commit_peer_{name}", 2, blocks=2)
        cases.append(_case(f"commit-peer-{name}", "commits", frame, committed=PEER + text))
    for group, text in GENERIC_COMMITS.items():
        frame = Frame(f"commit_generic_g{group}", group, blocks=2)
        text = f"%generic = llvm.addrspacecast %mbar : {SHARED} to {GENERIC}\n        {text}"
        grid = 2
        name = f"commit-generic-g{group}"
        cases.append(_case(name, "commits", frame, grid, committed=text))
    return cases


CASES = [*_pairs(), *_grids(), *_commits()]
