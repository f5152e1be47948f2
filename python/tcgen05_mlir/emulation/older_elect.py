"""`elect.sync` on chips that have none."""

from __future__ import annotations

from mlir import ir
from mlir.dialects import llvm, nvvm

_ALL_LANES = -1


def elect(op: ir.Operation) -> None:
    """The lowest of the lanes that execute it becomes the leader.

    `elect.sync` lets the lanes of its mask wait for each other and picks one of them. A ballot
    waits for the same lanes and gives those that have come: of a block of 16 threads with mask
    0xffffffff it gives 0xffff, and lane 0 is the leader. Source: PTX `vote-sync`, `elect-sync`.
    """
    i1, i32 = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(32)
    with ir.InsertionPoint(op), op.location:
        if len(op.operands):
            mask = op.operands[0]
        else:
            mask = llvm.ConstantOp(i32, ir.IntegerAttr.get(i32, _ALL_LANES)).result
        true = llvm.ConstantOp(i1, ir.IntegerAttr.get(i1, 1)).result
        kind = ir.Attribute.parse("#nvvm<vote_sync_kind ballot>")
        lanes = nvvm.VoteSyncOp(i32, mask, true, kind).result
        lowest = llvm.CountTrailingZerosOp(lanes, True, results=[i32]).result
        lane = nvvm.LaneIdOp(i32).result
        leader = llvm.ICmpOp(ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0), lane, lowest)
    op.result.replace_all_uses_with(leader.result)
    op.erase()
