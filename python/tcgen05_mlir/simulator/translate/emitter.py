"""Writes the Python code of one kernel: names, constants, lines; the rules are in other files.

The code is one generator function per kernel, run once per warp. Its locals: `w` the warp of the
engine, `h` the warp of the machine, `f` the group of lanes that runs, `m` its mask, `full` whether
it is all that is alive, `pc` the node that comes next, and one local per value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from mlir import ir

from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.simulator.translate.flow import Frame
from tcgen05_mlir.simulator.translate.source import OpSite, site_of
from tcgen05_mlir.simulator.translate.types import (
    Aggregate,
    Type,
    UnknownType,
    Vector,
    dtype_of,
    parse_type,
)


class Emitter:
    """Collects code. `kept`: names that another group's lanes may still need when one is written.

    `late`: names that may hold registers of a tcgen05.ld that nobody has waited for.
    """

    def __init__(self, kept: set[str], late: set[str]) -> None:
        self.kept, self.late = kept, late
        self.lines: list[str] = []
        self.namespace: dict[str, Any] = {}
        self.depth = 1
        self.alias = ""
        """What errors call the operation, where that is not its name."""
        self.op: ir.Operation
        self.frame: Frame
        self._constants: dict[Any, str] = {}

    # lines ------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    def define(self, value: ir.Value, expression: str) -> None:
        """The code that gives a result its value, in the lanes that run."""
        name = self.frame.names[value]
        if name in self.kept:
            expression = f"{expression} if full else {self.merged(name, expression)}"
        self.line(f"{name} = {expression}")

    def merged(self, name: str, expression: str) -> str:
        """The value of a name when only some of its lanes get a new one: they are looked at."""
        if name in self.late:
            site = self.site()
            return f"merge(m, settle(h, {expression}, {site}), settle(h, {name}, {site}))"
        return f"merge(m, {expression}, {name})"

    def result(self, expression: str) -> None:
        """Defines the operation's only result."""
        self.define(self.op.results[0], expression)

    # values -----------------------------------------------------------------------------------

    def name(self, value: ir.Value) -> str:
        """A value where it is only renamed: registers of a tcgen05.ld may be on their way."""
        return self.frame.names[value]

    def use(self, value: ir.Value) -> str:
        """A value where its bits matter."""
        name = self.frame.names[value]
        return f"settle(h, {name}, {self.site()})" if name in self.late else name

    def operand(self, index: int) -> str:
        return self.use(self.op.operands[index])

    def lanes(self, index: int) -> str:
        """Operand (32,)."""
        return f"spread({self.operand(index)})"

    def operands(self) -> list[str]:
        return [self.use(value) for value in self.op.operands]

    def type(self, value: ir.Value) -> Type:
        try:
            return parse_type(str(value.type))
        except UnknownType as error:
            raise self.refuse(str(error)) from None

    def element(self, value: ir.Value) -> Type:
        """Of a vector, its element's type; else the value's own."""
        type_ = self.type(value)
        return type_.element if isinstance(type_, Vector) else type_

    @property
    def result_type(self) -> Type:
        return self.type(self.op.results[0])

    # constants --------------------------------------------------------------------------------

    def constant(self, value: Any, prefix: str = "K") -> str:
        """The name of an object that the code refers to."""
        key: Any = id(value)
        if isinstance(value, np.generic):
            key = (value.dtype.str, value.tobytes())
        elif isinstance(value, np.ndarray):
            key = (value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, OpSite | np.dtype):
            key = value
        if key not in self._constants:
            self._constants[key] = f"{prefix}{len(self._constants)}"
            self.namespace[self._constants[key]] = value
        return self._constants[key]

    def function(self, function: Callable[..., Any]) -> str:
        """The name of a function that the code calls."""
        self.namespace[function.__name__] = function
        return function.__name__

    def number(self, type_: Type, value: int) -> str:
        """An integer constant in the numpy type of `type_`."""
        return self.constant(dtype_of(type_).type(value & (1 << 8 * type_.size) - 1))

    def dtype(self, type_: Type) -> str:
        return self.constant(dtype_of(type_))

    def site(self) -> str:
        site = site_of(self.op)
        return self.constant(OpSite(site.location, self.alias or site.name), "S")

    # attributes -------------------------------------------------------------------------------

    def attribute(self, name: str, default: str = "") -> str:
        """An attribute's text: `#nvvm.cta_group<cta_2>` is `cta_2`, a string its content."""
        if name not in self.op.attributes:
            return default
        text = str(self.op.attributes[name])
        if "<" in text and text.startswith("#"):
            return text[text.index("<") + 1 : text.rindex(">")].split()[-1]
        return text.split(":")[0].strip().strip('"').removeprefix("#nvvm.")

    def integer(self, name: str, default: int = 0) -> int:
        attributes = self.op.attributes
        return ir.IntegerAttr(attributes[name]).value if name in attributes else default

    def refuse(self, why: str) -> PassFailure:
        """The error for an operation that is known, but not in this form."""
        return PassFailure(op_error(self.op, why))


def zero(type_: Type) -> Any:
    """The value of undef, poison and zeroinitializer: zero, the same in all lanes."""
    if isinstance(type_, Aggregate):
        return tuple(map(zero, type_.members))
    if isinstance(type_, Vector):
        return np.zeros((type_.count, 1), type_.dtype)
    return dtype_of(type_).type(0)
