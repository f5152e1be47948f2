"""What emulated code reports at run time, word for word."""

from __future__ import annotations

import re
from itertools import count

import pytest
from tcgen05_mlir.simulator import SimulationError
from tensor_kernels import ALLOC, DENSE, fill, result

_COUNT = count()
PLACE = ", in block (0, 0, 0), thread (0, 0, 0)"
CP = "nvvm.tcgen05.cp {}, {} {{shape = #nvvm.tcgen05_cp_shape<shape_{}>{}}}"
M4 = ", multicast = #nvvm.tcgen05_cp_multicast<warpx4>"


def _reported(body: str, *, threads: int = 32, cluster: int = 1) -> str:
    """The report of a kernel, without the file and line of its operation."""
    with pytest.raises(SimulationError) as caught:
        result(body, threads=threads, cluster=cluster)
    return re.sub(r"^-:\d+:\d+: ", "", str(caught.value))


def _copy(
    lane: int,
    column: int,
    form: str = "32x128b",
    more: str = M4,
    *,
    fields: int = DENSE,
) -> str:
    """A kernel with one copy to a lane and column of an allocation of 64 columns."""
    return f"""{ALLOC}{fill(fields)}
    %delta = arith.constant {lane << 16 | column} : i32
    %to = arith.addi %base, %delta : i32
    %taddr = llvm.inttoptr %to : i32 to !llvm.ptr<6>
    %one = nvvm.elect.sync -> i1
    scf.if %one {{ {CP.format("%taddr", "%desc", form, more)} }}"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            _copy(0, 0, fields=0x00008_00010000),
            "must have a legal descriptor, got descriptor 0x0000000800010040: fixed bits "
            "46-48 must "
            "be 0b1, got 0b0 [C5]",
        ),
        (
            _copy(0, 0, fields=DENSE | 3 << 61),
            "must have a legal descriptor, got descriptor 0x6000400800010040: swizzle field, bits "
            "61-63, must be 0, 2, 4 or 6, got 3 [C5]",
        ),
        (_copy(0, 2), "column origin must be a multiple of 4, got 2 [F4]"),
        (
            _copy(32, 0),
            "must keep the footprint inside lanes 0..127, got lanes 32 to 159 [F5]",
        ),
        (
            _copy(1, 0, "128x128b", ""),
            "must keep the footprint inside lanes 0..127, got lanes 1 to 128 [F5]",
        ),
        (
            _copy(0, 64),
            "must stay inside one allocation, got columns 64 to 67; live are columns 0 to 63 [F6]",
        ),
        (
            _copy(0, 60, "4x256b", ""),
            "must stay inside one allocation, got columns 60 to 67; live are columns 0 to 63 [F6]",
        ),
        (
            _copy(0, 512),
            "must stay inside one allocation, got columns 512 to 515; live are columns 0 to "
            "63 [F6]",
        ),
        (
            _copy(0, 0, fields=0x0000440000010000),
            "must read inside the block's shared memory, bytes 0x400 to 0x440f, got 16 bytes "
            "at 0x4410 for row 9 [F10]",
        ),
        (
            _copy(0, 0, "4x256b", "", fields=0xC000401000010001),
            "must keep each row inside a 32-byte swizzle row, got row 0 at byte 16 of one [F12]",
        ),
    ],
)  # fmt: skip
def test_a_copy(body: str, message: str) -> None:
    assert _reported(body) == f"'nvvm.tcgen05.cp' op {message}{PLACE}"


def test_a_pair_in_a_cluster_of_one() -> None:
    body = "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}"
    assert _reported(body) == (
        "'nvvm.tcgen05.relinquish_alloc_permit' op must be in a cluster of an even size with "
        f"cta_group::2, got 1 [P2]{PLACE}"
    )


def _alloc(*counts: str) -> str:
    return "".join(f"nvvm.tcgen05.alloc %slot, {count} : !llvm.ptr<3>, i32\n" for count in counts)


def _dealloc(address: str, columns: str) -> str:
    name = f"%given{next(_COUNT)}"
    return f"""{name} = llvm.inttoptr {address} : i32 to !llvm.ptr<6>
    nvvm.tcgen05.dealloc {name}, {columns} : !llvm.ptr<6>, i32
    """


@pytest.mark.parametrize(
    ("body", "name", "message"),
    [
        (
            "%c48 = arith.constant 48 : i32\n" + _alloc("%c48"),
            "alloc",
            "must allocate a power of two columns in 32..512, got 48 [P6]",
        ),
        (
            _alloc("%c1"),
            "alloc",
            "must allocate a power of two columns in 32..512, got 1 [P6]",
        ),
        (
            "%c1024 = arith.constant 1024 : i32\n" + _alloc("%c1024"),
            "alloc",
            "must allocate a power of two columns in 32..512, got 1024 [P6]",
        ),
        (
            _alloc("%c32", "%c64"),
            "alloc",
            "must not allocate more columns than an earlier alloc of its block, got 64 "
            "after 32 [P6]",
        ),
        (
            _alloc("%c512", "%c32"),
            "alloc",
            "must keep at most 512 columns live, got 32 more with 512 live; live are columns 0 to "
            "511 [P6]",
        ),
        (
            "nvvm.tcgen05.relinquish_alloc_permit\n" + _alloc("%c32"),
            "alloc",
            "must not allocate after relinquish_alloc_permit, got 32 columns [P6]",
        ),
        (
            ALLOC + _dealloc("%base", "%c32"),
            "dealloc",
            "must give back all columns of an allocation, 64, got 32; live are columns 0 to "
            "63 [P6]",
        ),
        (
            ALLOC + "%b = arith.addi %base, %c32 : i32\n" + _dealloc("%b", "%c32"),
            "dealloc",
            "must give back an allocation from its start, got lane 0, column 32; live are "
            "columns 0 "
            "to 63 [P6]",
        ),
        (
            ALLOC + _dealloc("%base", "%c64") + _dealloc("%base", "%c64"),
            "dealloc",
            "must give back an allocation from its start, got lane 0, column 0; live are none [P6]",
        ),
    ],
)
def test_allocation(body: str, name: str, message: str) -> None:
    assert _reported(body) == f"'nvvm.tcgen05.{name}' op {message}{PLACE}"


def _load(address: str, shape: str = "32x32b", count: str = "vector<4xi32>") -> str:
    return f"""%taddr = llvm.inttoptr {address} : i32 to !llvm.ptr<6>
    %words = nvvm.tcgen05.ld %taddr {{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}} : {count}
    nvvm.tcgen05.wait <load>"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%to = arith.addi %base, %c64 : i32\n" + _load("%to"),
            "must stay inside allocated columns, got columns 64 to 67; live are columns 0 "
            "to 63 [S2]",
        ),
        (
            "%c61 = arith.constant 61 : i32\n%to = arith.addi %base, %c61 : i32\n" + _load("%to"),
            "must stay inside allocated columns, got columns 61 to 64; live are columns 0 "
            "to 63 [S2]",
        ),
        (
            "%c511 = arith.constant 511 : i32\n%to = arith.addi %base, %c511 : i32\n"
            + _load("%to"),
            "must stay inside allocated columns, got columns 511 to 514; live are columns 0 to 63 "
            "[S2]",
        ),
        (
            "%row = arith.constant 2097152 : i32\n%to = arith.addi %base, %row : i32\n"
            + _load("%to"),
            "must stay inside the lanes of its warp, 0 to 31, got lanes 32 to 63 [S6]",
        ),
        (
            "%row = arith.constant 2097152 : i32\n%to = arith.addi %base, %row : i32\n"
            + _load("%to", "16x64b"),
            "must stay inside the lanes of its warp, 0 to 31, got lanes 32 to 47 [S6]",
        ),
    ],
)
def test_a_load(body: str, message: str) -> None:
    assert _reported(ALLOC + body) == f"'nvvm.tcgen05.ld' op {message}{PLACE}"


