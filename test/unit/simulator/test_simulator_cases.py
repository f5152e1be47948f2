"""Cases from public failure reports, as kernels: each mistake, and its near twin without it.

Most are copy_readback.mlir with a few lines changed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernels import llvm_kernel
from tcgen05_mlir import MLIRError
from tcgen05_mlir.simulator import SimulationError, run

EXAMPLES = Path(__file__).parents[3] / "examples"
COPY = (EXAMPLES / "copy_readback.mlir").read_text()
FENCE = (
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n"
)
COMMIT = "nvvm.tcgen05.commit %mbar : !llvm.ptr<3>\n"
WAIT_LOAD = "nvvm.tcgen05.wait <load>\n"
ALLOC = "nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32\n"
DEALLOC = "nvvm.tcgen05.dealloc %columns_base, %columns : !llvm.ptr<6>, i32\n"


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def clean(text: str, *shape: int, seed: int = 0) -> None:
    a = np.random.default_rng(0).integers(0, 2**31, shape or (128, 4)).astype(np.int32)
    assert (run(text, None, a, np.zeros_like(a), seed=seed)[1] == a).all()


def refused(rule: str, text: str, *shape: int, seed: int = 0) -> str:
    with pytest.raises(SimulationError) as caught:
        clean(text, *shape, seed=seed)
    assert caught.value.rule == rule, caught.value
    return str(caught.value)


def alloc_and_dealloc(group: int, barrier: str) -> str:
    """Nothing but an allocation, given back."""
    attribute = f"{{group = #nvvm.cta_group<cta_{group}>}}"
    return llvm_kernel(
        "%out: !llvm.ptr",
        f"""%slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %n = llvm.mlir.constant(32 : i32) : i32
    nvvm.cluster.arrive {{aligned}}
    nvvm.cluster.wait {{aligned}}
    nvvm.tcgen05.alloc %slot, %n {attribute} : !llvm.ptr<3>, i32
    {barrier}
    %base = llvm.load %slot : !llvm.ptr<3> -> i32
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    nvvm.tcgen05.relinquish_alloc_permit {attribute}
    nvvm.tcgen05.dealloc %p, %n {attribute} : !llvm.ptr<6>, i32
    llvm.return""",
        attributes=", nvvm.cluster_dim = array<i32: 2, 1, 1>",
        outside="llvm.mlir.global internal @slot() {addr_space = 3 : i32} : i32",
    )


def test_a10_a_cluster_barrier_between_the_alloc_and_the_dealloc_of_a_pair() -> None:
    barrier = "nvvm.cluster.arrive {aligned}\n    nvvm.cluster.wait {aligned}"
    with pytest.raises(SimulationError) as caught:
        run(alloc_and_dealloc(2, ""), "k", np.zeros(1))
    assert caught.value.rule == "P8"
    assert "'nvvm.tcgen05.dealloc' op" in str(caught.value)
    run(alloc_and_dealloc(2, barrier), "k", np.zeros(1))
    run(alloc_and_dealloc(1, ""), "k", np.zeros(1))


def test_a12_proxy_fence() -> None:
    assert "reads shared address 0x400" in refused("P3", changed(COPY, (FENCE, "\n")))
    clean(COPY)
    # The fence before the stores orders nothing.
    loop = "scf.for %w = %c0 to %c4 step %c1 {\n      %word"
    early = changed(COPY, (FENCE, "\n"), (loop, FENCE + "    " + loop))
    assert "'nvvm.tcgen05.cp' op" in refused("P3", early)


@pytest.mark.parametrize("second", [32, 256])
def test_a14_columns_in_sum(second: int) -> None:
    first = 512 if second == 32 else 256
    text = changed(
        COPY,
        ("%columns = arith.constant 32 : i32", f"%columns = arith.constant {first} : i32"),
        (
            "%one = arith.constant 1 : i32",
            f"%one = arith.constant 1 : i32\n%more = arith.constant {second} : i32\n"
            "%slot2 = llvm.mlir.addressof @taddr2 : !llvm.ptr<3>",
        ),
        (
            "  // The mbarrier on which",
            "  llvm.mlir.global internal @taddr2() {addr_space = 3 : i32} : i32\n"
            "  // The mbarrier on which",
        ),
        (ALLOC, ALLOC + "nvvm.tcgen05.alloc %slot2, %more : !llvm.ptr<3>, i32\n"),
        (
            DEALLOC,
            DEALLOC
            + """%base2 = llvm.load %slot2 : !llvm.ptr<3> -> i32
      %second = llvm.inttoptr %base2 : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %second, %more : !llvm.ptr<6>, i32\n""",
        ),
    )
    if second == 256:
        clean(text)
    else:
        assert "544" in refused("P6", text)


def test_a17_commits_and_arrivals() -> None:
    expect = "nvvm.mbarrier.expect_tx %mbar, %bytes : !llvm.ptr<3>, i32\n"
    missing = changed(COPY, (COMMIT, f"%bytes = arith.constant 2048 : i32\n{expect}"))
    assert "'nvvm.tcgen05.cp' op is never committed" in refused("P4", missing)
    refused("P4", changed(COPY, (COMMIT, COMMIT + COMMIT)))
    clean(COPY)


def test_a18_dealloc_before_the_load_was_waited_for() -> None:
    store = "vector.store %words, %Out[%tid, %c0] : memref<128x4xi32>, vector<4xi32>\n"
    text = changed(COPY, (WAIT_LOAD, "\n"), (store, "\n"))
    assert "[P5]" in refused("P5", text)
    kept = changed(COPY, (store, "\n"))
    a = np.zeros((128, 4), np.int32)
    run(kept, None, a, a)


def test_a20_mixed_groups() -> None:
    mixed = changed(COPY, (COMMIT, COMMIT.replace(" :", " {group = #nvvm.cta_group<cta_2>} :")))
    with pytest.raises(MLIRError, match=r"\[P2\]"):
        clean(mixed)


def test_a_dealloc_of_another_size() -> None:
    wrong = changed(
        COPY,
        (DEALLOC, DEALLOC.replace("%columns :", "%wrong :")),
        ("%one = arith", "%wrong = arith.constant 64 : i32\n%one = arith"),
    )
    assert "[P6]" in refused("P6", wrong)


def test_a_dealloc_too_many() -> None:
    assert "[P6]" in refused("P6", changed(COPY, (DEALLOC, DEALLOC + DEALLOC)))


def test_an_alloc_by_part_of_a_warp() -> None:
    part = f"""%five = arith.constant 5 : index
      %part = arith.cmpi ult, %tid, %five : index
      scf.if %part {{ {ALLOC} }}
"""
    message = refused("P7", changed(COPY, (ALLOC, part)))
    assert "'nvvm.tcgen05.alloc' op" in message


def test_the_copy_by_many_threads() -> None:
    many = changed(COPY, ("%issuer = nvvm.elect.sync -> i1", "%issuer = arith.constant true"))
    assert "is issued by 32 lanes at once, wanted one thread [P1]" in refused("P1", many)


def test_a_copy_outside_the_allocated_columns() -> None:
    """Where the compiler cannot trace the address: it assumes an allocation's start."""
    base = "%base = llvm.load %slot : !llvm.ptr<3> -> i32\n"
    far = """%start = llvm.load %slot : !llvm.ptr<3> -> i32
    %base = llvm.inline_asm "add.u32 $0, $1, 32;", "=r,r" %start : (i32) -> i32
"""
    assert "[F6]" in refused("F6", changed(COPY, (base, far)))
