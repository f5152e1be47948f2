"""A copy becomes one instruction per repeat."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from mlir import ir
from mlir.dialects import scf

from tcgen05_mlir.dialects.tcgen05 import CpOp, descriptor_of, instruction_of
from tcgen05_mlir.model import Instruction, SmemDescriptor
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.constants import constant_value
from tcgen05_mlir.passes.lowering.descriptor import describer
from tcgen05_mlir.passes.lowering.issue import assembly_issue, nvvm_issue
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.source import find_shared_place
from tcgen05_mlir.passes.lowering.tensor import TensorPlace, find_tensor_place

PartT = TypeVar("PartT")


@dataclass(frozen=True)
class Copy:
    """What the lowering needs of one `tcgen05.cp`, read off the IR before anything is changed."""

    op: CpOp
    instruction: Instruction
    descriptor: SmemDescriptor
    dst: TensorPlace
    src: SharedPlace

    @property
    def repeats(self) -> list[tuple[int, ...]]:
        """The index of each instruction, in row-major order; one empty index for one copy."""
        shape = ir.MemRefType(self.op.dst.type).shape[len(self.dst.indices) : -2]
        return list(itertools.product(*map(range, shape)))


def read_copy(op: CpOp) -> Copy:
    """The copy that ``op`` is.

    Raises PassFailure with all that keeps it from being lowered [L1, L2, L3, F9].
    """
    failures: list[Diagnostic] = []

    def attempt(read: Callable[[], PartT]) -> PartT | None:
        try:
            return read()
        except PassFailure as failure:
            failures.extend(failure.diagnostics)
            return None

    instruction = instruction_of(op)
    dst = attempt(lambda: find_tensor_place(op, "dst", op.dst_indices))
    src = attempt(lambda: find_shared_place(op))
    descriptor = attempt(lambda: _read_descriptor(op, instruction))
    if dst is None or src is None or descriptor is None:
        raise PassFailure(*failures)
    return Copy(op, instruction, descriptor, dst, src)


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


def _read_descriptor(op: CpOp, instruction: Instruction) -> SmemDescriptor:
    descriptor = descriptor_of(op)
    if descriptor is None:
        remedy = "add descriptor(<ldo = , sdo = >)"
        raise PassFailure(op_error(op, "'descriptor' must be given [L3]", remedy))
    return descriptor.canonical(instruction)


def _emit_copy(copy: Copy, path: str, descriptor_add: str, predicate: ir.Value | None) -> None:
    issue = (
        nvvm_issue(copy.instruction)
        if path == "nvvm"
        else assembly_issue(copy.instruction, predicate)
    )
    taddr, column = copy.dst.emit_base()
    describe = describer(copy.src, copy.descriptor.encode(), descriptor_add)
    for repeat in copy.repeats:
        address = emit.add(taddr, column + copy.dst.repeat_offset(repeat))
        issue(address, describe(copy.src.repeat_offset(repeat)))
