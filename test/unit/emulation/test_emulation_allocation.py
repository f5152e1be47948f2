"""Which columns emulated allocations get, against a list of units; pairs; generic pointers."""

from __future__ import annotations

import random

import pytest
from tcgen05_mlir.simulator import SimulationError
from tensor_kernels import result

UNIT = 32
UNITS = 16

_ALLOC = """
    %n{i} = arith.constant {count} : i32
    nvvm.tcgen05.alloc %slot, %n{i} : !llvm.ptr<3>, i32
    %a{i} = llvm.load volatile %slot : !llvm.ptr<3> -> i32
    nvvm.bar.warp.sync %all : i32
    %i{i} = arith.constant {i} : index
    memref.store %a{i}, %out[%i{i}] : memref<4096xi32>
"""
_DEALLOC = """
    %p{i} = llvm.inttoptr %a{i} : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %p{i}, %n{i} : !llvm.ptr<6>, i32
"""


def _first_fit(owners: list[int], units: int) -> int | None:
    starts = range(UNITS - units + 1)
    return next((s for s in starts if not any(owners[s : s + units])), None)


def _sequence(seed: int) -> tuple[str, list[int]]:
    """Statements that allocate and give back, and the address that each alloc must get."""
    choose = random.Random(seed)
    owners, live, wanted = [0] * UNITS, {}, []
    statements, largest = [], 256
    for _ in range(24):
        fits = [
            n
            for n in (32, 64, 128, 256)
            if n <= largest and _first_fit(owners, n // UNIT) is not None
        ]
        if fits and (not live or choose.random() < 0.6):
            count, i = max(fits) if choose.random() < 0.5 else choose.choice(fits), len(wanted)
            largest, start = min(largest, count), _first_fit(owners, count // UNIT)
            assert start is not None
            owners[start : start + count // UNIT] = [1] * (count // UNIT)
            live[i] = (start, count)
            wanted.append(start * UNIT)
            statements.append(_ALLOC.format(i=i, count=count))
        elif live:
            i = choose.choice(list(live))
            start, count = live.pop(i)
            owners[start : start + count // UNIT] = [0] * (count // UNIT)
            statements.append(_DEALLOC.format(i=i))
    return "".join(statements), wanted


@pytest.mark.parametrize("seed", range(4))
def test_the_lowest_columns_that_fit(seed: int) -> None:
    statements, wanted = _sequence(seed)
    out = result("%all = arith.constant -1 : i32\n" + statements)
    assert out[: len(wanted)].tolist() == wanted


_ALL_COLUMNS = """
    nvvm.tcgen05.alloc %slot, %c512 : !llvm.ptr<3>, i32
    %a = llvm.load volatile %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %a : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc %p, %c512 : !llvm.ptr<6>, i32
"""


def test_all_columns_again_and_again() -> None:
    body = f"""%i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    scf.for %i = %i0 to %i3 step %i1 {{ {_ALL_COLUMNS} }}
    nvvm.tcgen05.relinquish_alloc_permit
    memref.store %c64, %out[%i0] : memref<4096xi32>"""
    assert result(body)[0] == 64


def test_generic_pointers() -> None:
    """The slot and the mbarrier by generic addresses: the second 64 columns, a phase that ends."""
    body = """%all = arith.constant -1 : i32
    %where = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr
    %arrival = llvm.addrspacecast %bar : !llvm.ptr<3> to !llvm.ptr
    nvvm.tcgen05.alloc %slot, %c64 : !llvm.ptr<3>, i32
    nvvm.tcgen05.alloc %where, %c64 : !llvm.ptr, i32
    %a = llvm.load %slot : !llvm.ptr<3> -> i32
    %one = nvvm.elect.sync -> i1
    scf.if %one {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.tcgen05.commit %arrival : !llvm.ptr
    }
    nvvm.bar.warp.sync %all : i32
    %ticks = arith.constant 1000 : i32
    nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %i0 = arith.constant 0 : index
    memref.store %a, %out[%i0] : memref<4096xi32>"""
    assert result(body)[0] == 64


_PAIR = "{group = #nvvm.cta_group<cta_2>}"


def test_a_pair_that_allocates_different_columns() -> None:
    body = f"""%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %first = arith.cmpi eq, %rank, %c0 : i32
    %count = arith.select %first, %c32, %c64 : i32
    nvvm.tcgen05.alloc %slot, %count {_PAIR} : !llvm.ptr<3>, i32"""
    with pytest.raises(SimulationError) as caught:
        result(body, cluster=2)
    found = str(caught.value).split(" op ", 1)[1]
    assert found in (
        "must get the same columns in both blocks of the pair, got columns 0 to 31; live in the "
        "other block are columns 0 to 63 [P6], in block (0, 0, 0), thread (0, 0, 0)",
        "must get the same columns in both blocks of the pair, got columns 0 to 63; live in the "
        "other block are columns 0 to 31 [P6], in block (1, 0, 0), thread (0, 0, 0)",
    )


_TO_PEER = {
    "generic": (
        "%there = nvvm.mapa %bar, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>\n"
        "%where = llvm.addrspacecast %there : !llvm.ptr<7> to !llvm.ptr",
        "!llvm.ptr",
    ),
    "shared": (
        "%there = nvvm.mapa %bar, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>\n"
        "%number = llvm.ptrtoint %there : !llvm.ptr<7> to i64\n"
        "%where = llvm.inttoptr %number : i64 to !llvm.ptr<3>",
        "!llvm.ptr<3>",
    ),
}


@pytest.mark.parametrize("group", ["", _PAIR])
@pytest.mark.parametrize("kind", _TO_PEER)
def test_a_commit_that_arrives_at_another_block(kind: str, group: str) -> None:
    """Without a mask the address says which block's mbarrier it is: rank 1 arrives at rank 0's."""
    address, pointer = _TO_PEER[kind]
    body = f"""%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %is_first = arith.cmpi eq, %rank, %c0 : i32
    %one = nvvm.elect.sync -> i1
    scf.if %one {{ nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32 }}
    nvvm.cluster.arrive
    nvvm.cluster.wait
    {address}
    %second = arith.xori %is_first, %true : i1
    %issues = arith.andi %one, %second : i1
    scf.if %issues {{ nvvm.tcgen05.commit %where {group} : {pointer} }}
    %i0 = arith.constant 0 : index
    scf.if %is_first {{
      %ticks = arith.constant 1000 : i32
      nvvm.mbarrier.try_wait.parity %bar, %c0, %ticks : !llvm.ptr<3>, i32, i32
      memref.store %c64, %out[%i0] : memref<4096xi32>
    }}
    nvvm.cluster.arrive
    nvvm.cluster.wait"""
    assert result(body, cluster=2)[0] == 64
