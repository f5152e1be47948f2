"""Integer and pointer values traced through the arithmetic that makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

from mlir import ir

from tcgen05_mlir.passes.facts.affine import expression_sum
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.pointers import gep_sum
from tcgen05_mlir.passes.facts.sums import Sum, low_bit, opaque, product
from tcgen05_mlir.passes.lowering.constants import constant_value

_WORD_BITS = 32


class Integers:
    """What is known of integers and pointers, each looked at once.

    It holds values, so it lives no longer than the pass that made it, and the IR that it has
    seen must stay as it is. Chains of any length are followed.
    """

    def __init__(self) -> None:
        self._known: dict[ir.Value, Sum] = {}

    def sum_of(self, value: ir.Value) -> Sum:
        """``%base + %i * 512 + 64`` of opaque ``%base``, ``%i`` has these two as its terms."""
        pending = [value]
        opened: set[ir.Value] = set()
        while pending:
            current = pending[-1]
            missing = [] if current in self._known else self._missing(current, opened)
            if missing:
                opened.add(current)
                pending += missing
                continue
            if current not in self._known:
                self._known[current] = self._evaluate(current)
            pending.pop()
        return self._known[value]

    def number(self, value: ir.Value) -> int | None:
        """The constant that a value is, also where constants make it; else None."""
        return self.sum_of(value).known

    def bits(self, found: Sum) -> int:
        """A mask of the bits that a sum may have set."""
        return found.bits

    def operands(self, owner: ir.Operation) -> Sequence[ir.Value]:
        """What the result of an operation is computed from, as far as it can be followed."""
        return list(owner.operands) if owner.name in _RULES else ()

    def result(self, owner: ir.Operation, operands: Sequence[Sum]) -> Sum:
        """The sum of the operation's one result."""
        rule = _RULES.get(owner.name)
        return opaque(owner.result) if rule is None else rule(self, owner, operands)

    def _missing(self, value: ir.Value, opened: set[ir.Value]) -> list[ir.Value]:
        """Operands to look at first; none where a value is computed from itself."""
        if value in opened:
            return []
        return [part for part in self._inputs(value) if part not in self._known]

    def _inputs(self, value: ir.Value) -> Sequence[ir.Value]:
        owner = definition(value)
        if owner is None:
            loop = loop_of(value)
            return () if loop is None else (loop.operands[0], loop.operands[2])
        return self.operands(owner) if len(owner.results) == 1 else ()

    def _evaluate(self, value: ir.Value) -> Sum:
        number = constant_value(value)
        if number is not None:
            return Sum(number)
        owner = definition(value)
        if owner is not None and owner.name == "llvm.mlir.zero":
            return Sum()
        inputs = self._inputs(value)
        if not inputs or any(part not in self._known for part in inputs):
            return opaque(value)
        parts = [self._known[part] for part in inputs]
        if owner is None:
            lower, step = parts
            return lower + opaque(value, step.unit)
        return self.result(owner, parts)


Rule = Callable[[Integers, ir.Operation, Sequence[Sum]], Sum]


def is_understood(op: ir.Operation) -> bool:
    """Whether results of the operation are traced to its operands."""
    return op.name in _RULES


def loop_of(value: ir.Value) -> ir.Operation | None:
    """The scf.for whose induction variable a block argument is."""
    argument = ir.BlockArgument(value)
    owner = argument.owner.owner
    if owner is None or owner.operation.name != "scf.for" or argument.arg_number != 0:
        return None
    return owner.operation


