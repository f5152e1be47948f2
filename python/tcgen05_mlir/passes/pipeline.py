"""`run_pipeline`: a pipeline, by its text, on a clone of a module."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from mlir import ir
from mlir.ir import DiagnosticSeverity

from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.passes.adaptor import ErasedOperation, collect_exceptions
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note
from tcgen05_mlir.passes.turns import turn

_ANCHORS = ("builtin.module", "any")


class PipelineError(ir.MLIRError):  # pyright: ignore[reportAttributeAccessIssue]
    """A pipeline that failed, with all its error diagnostics.

    ``error_diagnostics`` are `Diagnostic` objects, with the attributes of ``ir.DiagnosticInfo``:
    a handler of parse failures serves them too. ``str()`` shows each with its location and notes.
    ``module`` is the clone as the failing pass left it, for a look only: it may not verify; None
    where a pass erased the module itself. It also
    keeps alive the operations that the traceback of ``__cause__`` refers to. It does not go through
    pickle; all else does.
    """

    module: ir.Module | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: value for name, value in self.__dict__.items() if name != "module"}
        return type(self), self.args, fields


def run_pipeline(
    module: ir.Module,
    pipeline: str,
    *,
    verify: bool = True,
    on_diagnostic: Callable[[Diagnostic], Any] | None = None,
) -> ir.Module:
    """Run ``pipeline`` on a clone of ``module`` and return the clone. ``module`` is never changed.

    ``pipeline`` is the text of MLIR's pass pipelines, with or without ``builtin.module(...)``
    around it: ``"canonicalize,gpu.module(convert-gpu-to-nvvm)"``. ``verify`` runs the verifier
    after each pass. The interpreter lock is released meanwhile, so Python passes nested in several
    operations run on all threads of the context, and other Python threads go on.

    Use one Context per thread; what other threads do in theirs is no matter. Calls on one Context
    take turns. Anything else on this Context from another thread meanwhile, be it printing or
    verifying, can wait for the context's threads while it holds the interpreter lock, for which
    their passes wait: then both wait forever.

    Keep the result while you use its operations: the bindings free them with it.

    Diagnostics go, after the run and on this thread, to ``on_diagnostic`` where it is given: all
    of them, in order. Otherwise warnings and remarks go to the context's diagnostic handlers.

    Raises mlir.ir.MLIRError (a `PipelineError`) with all error diagnostics where a pass failed; an
    exception that a Python pass raised is its ``__cause__``. A pipeline that does not parse raises
    it too, with MLIR's text. A module or pipeline of another type raises TypeError.
    """
    if not isinstance(module, ir.Module):
        raise TypeError(f"'module' must be an mlir.ir.Module, got {type(module).__name__}")
    if not isinstance(pipeline, str):
        raise TypeError(f"'pipeline' must be a str, got {type(pipeline).__name__}")
    with turn(module.context), collect_exceptions(module.context) as exceptions:
        try:
            result, succeeded, collected = _tcgen05.run_pipeline(module, anchored(pipeline), verify)
        except ValueError as error:
            raise PipelineError(str(error).strip(), []) from None
    diagnostics = [_diagnostic(*parts) for parts in collected]
    _deliver(diagnostics, succeeded, on_diagnostic)
    if not succeeded:
        erased = any(isinstance(error, ErasedOperation) and error.is_root for error in exceptions)
        if erased:
            _never_free(result)
        _raise_failure(diagnostics, exceptions, None if erased else result)
    return result


def _never_free(module: ir.Module) -> None:
    """Keep a module whose operation is gone: freeing it would free the operation again."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(module))


def anchored(pipeline: str) -> str:
    """``pipeline`` inside ``builtin.module(...)``, unless it is already.

    ``anchored("cse") == "builtin.module(cse)"``; ``builtin.module(a),builtin.module(b)`` has two
    elements for nested modules, so it is wrapped too.
    """
    text = pipeline.strip()
    name, parenthesis, rest = text.partition("(")
    is_anchored = parenthesis and name.strip() in _ANCHORS and _closes_at_end(rest)
    return text if is_anchored else f"builtin.module({text})"


def _closes_at_end(text: str) -> bool:
    """Whether a parenthesis opened before ``text`` is closed by its last character."""
    depth = 1
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return position == len(text) - 1
    return False


def _diagnostic(severity: str, location: ir.Location, message: str, notes: list[Any]) -> Diagnostic:
    placed = tuple(Note(note_location, text) for _, note_location, text, _ in notes)
    return Diagnostic(location, message, placed, DiagnosticSeverity[severity.upper()])


def _deliver(
    diagnostics: list[Diagnostic],
    succeeded: bool,
    on_diagnostic: Callable[[Diagnostic], Any] | None,
) -> None:
    for diagnostic in diagnostics:
        if on_diagnostic is not None:
            on_diagnostic(diagnostic)
        elif succeeded or diagnostic.severity is not DiagnosticSeverity.ERROR:
            diagnostic.emit()


def _raise_failure(
    diagnostics: list[Diagnostic], exceptions: list[BaseException], module: ir.Module | None
) -> None:
    cause = exceptions[0] if exceptions else None
    if cause is not None and not isinstance(cause, Exception):
        raise cause  # KeyboardInterrupt, SystemExit: nobody's diagnostic.
    errors = [
        diagnostic for diagnostic in diagnostics if diagnostic.severity is DiagnosticSeverity.ERROR
    ]
    failure = PipelineError("Failure while executing pass pipeline", errors)
    failure.module = module
    raise failure from cause
