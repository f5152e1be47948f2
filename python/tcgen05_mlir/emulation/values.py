"""`Value`: an integer, pointer or vector in a function that `code.Code` writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlir import ir

if TYPE_CHECKING:
    from .code import Code

_PREDICATES = {"eq": 0, "ne": 1, "ult": 6, "ule": 7, "ugt": 8, "uge": 9}
"""Numbers of LLVM's integer predicates in the llvm dialect, the unsigned ones."""


def integer_type(width: int) -> ir.Type:
    """The signless integer type of `width` bits."""
    return ir.IntegerType.get_signless(width)


def pointer_type(space: int) -> ir.Type:
    """`!llvm.ptr<space>`: 0 generic, 1 global, 3 shared, 7 shared of the cluster."""
    return ir.Type.parse(f"!llvm.ptr<{space}>" if space else "!llvm.ptr")


def vector_type(count: int, width: int = 32) -> ir.Type:
    """`count` integers."""
    return ir.VectorType.get([count], integer_type(width))


class Value:
    """An SSA value with arithmetic: unsigned, wrapping, an int beside it of the same width."""

    __slots__ = ("code", "ir")

    def __init__(self, code: Code, value: ir.Value) -> None:
        self.code = code
        self.ir = value

    @property
    def width(self) -> int:
        """Bits of an integer."""
        return ir.IntegerType(self.ir.type).width

    def __add__(self, other: Value | int) -> Value:
        return self if _is(other, 0) else self._binary("llvm.add", other)

    def __sub__(self, other: Value | int) -> Value:
        return self if _is(other, 0) else self._binary("llvm.sub", other)

    def __mul__(self, other: Value | int) -> Value:
        return self if _is(other, 1) else self._binary("llvm.mul", other)

    def __floordiv__(self, other: Value | int) -> Value:
        return self if _is(other, 1) else self._binary("llvm.udiv", other)

    def __mod__(self, other: Value | int) -> Value:
        return self._binary("llvm.urem", other)

    def __and__(self, other: Value | int) -> Value:
        return self._binary("llvm.and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._binary("llvm.or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._binary("llvm.xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self if _is(other, 0) else self._binary("llvm.shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        return self if _is(other, 0) else self._binary("llvm.lshr", other)

    def __invert__(self) -> Value:
        return self ^ ((1 << self.width) - 1)

    def __lt__(self, other: Value | int) -> Value:
        return self._compare("ult", other)

    def __le__(self, other: Value | int) -> Value:
        return self._compare("ule", other)

    def __gt__(self, other: Value | int) -> Value:
        return self._compare("ugt", other)

    def __ge__(self, other: Value | int) -> Value:
        return self._compare("uge", other)

    def equals(self, other: Value | int) -> Value:
        """i1: the same."""
        return self._compare("eq", other)

    def differs(self, other: Value | int) -> Value:
        """i1: not the same."""
        return self._compare("ne", other)

    def select(self, then: Value | int, other: Value) -> Value:
        """`then` where this i1 holds, else `other`."""
        then = other.like(then)
        return self.code.value("llvm.select", [self, then, other], other.ir.type)

    def least(self, other: Value | int) -> Value:
        """The smaller of both."""
        other = self.like(other)
        return self.code.value("llvm.intr.umin", [self, other], self.ir.type)

    def most(self, other: Value | int) -> Value:
        """The larger of both."""
        other = self.like(other)
        return self.code.value("llvm.intr.umax", [self, other], self.ir.type)

    def ones(self) -> Value:
        """How many bits are 1."""
        return self.code.value("llvm.intr.ctpop", [self], self.ir.type)

    def lowest(self) -> Value:
        """The number of the lowest 1 bit; the width for zero."""
        return self.code.value(
            "llvm.intr.cttz", [self], self.ir.type, is_zero_poison=ir.BoolAttr.get(False)
        )

    def to(self, width: int) -> Value:
        """In `width` bits: cut off, or zeros in front."""
        if width == self.width:
            return self
        name = "llvm.trunc" if width < self.width else "llvm.zext"
        return self.code.value(name, [self], integer_type(width))

    def pointer(self, space: int) -> Value:
        """This address as a pointer."""
        return self.code.value("llvm.inttoptr", [self], pointer_type(space))

    def address(self, width: int = 64) -> Value:
        """This pointer as an integer."""
        return self.code.value("llvm.ptrtoint", [self], integer_type(width))

    def like(self, other: Value | int) -> Value:
        """`other` as a value, an int in this one's width."""
        return self.code.constant(other, self.width) if isinstance(other, int) else other

    def _binary(self, name: str, other: Value | int) -> Value:
        return self.code.value(name, [self, self.like(other)], self.ir.type)

    def _compare(self, predicate: str, other: Value | int) -> Value:
        number = ir.IntegerAttr.get(integer_type(64), _PREDICATES[predicate])
        operands = [self, self.like(other)]
        return self.code.value("llvm.icmp", operands, integer_type(1), predicate=number)


def _is(value: Value | int, number: int) -> bool:
    return isinstance(value, int) and value == number
