"""Values that are one of several: of branches, of loops, of selects, of private variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlir import ir

from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.starts import private_slot
from tcgen05_mlir.passes.texts import string_text


def incoming(value: ir.Value) -> Sequence[ir.Value] | None:
    """The values that ``value`` may be; None where it is not simply one of others.

    Of a loop's argument these are what it starts with and what an iteration yields. What is
    undefined may be none at all.
    """
    owner = definition(value)
    if owner is None:
        return _of_argument(ir.BlockArgument(value))
    rule = _RULES.get(owner.name)
    return None if rule is None else rule(owner, ir.OpResult(value).result_number)


def _of_argument(value: ir.BlockArgument) -> Sequence[ir.Value] | None:
    block, number = value.owner, value.arg_number
    parent = block.owner
    if parent is None:
        return None
    if block != parent.operation.regions[0].blocks[0] and parent.operation.name != "scf.while":
        return _of_branches(block, number)
    rule = _ARGUMENTS.get(parent.operation.name)
    return None if rule is None else rule(parent.operation, block, number)


def _of_branches(block: ir.Block, number: int) -> Sequence[ir.Value] | None:
    """What the branches to a block pass to it; None where one is not understood."""
    found: list[ir.Value] = []
    for before in block.predecessors:
        branch = _last(before)
        for at, target in enumerate(branch.successors):
            if target != block:
                continue
            passed = _passed(branch, at)
            if passed is None or number >= len(passed):
                return None
            found.append(passed[number])
    return found


def _passed(branch: ir.Operation, successor: int) -> Sequence[ir.Value] | None:
    """The operands that a branch passes to one of its successors."""
    operands = list(branch.operands)
    if branch.name in ("cf.br", "llvm.br"):
        return operands
    sizes = _segments(branch)
    if branch.name in ("cf.switch", "llvm.switch"):
        sizes = [*sizes[:2], *ir.DenseI32ArrayAttr(branch.attributes["case_operand_segments"])]
    elif branch.name not in ("cf.cond_br", "llvm.cond_br"):
        return None
    first = sum(sizes[: successor + 1])
    return operands[first : first + sizes[successor + 1]]


def _of_regions(op: ir.Operation, number: int) -> Sequence[ir.Value]:
    """What each region yields: of an if, a switch or a plain region."""
    ends = [_last(block) for region in op.regions for block in region]
    return [end.operands[number] for end in ends if end.name in ("scf.yield", "affine.yield")]


def _of_for(op: ir.Operation, number: int) -> Sequence[ir.Value]:
    """What a counted loop starts with, and what its body yields."""
    first = 3 if op.name == "scf.for" else sum(_segments(op)[:2])
    yielded = _last(op.regions[0].blocks[0]).operands[number]
    return [op.operands[first + number], yielded]


def _for_argument(op: ir.Operation, _: ir.Block, number: int) -> Sequence[ir.Value] | None:
    return _of_for(op, number - 1) if number else None


def _of_while(op: ir.Operation, number: int) -> Sequence[ir.Value]:
    """What the condition passes on, behind its truth."""
    return [_last(op.regions[0].blocks[0]).operands[1 + number]]


def _while_argument(op: ir.Operation, block: ir.Block, number: int) -> Sequence[ir.Value]:
    after = op.regions[1].blocks[0]
    if block == after:
        return _of_while(op, number)
    return [op.operands[number], _last(after).operands[number]]


def _of_select(op: ir.Operation, _: int) -> Sequence[ir.Value]:
    return list(op.operands)[1:3]


def _of_one(op: ir.Operation, _: int) -> Sequence[ir.Value] | None:
    return [op.operands[0]] if len(op.operands) == 1 else None


def _of_intrinsic(op: ir.Operation, _: int) -> Sequence[ir.Value] | None:
    """The move that a lowered view is."""
    is_move = string_text(op.attributes["intrin"]) == "llvm.nvvm.move.i32"
    return [op.operands[0]] if is_move else None


def _of_nothing(_: ir.Operation, __: int) -> Sequence[ir.Value]:
    return ()


def _of_variable(op: ir.Operation, _: int) -> Sequence[ir.Value] | None:
    """What is stored to a private variable that is only loaded and stored."""
    slot = private_slot(op)
    if slot is None:
        return None
    found: list[ir.Value] = []
    for use in slot.uses:
        user = use.owner.operation
        if user.name in ("llvm.store", "memref.store") and use.operand_number == 1:
            found.append(user.operands[0])
        elif user.name not in ("llvm.load", "memref.load"):
            return None
    plain = all(value.type == op.result.type for value in found)
    return found if plain else None


def _last(block: ir.Block) -> ir.Operation:
    return list(block.operations)[-1].operation


def _segments(op: ir.Operation) -> list[int]:
    return list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))


_RULES: dict[str, Callable[[ir.Operation, int], Sequence[ir.Value] | None]] = {
    "affine.for": _of_for,
    "affine.if": _of_regions,
    "arith.select": _of_select,
    "builtin.unrealized_conversion_cast": _of_one,
    "llvm.call_intrinsic": _of_intrinsic,
    "llvm.load": _of_variable,
    "llvm.mlir.poison": _of_nothing,
    "llvm.mlir.undef": _of_nothing,
    "llvm.select": _of_select,
    "memref.load": _of_variable,
    "scf.execute_region": _of_regions,
    "scf.for": _of_for,
    "scf.if": _of_regions,
    "scf.index_switch": _of_regions,
    "scf.while": _of_while,
    "ub.poison": _of_nothing,
}

_ARGUMENTS: dict[str, Callable[[ir.Operation, ir.Block, int], Sequence[ir.Value] | None]] = {
    "affine.for": _for_argument,
    "scf.for": _for_argument,
    "scf.while": _while_argument,
}
