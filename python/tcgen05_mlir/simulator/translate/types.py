"""LLVM types as values: parsed from their text, with sizes and offsets as NVPTX lays them out.

`parse_type("!llvm.struct<(i8, array<2 x i64>)>")` has members at 0 and 8 and occupies 24 bytes.
The text is read because the Python bindings show arrays and functions as plain types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

FLOAT_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
TENSOR_SPACE = 6


class UnknownType(ValueError):
    """A type that the simulator has no values for."""


@dataclass(frozen=True)
class Int:
    """An integer of 1 to 64 bits, held zero-extended in the next wider unsigned numpy type."""

    width: int

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(bool) if self.width == 1 else np.dtype(f"u{self.size}")

    @property
    def size(self) -> int:
        """Bytes in memory and in numpy."""
        return next(size for size in (1, 2, 4, 8) if self.width <= 8 * size)

    @property
    def natural(self) -> bool:
        """Numpy's arithmetic wraps where the type does."""
        return self.width == 8 * self.size

    @property
    def alignment(self) -> int:
        return self.size


@dataclass(frozen=True)
class Float:
    """f16, f32 and f64 as numpy's floats; bf16 as its bits in uint16, for want of such a type."""

    name: str

    @property
    def size(self) -> int:
        return FLOAT_BITS[self.name] // 8

    @property
    def alignment(self) -> int:
        return self.size

    @property
    def dtype(self) -> np.dtype:
        return np.dtype("u2" if self.name == "bf16" else f"f{self.size}")


@dataclass(frozen=True)
class Pointer:
    """An address: 32 bits in tensor memory (space 6), 64 elsewhere, shared memory included."""

    space: int

    @property
    def size(self) -> int:
        return 4 if self.space == TENSOR_SPACE else 8

    @property
    def alignment(self) -> int:
        return self.size

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(f"u{self.size}")


@dataclass(frozen=True)
class Vector:
    """A vector of scalars: in numpy an array (count, lanes)."""

    count: int
    element: Scalar

    @property
    def size(self) -> int:
        return self.count * self.element.size

    @property
    def alignment(self) -> int:
        return 1 << (self.size - 1).bit_length()

    @property
    def dtype(self) -> np.dtype:
        return self.element.dtype


@dataclass(frozen=True)
class Array:
    """An array: in Python a tuple of its elements."""

    count: int
    element: Type

    @property
    def members(self) -> tuple[Type, ...]:
        return (self.element,) * self.count

    def offset(self, index: int) -> int:
        return index * stride(self.element)

    @property
    def size(self) -> int:
        return self.count * stride(self.element)

    @property
    def alignment(self) -> int:
        return self.element.alignment


@dataclass(frozen=True)
class Struct:
    """A struct: in Python a tuple of its members."""

    members: tuple[Type, ...]
    packed: bool = False

    def offset(self, index: int) -> int:
        return self._offsets()[index]

    def _offsets(self) -> list[int]:
        offsets, end = [], 0
        for member in self.members:
            start = end if self.packed else align(end, member.alignment)
            offsets.append(start)
            end = start + stride(member)
        return [*offsets, end]

    @property
    def size(self) -> int:
        return align(self._offsets()[-1], self.alignment)

    @property
    def alignment(self) -> int:
        return 1 if self.packed else max((m.alignment for m in self.members), default=1)


@dataclass(frozen=True)
class Void:
    """No value."""

    size: int = 0
    alignment: int = 1


Scalar = Int | Float | Pointer
Aggregate = Array | Struct
Type = Int | Float | Pointer | Vector | Array | Struct | Void


def dtype_of(type_: Type) -> np.dtype:
    """The numpy type of a scalar, or of a vector's elements."""
    assert isinstance(type_, Int | Float | Pointer | Vector), type_
    return type_.dtype


def align(value: int, alignment: int) -> int:
    """The next multiple: `align(5, 4) == 8`."""
    return -(-value // alignment) * alignment


def stride(type_: Type) -> int:
    """Bytes from one element to the next: `stride(vector<3xf32>) == 16`."""
    return align(type_.size, type_.alignment)


@cache
def parse_type(text: str) -> Type:
    """The type of MLIR's text, `!llvm.` before it or not; UnknownType for any other."""
    parser = _Parser(text)
    result = parser.type()
    if parser.tokens:
        raise UnknownType(f"type '{text}' is not simulated")
    return result


_TOKEN = re.compile(r'!llvm\.|[A-Za-z_][\w.]*|\d+|"[^"]*"|->|[<>(),\[\]?*:]')


class _Parser:
    """Recursive descent over the type's tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        # In vector<4xi32> the x is glued to what follows.
        spaced = re.sub(r"(?<=\d)x(?=[!\w])", " x ", text)
        self.tokens = [token for token in _TOKEN.findall(spaced) if token != "!llvm."]

    def type(self) -> Type:
        word = self._next()
        if re.fullmatch(r"i\d+", word):
            return self._int(int(word[1:]))
        if word in FLOAT_BITS:
            return Float(word)
        rule = getattr(self, f"_{word}", None) if word in _COMPOUND else None
        if rule is None:
            raise UnknownType(f"type '{self.text}' is not simulated")
        return rule()

    def _int(self, width: int) -> Int:
        if not 1 <= width <= 64:
            raise UnknownType(f"type '{self.text}': integers of 1 to 64 bits are simulated")
        return Int(width)

    def _ptr(self) -> Pointer:
        if self._peek() != "<":
            return Pointer(0)
        _, space, _ = self._next(), int(self._next()), self._next()
        return Pointer(space)

    def _vector(self) -> Vector:
        count, element = self._counted()
        if not isinstance(element, Int | Float | Pointer):
            raise UnknownType(f"type '{self.text}': vectors of scalars are simulated")
        return Vector(count, element)

    def _array(self) -> Array:
        return Array(*self._counted())

    def _counted(self) -> tuple[int, Type]:
        self._next()
        count = self._next()
        if not count.isdigit() or self._next() != "x":
            raise UnknownType(f"type '{self.text}' is not simulated")
        element = self.type()
        self._next()
        return int(count), element

    def _struct(self) -> Struct:
        self._next()
        if self._peek().startswith('"'):
            self.tokens = self.tokens[2:]
        packed = self._peek() == "packed"
        if packed:
            self._next()
        members = tuple(self._members())
        self._next()
        return Struct(members, packed)

    def _members(self) -> Iterator[Type]:
        if self._next() != "(":
            raise UnknownType(f"type '{self.text}' is not simulated")
        while self._peek() != ")":
            yield self.type()
            if self._peek() == ",":
                self._next()
        self._next()

    def _void(self) -> Void:
        return Void()

    def _peek(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def _next(self) -> str:
        if not self.tokens:
            raise UnknownType(f"type '{self.text}' is not simulated")
        return self.tokens.pop(0)


_COMPOUND = ("ptr", "vector", "array", "struct", "void")
