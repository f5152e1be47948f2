"""Writes functions of the llvm dialect as Python expressions.

`Code` is the function being written, `Value` an integer in it: ``row * 16 + 4`` appends the
operations. All arithmetic is unsigned and wraps; a Python int beside a `Value` becomes a constant
of its width. Only operations that translate to LLVM IR as they are come out, so that the result
needs no further conversion and survives any that is run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mlir import ir

from .values import Value, integer_type

_TERMINATORS = ("llvm.unreachable", "llvm.return")


class Code:
    """Where operations are appended: a function's body, or the place in front of an operation."""

    def __init__(
        self, block: ir.Block, location: ir.Location, before: ir.Operation | None = None
    ) -> None:
        self._location = location
        self._block = block
        self._before = before
        self._start = block
        self._constants: dict[tuple[int, int], Value] = {}
        self.arguments = [Value(self, argument) for argument in block.arguments]

    @classmethod
    def in_front_of(cls, op: ir.Operation) -> Code:
        """Straight-line code before `op`, at its location: `when` and loops are not for it."""
        return cls(op.block, op.location, op)

    def operation(
        self,
        name: str,
        operands: Sequence[Value] = (),
        results: Sequence[ir.Type] = (),
        successors: Sequence[ir.Block] = (),
        **attributes: ir.Attribute | str,
    ) -> ir.Operation:
        """Appends any operation; an attribute that is a str is parsed."""
        read = {
            key: ir.Attribute.parse(value) if isinstance(value, str) else value
            for key, value in attributes.items()
        }
        return ir.Operation.create(
            name,
            results=list(results),
            operands=[operand.ir for operand in operands],
            attributes=read,
            successors=list(successors),
            loc=self._location,
            ip=ir.InsertionPoint(self._before or self._block),
        )

    def value(
        self, name: str, operands: Sequence[Value], result: ir.Type, **attributes: Any
    ) -> Value:
        """Appends an operation of one result."""
        return Value(self, self.operation(name, operands, [result], **attributes).result)

    def constant(self, value: int, width: int = 32) -> Value:
        """`value` modulo 2**width. A function has each constant once, at its start."""
        key = value % (1 << width), width
        if key not in self._constants:
            self._constants[key] = self._new_constant(*key)
        return self._constants[key]

    def true(self) -> Value:
        """The i1 that is true."""
        return self.constant(1, 1)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """What is appended inside runs where `condition` holds."""
        after = self._new_block()
        then = self._new_block()
        self._branch(condition, then, after)
        self._block = then
        yield
        if not self._ended():
            self._jump(after, [])
        self._block = after

    @contextmanager
    def otherwise(self, condition: Value) -> Iterator[None]:
        """What is appended inside runs where `condition` does not hold."""
        with self.when(~condition):
            yield

    @contextmanager
    def repeat(self, *start: Value) -> Iterator[Loop]:
        """A loop whose values are `start` at first; what is inside ends with `Loop.again`."""
        head = self._new_block([value.ir.type for value in start])
        self._jump(head, start)
        self._block = head
        loop = Loop(self, head)
        yield loop
        assert loop.closed, "a loop ends with again()"

    @contextmanager
    def count(self, first: Value, limit: Value | int, step: Value | int) -> Iterator[Value]:
        """Runs for `first`, `first + step`, ... below `limit`."""
        with self.when(first < limit), self.repeat(first) as loop:
            (number,) = loop.values
            yield number
            following = number + step
            loop.again(following < limit, following)

    def trap_here(self) -> None:
        """Ends the program; nothing runs behind it."""
        self.operation("llvm.intr.trap")
        self.unreachable()

    def unreachable(self) -> None:
        """Nothing comes here."""
        self.operation("llvm.unreachable")

    def give(self, *values: Value) -> None:
        """Returns from the function."""
        self.operation("llvm.return", values)

    def _new_constant(self, value: int, width: int) -> Value:
        # An i1 prints as true or false; of other types the attribute is signed.
        signed = value - (value >> (width - 1) << width) if width > 1 else value
        place = (
            ir.InsertionPoint(self._before)
            if self._before
            else ir.InsertionPoint.at_block_begin(self._start)
        )
        constant = ir.Operation.create(
            "llvm.mlir.constant",
            results=[integer_type(width)],
            attributes={"value": ir.IntegerAttr.get(integer_type(width), signed)},
            loc=self._location,
            ip=place,
        )
        return Value(self, constant.result)

    def _new_block(self, types: Sequence[ir.Type] = ()) -> ir.Block:
        """A block right behind the present one."""
        return self._block.create_after(*types, arg_locs=[self._location] * len(types))

    def _ended(self) -> bool:
        operations = self._block.operations
        return len(operations) > 0 and operations[-1].operation.name in _TERMINATORS

    def _jump(self, target: ir.Block, values: Sequence[Value]) -> None:
        self.operation("llvm.br", values, successors=[target])

    def _branch(
        self, condition: Value, then: ir.Block, other: ir.Block, values: Sequence[Value] = ()
    ) -> None:
        segments = ir.DenseI32ArrayAttr.get([1, len(values), 0])
        self.operation(
            "llvm.cond_br",
            [condition, *values],
            successors=[then, other],
            operandSegmentSizes=segments,
        )


class Loop:
    """A loop in a `Code`: its values in this turn."""

    def __init__(self, code: Code, head: ir.Block) -> None:
        self._code = code
        self._head = head
        self.values = [Value(code, argument) for argument in head.arguments]
        self.closed = False

    def again(self, condition: Value, *values: Value) -> None:
        """Another turn with `values` where `condition` holds, else on behind the loop.

        The loop's values keep, behind it, what they had in the last turn.
        """
        code = self._code
        after = code._new_block()
        code._branch(condition, self._head, after, values)
        code._block = after
        self.closed = True
