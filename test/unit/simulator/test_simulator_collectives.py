"""What the lanes of a warp do together, against PTX's definitions lane by lane."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from kernels import THREADS, lanes, per_thread
from tcgen05_mlir.simulator import SimulationError, run

RNG = np.random.default_rng(3)
X = RNG.integers(-(2**31), 2**31, THREADS).astype(np.int32)
ALL = "%all = llvm.mlir.constant(-1 : i32) : i32\n"


def of(body: str, inputs: np.ndarray = X, dtype: type = np.int32, type_: str = "i32") -> list:
    return lanes(per_thread(ALL + body, "y", type_), inputs, dtype=dtype).tolist()


def shuffled(kind: str, by: int, clamp: int, lane: int) -> tuple[int, bool]:
    """The source lane and whether it is within bounds (PTX `shfl-sync`)."""
    segment, bound = clamp >> 8 & 31, clamp & 31
    last = (lane & segment) | (bound & ~segment)
    first = lane & segment
    if kind == "up":
        source = lane - by
        valid = source >= last
    elif kind == "down":
        source = lane + by
        valid = source <= last
    elif kind == "bfly":
        source = lane ^ by
        valid = source <= last
    else:
        source = first | (by & ~segment)
        valid = source <= last
    return (source if valid else lane), valid


@pytest.mark.parametrize(
    ("kind", "by", "clamp"),
    [
        *(("up", by, clamp) for by in (1, 5) for clamp in (0, 0x1800)),
        *(("down", by, clamp) for by in (1, 17) for clamp in (31, 0x181F)),
        *(("bfly", by, clamp) for by in (1, 16) for clamp in (31, 0x1C1F)),
        *(("idx", by, clamp) for by in (0, 13) for clamp in (31, 0x181F, 7)),
    ],
)
def test_shuffle(kind: str, by: int, clamp: int) -> None:
    body = f"""%by = llvm.mlir.constant({by} : i32) : i32
    %clamp = llvm.mlir.constant({clamp} : i32) : i32
    %r = nvvm.shfl.sync {kind} %all, %x0, %by, %clamp {{return_value_and_is_valid}}
      : i32 -> !llvm.struct<(i32, i1)>
    %v = llvm.extractvalue %r[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %r[1] : !llvm.struct<(i32, i1)>
    %zero = llvm.mlir.constant(0 : i32) : i32
    %y = llvm.select %ok, %v, %zero : i1, i32"""
    sources = [shuffled(kind, by, clamp, lane) for lane in range(THREADS)]
    assert of(body) == [int(X[source]) if valid else 0 for source, valid in sources]


def test_a_float_is_shuffled() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
    %clamp = llvm.mlir.constant(31 : i32) : i32
    %f = llvm.sitofp %tid : i32 to f32
    %y = nvvm.shfl.sync bfly %all, %f, %one, %clamp : f32 -> f32"""
    assert of(body, dtype=np.float32, type_="f32") == [float(t ^ 1) for t in range(THREADS)]


@pytest.mark.parametrize("kind", ["any", "all", "uni"])
@pytest.mark.parametrize("threshold", [0, 16, 32])
def test_vote(kind: str, threshold: int) -> None:
    body = f"""%n = llvm.mlir.constant({threshold} : i32) : i32
    %p = llvm.icmp "ult" %tid, %n : i32
    %v = nvvm.vote.sync {kind} %all, %p -> i1
    %y = llvm.zext %v : i1 to i32"""
    votes = [lane < threshold for lane in range(THREADS)]
    wanted = {"any": any(votes), "all": all(votes), "uni": len(set(votes)) == 1}[kind]
    assert of(body) == [int(wanted)] * THREADS


def test_ballot() -> None:
    body = """%p = llvm.trunc %x0 : i32 to i1
    %y = nvvm.vote.sync ballot %all, %p -> i32"""
    wanted = sum((int(x) & 1) << lane for lane, x in enumerate(X))
    assert of(body, dtype=np.uint32) == [wanted] * THREADS


def test_match() -> None:
    inputs = (np.arange(THREADS) % 5).astype(np.int32)
    masks = [sum(1 << other for other in range(THREADS) if other % 5 == t % 5) for t in range(32)]
    assert of("%y = nvvm.match.sync any %all, %x0 : i32 -> i32", inputs, np.uint32) == masks
    body = """%r = nvvm.match.sync all %all, %x0 : i32 -> !llvm.struct<(i32, i1)>
    %y = llvm.extractvalue %r[0] : !llvm.struct<(i32, i1)>"""
    assert of(body, inputs, np.uint32) == [0] * THREADS
    assert of(body, inputs * 0, np.uint32) == [0xFFFFFFFF] * THREADS


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("add", int(X.sum(dtype=np.int32))),
        ("min", int(X.min())),
        ("max", int(X.max())),
        ("umin", int(X.view(np.uint32).min().view(np.int32))),
        ("umax", int(X.view(np.uint32).max().view(np.int32))),
        ("and", int(np.bitwise_and.reduce(X))),
        ("or", int(np.bitwise_or.reduce(X))),
        ("xor", int(np.bitwise_xor.reduce(X))),
    ],
)
def test_reduce(kind: str, wanted: int) -> None:
    assert of(f"%y = nvvm.redux.sync {kind} %x0, %all : i32 -> i32") == [wanted] * THREADS


