"""A copy becomes one instruction per repeat."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir
from mlir.dialects import scf

from tcgen05_mlir.dialects.tcgen05 import CpOp
from tcgen05_mlir.model.footprint import CopyPlan
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT
from tcgen05_mlir.passes.footprint.operands import find_operands
from tcgen05_mlir.passes.footprint.proofs import plan_of
from tcgen05_mlir.passes.footprint.questions import Reader
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.constants import constant_value
from tcgen05_mlir.passes.lowering.descriptor import describer
from tcgen05_mlir.passes.lowering.issue import assembly_issue, nvvm_issue
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.tensor import TensorPlace


@dataclass(frozen=True)
class Copy:
    """What the lowering needs of one `tcgen05.cp`, read off the IR before anything is changed."""

    op: CpOp
    plan: CopyPlan
    dst: TensorPlace
    src: SharedPlace


def read_copy(op: CpOp, reader: Reader) -> Copy:
    """The copy that ``op`` is, proved.

    Raises PassFailure with all that keeps it from being lowered: what cannot be read [L1, L2],
    else every rule that it breaks [F1 to F12].
    """
    dst, src = find_operands(op)
    return Copy(op, plan_of(op, reader.ask(op, src)), dst, src)


def lower_copy(copy: Copy, path: str, descriptor_add: str) -> None:
    """Replace the op: addresses once, then one instruction for each repeat."""
    predicate = copy.op.predicate
    known = 1 if predicate is None else constant_value(predicate)
    with ir.InsertionPoint(copy.op), copy.op.location:
        if known is not None:
            if known:
                _emit_copy(copy, path, descriptor_add, None)
        elif path == "inline-asm":
            _emit_copy(copy, path, descriptor_add, predicate)
        else:
            guarded = scf.IfOp(predicate)
            with ir.InsertionPoint(guarded.then_block):
                _emit_copy(copy, path, descriptor_add, None)
                scf.YieldOp([])
    copy.op.operation.erase()


def _emit_copy(copy: Copy, path: str, descriptor_add: str, predicate: ir.Value | None) -> None:
    plan = copy.plan
    issue = (
        nvvm_issue(plan.instruction)
        if path == "nvvm"
        else assembly_issue(plan.instruction, predicate)
    )
    taddr, _ = copy.dst.emit_base()
    bounded = plan.bounded or copy.src.bounded
    describe = describer(copy.src, plan, descriptor_add, bounded)
    for step in plan.steps:
        distance = (step.lane_offset << TMEM_LANE_SHIFT) + step.column_offset
        issue(emit.add(taddr, distance), describe(step.start_offset - plan.steps[0].start_offset))
