"""What code states of its values: checked, since hardware would go on with what is not so."""

from __future__ import annotations

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.texts import string_text
from tcgen05_mlir.simulator.lanes.integers import Lanes
from tcgen05_mlir.simulator.machine import Site, Warp
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import rule
from tcgen05_mlir.simulator.translate.types import Pointer

_SHARED = (3, 7)


@rule("llvm.intr.assume")
def assume(e: Emitter) -> None:
    """The condition, and the alignments of operand bundles; other bundles say nothing here."""
    e.line(f"{e.function(check_condition)}(h, {e.lanes(0)}, m, {e.site()})")
    if "op_bundle_tags" not in e.op.attributes:
        return
    at = 1
    tags = ir.ArrayAttr(e.op.attributes["op_bundle_tags"])
    sizes = ir.DenseI32ArrayAttr(e.op.attributes["op_bundle_sizes"])
    for tag, size in zip(tags, sizes, strict=True):
        if string_text(tag) == "align" and size == 2:
            _alignment(e, at)
        at += size


def _alignment(e: Emitter, at: int) -> None:
    pointer = e.type(e.op.operands[at])
    assert isinstance(pointer, Pointer)
    check, shared = e.function(check_alignment), pointer.space in _SHARED
    e.line(f"{check}(h, {e.lanes(at)}, {e.lanes(at + 1)}, m, {e.site()}, shared={shared})")


def check_condition(warp: Warp, holds: Lanes, mask: Lanes, site: Site) -> None:
    """S20 for a lane whose condition is false."""
    wrong = np.flatnonzero(mask & (holds == 0))
    if wrong.size:
        warp.fail("S20", "assumes a condition that is false", site, lane=int(wrong[0]))


def check_alignment(
    warp: Warp, addresses: Lanes, alignments: Lanes, mask: Lanes, site: Site, *, shared: bool
) -> None:
    """F9 for an address in shared memory that is not aligned as stated, S3 for another."""
    wrong = np.flatnonzero(mask & (addresses % alignments.astype(np.uint64) != 0))
    if not wrong.size:
        return
    lane = int(wrong[0])
    address, alignment = int(addresses[lane]), int(alignments[lane])
    warp.fail(
        "F9" if shared else "S3",
        f"states that {'shared ' if shared else ''}address {address:#x} is a multiple of "
        f"{alignment}, which it is not",
        site,
        lane=lane,
        address=address,
        notes=(f"alignment({alignment}) of a tcgen05.view or memref.assume_alignment states it",),
    )