def test_elect_takes_the_lowest_lane() -> None:
    body = """%e = nvvm.elect.sync -> i1
    %y = llvm.zext %e : i1 to i32"""
    assert of(body) == [1] + [0] * 31


SOME = """%five = llvm.mlir.constant(5 : i32) : i32
    %p = llvm.icmp "ult" %tid, %five : i32
    llvm.cond_br %p, ^some, ^end(%tid : i32)
  ^some:
    {}
    llvm.br ^end(%v : i32)
  ^end(%y: i32):"""


def test_part_of_a_warp_that_names_itself() -> None:
    inner = """%few = llvm.mlir.constant(31 : i32) : i32
    %v = nvvm.redux.sync add %tid, %few : i32 -> i32"""
    assert of(SOME.format(inner)) == [10] * 5 + list(range(5, 32))


def test_part_of_a_warp_that_names_all() -> None:
    with pytest.raises(SimulationError) as caught:
        of(SOME.format("%v = nvvm.redux.sync add %tid, %all : i32 -> i32"))
    assert caught.value.rule == "P7"
    assert (
        "'nvvm.redux.sync' op is reached by 5 of the 32 lanes that execute it together; "
        "lanes 5, 6, 7, 8, ... are absent [P7]"
    ) in str(caught.value)


@pytest.mark.parametrize(
    ("register", "wanted"),
    [
        ("laneid", range(32)),
        ("lanemask.lt", [(1 << lane) - 1 for lane in range(32)]),
        ("lanemask.ge", [(0xFFFFFFFF << lane) & 0xFFFFFFFF for lane in range(32)]),
        ("ntid.x", [32] * 32),
        ("nctaid.x", [1] * 32),
        ("warpsize", [32] * 32),
        ("cluster.nctarank", [1] * 32),
    ],
)
def test_special_registers(register: str, wanted: list[int]) -> None:
    body = f"%y = nvvm.read.ptx.sreg.{register} : i32"
    assert of(body, dtype=np.uint32) == list(wanted)


@pytest.mark.parametrize(
    ("asm", "constraints", "wanted"),
    [
        ("add.s32 $0, $1, $1;", "=r,r", lambda x, t: 2 * x),
        ("mov.u32 $0, %laneid;", "=r,r", lambda x, t: t),
        ("{ .reg .b32 q; xor.b32 q, $1, 5; sub.u32 $0, q, 1; }", "=r,r", lambda x, t: (x ^ 5) - 1),
    ],
)
def test_inline_assembly(asm: str, constraints: str, wanted: Callable[[int, int], int]) -> None:
    body = f'%y = llvm.inline_asm "{asm}", "{constraints}" %x0 : (i32) -> i32'
    expected = [wanted(int(x), t) & 0xFFFFFFFF for t, x in enumerate(X)]
    assert of(body, dtype=np.uint32) == expected


def test_who_is_active() -> None:
    """The lanes that run together; in a branch those that took it."""
    body = SOME.format('%v = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32')
    assert of(body, dtype=np.uint32)[:5] == [0b11111] * 5


def test_where_shared_memory_begins_and_ends() -> None:
    """As assembly names the registers; 1024 bytes in front are the system's."""
    asm = '%{0} = llvm.inline_asm "mov.u32 $0, %{1};", "=r" : () -> i32'
    body = "\n".join(
        [
            asm.format("end", "reserved_smem_offset_end"),
            asm.format("cap", "reserved_smem_offset_cap"),
            asm.format("begin", "reserved_smem_offset_begin"),
            asm.format("total", "total_smem_size"),
            "%sum = llvm.add %end, %cap : i32",
            "%less = llvm.sub %sum, %begin : i32",
            "%y = llvm.add %less, %total : i32",
            "%a = llvm.mlir.addressof @buffer : !llvm.ptr<3>",
            "llvm.store %y, %a : i32, !llvm.ptr<3>",
        ]
    )
    outside = """llvm.mlir.global internal @buffer() {addr_space = 3 : i32} : !llvm.array<10 x i32>
  llvm.mlir.global internal @more() {addr_space = 3 : i32, alignment = 64 : i64} : i32"""
    kernel = per_thread(body, "y", "i32", inputs=0, outside=outside)
    (got,) = run(kernel, "k", np.zeros(32, np.int32), smem=100)
    # Of the buffer's 40 bytes the dynamic part begins 48 from their start.
    assert set(got.tolist()) == {2 * 1024 + 148}
