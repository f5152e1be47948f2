"""A copy becomes one instruction per repeat."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith, scf

from tcgen05_mlir.dialects.tcgen05 import CpOp, descriptor_of, instruction_of
from tcgen05_mlir.model import Instruction, SmemDescriptor
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, SMEM_ADDRESS_LIMIT
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.issue import assembly_issue, nvvm_issue
from tcgen05_mlir.passes.lowering.shared import SharedPlace, find_shared_place
from tcgen05_mlir.passes.lowering.tensor import TensorPlace, find_tensor_place

_START_SHIFT = DESCRIPTOR_UNIT.bit_length() - 1
_START_MASK = SMEM_ADDRESS_LIMIT // DESCRIPTOR_UNIT - 1  # bits 0-13


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
    """The copy that ``op`` is. Raises PassFailure for what cannot be lowered [L1, L2, L3, F9]."""
    dst = find_tensor_place(op, "dst", op.dst, op.dst_indices)
    src = find_shared_place(op)
    descriptor = descriptor_of(op)
    if descriptor is None:
        raise PassFailure(
            op_error(op, "'descriptor' must be given [L3]", "add descriptor(<ldo = , sdo = >)")
        )
    instruction = instruction_of(op)
    return Copy(op, instruction, descriptor.canonical(instruction), dst, src)


def lower_copy(copy: Copy, path: str, descriptor_add: str) -> None:
    """Replace the op: addresses once, then one instruction for each repeat.

    The constant part of the descriptor is one 64-bit number. Where the start addresses are bounded
    the shared address is shifted and masked once, and each repeat adds to the result; elsewhere
    each repeat is masked by itself, so that no carry leaves bit 13.
    """
    predicate = copy.op.predicate
    with ir.InsertionPoint(copy.op), copy.op.location:
        if path == "inline-asm" or predicate is None:
            _emit_copy(copy, path, descriptor_add)
        else:
            guarded = scf.IfOp(predicate)
            with ir.InsertionPoint(guarded.then_block):
                _emit_copy(copy, path, descriptor_add)
                scf.YieldOp([])
    copy.op.operation.erase()


def _emit_copy(copy: Copy, path: str, descriptor_add: str) -> None:
    issue = (
        nvvm_issue(copy.instruction)
        if path == "nvvm"
        else assembly_issue(copy.instruction, copy.op.predicate)
    )
    taddr, column = copy.dst.emit_base()
    describe = _describer(copy, descriptor_add)
    for repeat in copy.repeats:
        address = emit.add(taddr, column + copy.dst.repeat_offset(repeat))
        issue(address, describe(copy.src.repeat_offset(repeat)))


def _describer(copy: Copy, descriptor_add: str) -> Callable[[int], ir.Value]:
    """From a repeat's distance in bytes to its descriptor."""
    address, known = copy.src.emit_base()
    if not copy.src.bounded:
        return lambda distance: _encode(copy, emit.add(address, known + distance))
    first = _encode(copy, emit.add(address, known))
    add = _add_split if descriptor_add == "split" else emit.add
    return lambda distance: add(first, distance >> _START_SHIFT)


def _encode(copy: Copy, address: ir.Value) -> ir.Value:
    """The descriptor of a start address: bits 0-13 from it, all others constant."""
    i64 = address.type
    start = arith.shrui(address, emit.constant(i64, _START_SHIFT))
    start = arith.andi(start, emit.constant(i64, _START_MASK))
    return arith.ori(start, emit.constant(i64, copy.descriptor.encode()))


def _add_split(descriptor: ir.Value, units: int) -> ir.Value:
    """``descriptor + units`` in its low 32 bits, which hold the start address, as two words."""
    if units == 0:
        return descriptor
    i32, i64 = emit.integer(32), emit.integer(64)
    half = emit.constant(i64, 32)
    low = arith.extui(i64, emit.add(arith.trunci(i32, descriptor), units))
    high = arith.shli(arith.shrui(descriptor, half), half)
    return arith.ori(low, high)
