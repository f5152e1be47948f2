"""The boundary between MLIR's pass manager and a pass in Python.

Nothing that a pass raises crosses it: an exception inside MLIR's C++ would end the process. It is
emitted as diagnostics, the pass fails, and whoever waits in Python gets the original exception.
"""

from __future__ import annotations

import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mlir import ir

from tcgen05_mlir.passes.diagnostics import (
    Diagnostic,
    Note,
    PassFailure,
    describe_exception,
    emit_exception,
    exception_text,
    printable,
)
from tcgen05_mlir.passes.options import parse_options
from tcgen05_mlir.passes.turns import inside

_collectors: dict[int, list[BaseException]] = {}
"""By id of the context: the exceptions of the pipeline that runs there."""


@contextmanager
def collect_exceptions(context: ir.Context) -> Iterator[list[BaseException]]:
    """Collect what passes raise in ``context`` meanwhile, in the order of their failures."""
    outer = _collectors.get(id(context))
    collected = _collectors[id(context)] = []
    try:
        yield collected
    finally:
        if outer is None:
            del _collectors[id(context)]
        else:
            _collectors[id(context)] = outer


@dataclass
class PassHooks:
    """What MLIR calls for a registered pass. Any thread may call it.

    MLIR keeps it for good; the class in it is replaced where it is defined anew.
    """

    name: str
    cls: type[Any]

    def check(self, values: list[str]) -> str | None:
        """Why the option values are wrong; None if they are not."""
        try:
            parse_options(self.cls, values)
        except Exception as error:
            return f"pass '{self.name}': {exception_text(error)}"
        return None

    def run(self, values: list[str], op: ir.Operation) -> bool:
        """Run the pass on ``op``; whether it succeeded. What it raised has been emitted."""
        collector = _collectors.get(id(op.context))
        if self._run(values, op, collector):
            return True
        if collector is None:
            # Where mlir-opt owns the context, no operation may outlive it in a frame of the
            # exception.
            gc.collect()
        return False

    def _run(
        self, values: list[str], op: ir.Operation, collector: list[BaseException] | None
    ) -> bool:
        location, is_root = op.location, op.parent is None
        error: BaseException | None = None
        try:
            with inside(location.context), location:
                _check_returned(parse_options(self.cls, values).run(op))
        except BaseException as raised:
            error = raised
        if _is_erased(op):
            error = ErasedOperation(self.name, location, is_root)
            if collector is not None and not is_root:
                # What is collected is lost if MLIR touches the operation now.
                print(error, file=sys.stderr, flush=True)
        if error is None:
            return True
        emit_exception(error, self.name, location)
        if collector is not None:
            collector.append(error)
        return False


class ErasedOperation(PassFailure):
    """A pass erased the operation that it ran on, of which the pass manager holds a pointer.

    Where ``is_root``, its owner frees it again. A nested one is touched again, and the process
    ends, where the context's multithreading is off.
    """

    def __init__(self, name: str, location: ir.Location, is_root: bool) -> None:
        remedy = "erase what is inside of it, or run the pass on the operation around it"
        message = f"pass '{name}' erased the operation that it ran on"
        super().__init__(Diagnostic(location, message, (Note(location, remedy),)))
        self.is_root = is_root


def _is_erased(op: ir.Operation) -> bool:
    """Whether ``op`` was erased through this very object; through another, nothing can tell."""
    try:
        op.location  # noqa: B018
    except RuntimeError:
        return True
    return False


def _check_returned(result: object) -> None:
    """A wrapper may hide that ``run`` is a generator or a coroutine, and did nothing yet."""
    if inspect.isgenerator(result) or inspect.isasyncgen(result) or inspect.isawaitable(result):
        raise TypeError(
            f"run returned a {type(result).__name__}, which nothing drives: it must do its work "
            "before it returns"
        )


@dataclass
class PipelineHook:
    """What MLIR calls for a registered pipeline; ``source`` is its options' class and builder.

    MLIR keeps it for good; the source is replaced, as one, where it is defined anew.
    """

    name: str
    source: tuple[type[Any], Callable[[Any], str]]

    def build(self, values: list[str]) -> tuple[bool, str]:
        """(True, the pipeline's elements), or (False, why there are none)."""
        options, builder = self.source
        try:
            elements = builder(parse_options(options, values))
        except ValueError as error:
            return False, f"pipeline '{self.name}': {exception_text(error)}"
        except Exception as error:
            return False, f"pipeline '{self.name}' failed: {describe_exception(error)}"
        if not isinstance(elements, str):
            return False, f"pipeline '{self.name}' must be built as a str, got {elements!r}"
        return True, printable(elements)
