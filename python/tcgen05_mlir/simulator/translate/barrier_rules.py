"""Barriers, fences, and what the lanes of a warp do together."""

from __future__ import annotations

import numpy as np
from mlir import ir

from tcgen05_mlir.simulator.engine import collectives
from tcgen05_mlir.simulator.translate.emitter import Emitter
from tcgen05_mlir.simulator.translate.registry import Meeting, rule, waiting_rule

ALL_LANES = np.uint32(0xFFFFFFFF)


@waiting_rule("nvvm.barrier0")
def barrier_zero(e: Emitter) -> Meeting:
    return Meeting(f"h.bar_sync(0, m, {e.site()})", blocks=True)


@waiting_rule("nvvm.barrier")
def barrier(e: Emitter) -> Meeting:
    if "reductionOp" in e.op.attributes:
        raise e.refuse("with a reduction is not simulated")
    number, threads, _ = _segments(e)
    operands = [e.use(value) for value in (number, threads) if value is not None]
    uniform = e.function(collectives.uniform)
    which = f"{uniform}(h, m, a0, {e.site()})" if number is not None else "0"
    code = f"h.bar_sync({which}, m, {e.site()}"
    if threads is not None:
        code += f", threads={uniform}(h, m, a{len(operands) - 1}, {e.site()})"
    return Meeting(code + ")", operands, blocks=True)


def _segments(e: Emitter) -> list:
    """The optional operands in order, None for those that are absent."""
    sizes = list(ir.DenseI32ArrayAttr(e.op.attributes["operandSegmentSizes"]))
    operands = iter(e.op.operands)
    return [next(operands) if size else None for size in sizes]


@waiting_rule("nvvm.cluster.arrive", "nvvm.cluster.arrive.relaxed")
def cluster_arrive(e: Emitter) -> Meeting:
    aligned, relaxed = "aligned" in e.op.attributes, e.op.name.endswith("relaxed")
    code = f"h.cluster_arrive(m, {e.site()}, relaxed={relaxed}, aligned={aligned})"
    return Meeting(code, alone=not aligned)


@waiting_rule("nvvm.cluster.wait")
def cluster_wait(e: Emitter) -> Meeting:
    aligned = "aligned" in e.op.attributes
    code = f"h.cluster_wait(m, {e.site()}, aligned={aligned})"
    return Meeting(code, alone=not aligned, blocks=True)


@rule("nvvm.fence.proxy")
def fence_proxy(e: Emitter) -> None:
    kind, space = e.attribute("kind"), e.attribute("space", "cta")
    if kind == "async.shared":
        kind = f"async.shared::{space}"
    e.line(f"h.fence_proxy({kind!r}, m, {e.site()})")


@rule("nvvm.fence.mbarrier.init")
def fence_mbarrier_init(e: Emitter) -> None:
    e.line(f"h.fence_mbarrier_init(m, {e.site()})")


@rule("nvvm.memory.barrier", "nvvm.fence.sc.cluster", "nvvm.fence.sync_restrict")
@rule("nvvm.fence.proxy.acquire", "nvvm.fence.proxy.release", "nvvm.fence.proxy.sync_restrict")
def fence(e: Emitter) -> None:
    """Warps run one operation at a time: their accesses are in order as they are."""


@waiting_rule("nvvm.bar.warp.sync")
def warp_barrier(e: Emitter) -> Meeting:
    together = e.function(collectives.together)
    return Meeting(f"{together}(h, m, a0, {e.site()})", e.operands(), members=e.operand(0))


@waiting_rule("nvvm.elect.sync")
def elect(e: Emitter) -> Meeting:
    members = e.operand(0) if len(e.op.operands) else e.constant(ALL_LANES)
    call = f"{e.function(collectives.elect)}(h, m, a0, {e.site()})"
    return Meeting(call, [members], members=members)


@waiting_rule("nvvm.shfl.sync")
def shuffle(e: Emitter) -> Meeting:
    kind, both = e.attribute("kind"), "return_value_and_is_valid" in e.op.attributes
    call = f"{e.function(collectives.shuffle)}(h, m, a0, a1, a2, a3, {kind!r}, {e.site()})"
    return Meeting(call if both else f"{call}[0]", e.operands(), members=e.operand(0))


@waiting_rule("nvvm.vote.sync")
def vote(e: Emitter) -> Meeting:
    call = f"{e.function(collectives.vote)}(h, m, a0, a1, {e.attribute('kind')!r}, {e.site()})"
    return Meeting(call, e.operands(), members=e.operand(0))


@waiting_rule("nvvm.match.sync")
def match(e: Emitter) -> Meeting:
    call = f"{e.function(collectives.match)}(h, m, a0, a1, {e.attribute('kind')!r}, {e.site()})"
    return Meeting(call, e.operands(), members=e.operand(0))


@waiting_rule("nvvm.redux.sync")
def reduce(e: Emitter) -> Meeting:
    absolute, nan = (e.attribute(name) == "true" for name in ("abs", "nan"))
    how = f"{e.attribute('kind')!r}, {absolute}, {nan}"
    call = f"{e.function(collectives.reduce)}(h, m, a1, a0, {how}, {e.site()})"
    return Meeting(call, e.operands(), members=e.operand(1))
