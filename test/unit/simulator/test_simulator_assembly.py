"""copy_readback.mlir with its whole protocol as inline assembly; and what a shift moves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tcgen05_mlir.simulator import SimulationError, run
from whole_kernel import PATTERN, WORDS, kernel, launch

TEXT = (Path(__file__).parents[3] / "examples" / "copy_readback.mlir").read_text()


def asm(text: str, *operands: str, types: str = "") -> str:
    constraints = ",".join("r" for _ in operands)
    names = f" {', '.join(operands)}" if operands else ""
    return f'llvm.inline_asm has_side_effects "{text}", "{constraints}"{names} : ({types}) -> ()'


BARRIER = "gpu.barrier\n"
FENCE = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"
ALLOC = "nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32"
DEALLOC = "nvvm.tcgen05.dealloc %columns_base, %columns : !llvm.ptr<6>, i32"
WAIT_LOAD = "nvvm.tcgen05.wait <load>"
ALIGNED = {
    ALLOC: asm(
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], $1;",
        "%slot",
        "%columns",
        types="!llvm.ptr<3>, i32",
    ),
    "nvvm.tcgen05.relinquish_alloc_permit": asm(
        "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
    ),
    DEALLOC: asm(
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, $1;",
        "%columns_base",
        "%columns",
        types="!llvm.ptr<6>, i32",
    ),
    "nvvm.mbarrier.init %mbar, %one : !llvm.ptr<3>, i32": asm(
        "mbarrier.init.shared::cta.b64 [$0], $1;", "%mbar", "%one", types="!llvm.ptr<3>, i32"
    ),
    FENCE: asm("fence.proxy.async.shared::cta;"),
    "nvvm.tcgen05.commit %mbar : !llvm.ptr<3>": asm(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];",
        "%mbar",
        types="!llvm.ptr<3>",
    ),
    "nvvm.tcgen05.fence <after>": asm("tcgen05.fence::after_thread_sync;"),
    "nvvm.tcgen05.fence <before>": asm("tcgen05.fence::before_thread_sync;"),
    WAIT_LOAD: asm("tcgen05.wait::ld.sync.aligned;"),
}
BARRIERS = {
    "bar.sync": asm("bar.sync 0;"),
    "barrier.sync": asm("barrier.sync.aligned 0, 128;"),
    "named": asm("bar.sync $0, $1;", "%one", "%threads", types="i32, i32"),
}


def assembly(barrier: str) -> str:
    text = TEXT.replace(
        "%one = arith.constant 1 : i32",
        "%one = arith.constant 1 : i32\n    %threads = arith.constant 128 : i32",
    )
    for operation, replacement in ALIGNED.items():
        assert text.count(operation) == 1, operation
        text = text.replace(operation, replacement)
    assert text.count(BARRIER) == 2
    return text.replace(BARRIER, BARRIERS[barrier] + "\n")


def out_of(text: str, seed: int = 0) -> np.ndarray:
    a = np.arange(512, dtype=np.int32).reshape(128, 4)
    return run(text, "copy", a, np.zeros_like(a), seed=seed)[1].ravel()


@pytest.mark.parametrize("barrier", BARRIERS)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_protocol_as_inline_assembly(barrier: str, seed: int) -> None:
    assert (out_of(assembly(barrier), seed) == np.arange(512)).all()


@pytest.mark.parametrize(
    ("operation", "rule", "name"),
    [
        (FENCE, "P3", "nvvm.tcgen05.cp"),
        (WAIT_LOAD, "P5", "llvm.store"),
        (DEALLOC, "P6", "tcgen05.alloc"),
    ],
)
def test_a_part_of_it_that_is_missing(operation: str, rule: str, name: str) -> None:
    text = assembly("bar.sync")
    with pytest.raises(SimulationError) as caught:
        out_of(text.replace(ALIGNED[operation], ""))
    assert caught.value.rule == rule
    assert name in caught.value.site.name


def test_an_allocation_by_part_of_a_warp() -> None:
    text = assembly("bar.sync")
    part = f"""%half = arith.constant 16 : index
      %is_half = arith.cmpi ult, %tid, %half : index
      scf.if %is_half {{ {ALIGNED[ALLOC]} }}"""
    with pytest.raises(SimulationError) as caught:
        out_of(text.replace(ALIGNED[ALLOC], part))
    assert caught.value.rule == "P7"
    assert "'tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32' op" in str(caught.value)


@pytest.mark.parametrize("group", [1, 2])
def test_a_shift_moves_eight_columns_down_by_a_lane(group: int) -> None:
    """In lanes 32 to 63, columns 20 to 27; lane 63 keeps what it has."""
    text = f"""%far = arith.constant {32 << 16 | 20} : i32
        %place = arith.addi %base, %far : i32
        %pointer = llvm.inttoptr %place : i32 to !llvm.ptr<6>
        nvvm.tcgen05.shift %pointer {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<6>"""
    found = launch(kernel(text, group), np.zeros((group, WORDS), np.uint32))
    wanted = PATTERN.copy()
    wanted[32:63, 20:28] = PATTERN[33:64, 20:28]
    assert (found == wanted).all()