def test_the_lanes_of_another_warp() -> None:
    body = """%warp = arith.divui %t, %c32 : i32
    %is_first = arith.cmpi eq, %warp, %c0 : i32
    scf.if %is_first { nvvm.tcgen05.alloc %slot, %c64 : !llvm.ptr<3>, i32 }
    gpu.barrier
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    """
    assert _reported(body + _load("%base"), threads=64) == (
        "'nvvm.tcgen05.ld' op must stay inside the lanes of its warp, 32 to 63, got lanes 0 to 31 "
        "[S6], in block (0, 0, 0), thread (32, 0, 0)"
    )


def test_addresses_that_differ_in_a_warp() -> None:
    body = ALLOC + "%to = arith.addi %base, %t : i32\n"
    assert _reported(body + _load("%to")) == (
        "'nvvm.tcgen05.ld' op must get one address in all threads of its warp, got 0x0 and 0x1 "
        "[S6], in block (0, 0, 0), thread (1, 0, 0)"
    )


def test_a_shift_from_another_lane() -> None:
    body = (
        ALLOC
        + """%row = arith.constant 1048576 : i32
    %to = arith.addi %base, %row : i32
    %taddr = llvm.inttoptr %to : i32 to !llvm.ptr<6>
    %one = nvvm.elect.sync -> i1
    scf.if %one { nvvm.tcgen05.shift %taddr : !llvm.ptr<6> }"""
    )
    assert _reported(body) == (
        "'nvvm.tcgen05.shift' op must shift from a multiple of 32 lanes below 128, got lane 16 [S3]"
        f"{PLACE}"
    )


def test_an_arrival_beyond_the_cluster() -> None:
    body = """%one = nvvm.elect.sync -> i1
    %mask = arith.constant 5 : i16
    scf.if %one {
      nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
      nvvm.tcgen05.commit %bar, multicast_mask = %mask : !llvm.ptr<3>, i16
    }"""
    assert _reported(body, cluster=2) == (
        "'nvvm.tcgen05.commit' op must send arrivals to ranks of its cluster of 2 blocks, got the "
        f"mask 0x5 [S2]{PLACE}"
    )


def test_an_alignment_that_does_not_hold() -> None:
    body = (
        ALLOC
        + """%p = llvm.getelementptr %smem[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %size = llvm.mlir.constant(1024 : i64) : i64
    llvm.intr.assume %true ["align"(%p, %size : !llvm.ptr<3>, i64)] : i1"""
    )
    assert _reported(body) == (
        "'llvm.intr.assume' op must be aligned to 1024 bytes, as the kernel assumes, got address "
        f"0x410 [F9]{PLACE}"
    )