def _cast(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """Widths of 32 bits and more hold every address; narrower ones wrap."""
    widths = [_width(value.type) for value in (op.operands[0], op.result)]
    if min(widths) >= _WORD_BITS:
        return operands[0]
    wrap = 1 << min(widths)
    if operands[0].known is None:
        return opaque(op.result, gcd(operands[0].factor, wrap), operands[0].constant)
    signed = op.name in _SIGNED_CASTS
    half = wrap // 2 if signed else 0
    return Sum((operands[0].constant + half) % wrap - half)


def _width(kind: ir.Type) -> int:
    return ir.IntegerType(kind).width if isinstance(kind, ir.IntegerType) else 64


def _add(_: Integers, __: ir.Operation, operands: Sequence[Sum]) -> Sum:
    return operands[0] + operands[1]


def _subtract(_: Integers, __: ir.Operation, operands: Sequence[Sum]) -> Sum:
    return operands[0] - operands[1]


def _multiply(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    return product(op.result, operands[0], operands[1])


def _shift_left(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    value, count = operands[0], operands[1].known
    if count is None:
        return opaque(op.result, value.unit)
    return value.scaled(1 << count) if 0 <= count < 64 else opaque(op.result)


def _or(integers: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """The sum, where the two have no bit in common."""
    one, other = operands
    if one.known is not None and other.known is not None:
        return Sum(one.constant | other.constant)
    if "isDisjoint" in op.attributes or not integers.bits(one) & integers.bits(other):
        return one + other
    return opaque(op.result, low_bit(gcd(one.unit, other.unit)))


def _and(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    one, other = operands
    if one.known is not None and other.known is not None:
        return Sum(one.constant & other.constant)
    return opaque(op.result, max(low_bit(one.unit), low_bit(other.unit)))


def _divide(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """Only where nothing is left over."""
    value, divisor = operands[0], operands[1].known
    if op.name.endswith(("shrui", "shrsi", "lshr", "ashr", "shru", "shrs")):
        divisor = 1 << divisor if divisor is not None and 0 <= divisor < 64 else None
    if not divisor or divisor < 0 or value.constant < 0 or value.unit % divisor:
        return opaque(op.result)
    return opaque(op.result, value.factor // divisor, value.constant // divisor)


def _remainder(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    value, divisor = operands
    if value.known is not None and divisor.known and min(value.known, divisor.known) >= 0:
        return Sum(value.known % divisor.known)
    return opaque(op.result, gcd(value.factor, divisor.unit), value.constant)


def _select(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    """One of two, which is the first and perhaps their distance."""
    one, other = operands[1:]
    apart = (other - one).unit
    return opaque(op.result) if apart == 1 else one + opaque(op.result, apart)


def _gep(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    return gep_sum(op, operands)


def _affine(_: Integers, op: ir.Operation, operands: Sequence[Sum]) -> Sum:
    affine = ir.AffineMapAttr(op.attributes["map"]).value
    return expression_sum(affine.results[0], op.result, operands, affine.n_dims)


_SIGNED_CASTS = ("arith.index_cast", "arith.extsi", "arith.trunci", "llvm.sext", "llvm.trunc")
_CASTS = (
    *_SIGNED_CASTS,
    "arith.bitcast",
    "arith.index_castui",
    "arith.extui",
    "index.casts",
    "index.castu",
    "llvm.zext",
    "llvm.inttoptr",
    "llvm.ptrtoint",
    "llvm.bitcast",
    "llvm.freeze",
    "llvm.addrspacecast",
)


def _table(**rules: Rule) -> dict[str, Rule]:
    """Each rule for an operation of three dialects: `addi` is arith's, `add` llvm's and index's."""
    found: dict[str, Rule] = {}
    for names, rule in rules.items():
        ours, _, theirs = names.partition("__")
        found[f"arith.{ours}"] = rule
        for name in filter(None, theirs.split("__")):
            found |= {f"llvm.{name}": rule, f"index.{name}": rule}
    return found


_RULES: dict[str, Rule] = {
    **dict.fromkeys(_CASTS, _cast),
    **_table(
        addi__add=_add,
        subi__sub=_subtract,
        muli__mul=_multiply,
        shli__shl=_shift_left,
        ori__or=_or,
        andi__and=_and,
        divui__udiv__divu=_divide,
        divsi__sdiv__divs=_divide,
        shrui__lshr__shru=_divide,
        shrsi__ashr__shrs=_divide,
        remui__urem__remu=_remainder,
        remsi__srem__rems=_remainder,
        select=_select,
    ),
    "llvm.select": _select,
    "llvm.getelementptr": _gep,
    "affine.apply": _affine,
}
