"""Diagnostics of passes, and how an exception becomes one.

A pass reports by raising `PassFailure` with one `Diagnostic` for each thing that is wrong; all are
emitted, each with its notes, and the pass fails. Any other exception becomes one diagnostic at the
operation that the pass ran on.

`Diagnostic` and `Note` have the attributes of upstream's ``mlir.ir.DiagnosticInfo``: severity,
location, message and notes. One handler, recursive over the notes, serves a failure to parse and a
failure of a pass. ``severity`` is upstream's enum itself: ``is mlir.ir.DiagnosticSeverity.ERROR``.
"""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass
from typing import Any

from mlir import ir
from mlir.ir import DiagnosticSeverity

from tcgen05_mlir._mlir_libs import _tcgen05


@dataclass(frozen=True)
class Note:
    """A note under a diagnostic: where to look, or the remedy."""

    location: ir.Location
    message: str

    def __post_init__(self) -> None:
        _check_types(self, location=ir.Location, message=str)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_note, (str(self.location), self.message)

    @property
    def severity(self) -> DiagnosticSeverity:
        """``DiagnosticSeverity.NOTE``, as in upstream's notes."""
        return DiagnosticSeverity.NOTE

    @property
    def notes(self) -> tuple[Note, ...]:
        """Empty: a note has none of its own."""
        return ()

    def __str__(self) -> str:
        return f"{location_text(self.location)}: note: {self.message}"


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic: a location, a message that ends in the rule's id, notes, and its severity.

    ``severity`` is ``mlir.ir.DiagnosticSeverity.ERROR``, ``WARNING`` or ``REMARK``; ``NOTE`` raises
    ValueError, since a `Note` belongs to a diagnostic. A field of another type raises TypeError.

    ``str()`` has a line for it and one for each note, such as
    ``"f.mlir":3:5: error: 'tcgen05.cp' op 'dst' lies outside of the 128 lanes [F5]``.

    Diagnostics and notes go through pickle: their locations are then in a context of their own.
    """

    location: ir.Location
    message: str
    notes: tuple[Note, ...] = ()
    severity: DiagnosticSeverity = DiagnosticSeverity.ERROR

    def __post_init__(self) -> None:
        _check_types(
            self, location=ir.Location, message=str, notes=tuple, severity=DiagnosticSeverity
        )
        for note in self.notes:
            if not isinstance(note, Note):
                raise TypeError(f"'notes' of Diagnostic must be Note objects, got {note!r}")
        if self.severity is DiagnosticSeverity.NOTE:
            raise ValueError("'severity' of Diagnostic must not be NOTE: attach a Note to another")

    def __str__(self) -> str:
        severity = self.severity.name.lower()
        first = f"{location_text(self.location)}: {severity}: {self.message}"
        return "\n".join([first, *map(str, self.notes)])

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (str(self.location), self.message, self.notes, self.severity.name)
        return _restored_diagnostic, parts

    def emit(self) -> None:
        """Hand it to the diagnostic handlers of the location's context, its texts `printable`."""
        severity: Any = self.severity.name.lower()
        notes = [(note.location, printable(note.message)) for note in self.notes]
        _tcgen05.emit(self.location, severity, printable(self.message), notes)


class PassFailure(Exception):
    """Raised by a pass that found something wrong; each diagnostic is emitted.

    Raises TypeError for anything but a `Diagnostic`.
    """

    def __init__(self, *diagnostics: Diagnostic) -> None:
        for diagnostic in diagnostics:
            if not isinstance(diagnostic, Diagnostic):
                raise TypeError(f"PassFailure takes Diagnostic objects, got {diagnostic!r}")
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[Any, ...]:
        # A subclass may be made from other arguments.
        return _restored_failure, (type(self), self.args), self.__dict__

    def __str__(self) -> str:
        return "\n".join(map(str, self.diagnostics))


def _restored_location(text: str) -> ir.Location:
    """A location as it was printed; one that only its own context understands becomes a name."""
    context = ir.Context()
    context.allow_unregistered_dialects = True
    try:
        return ir.Location.from_attr(ir.Attribute.parse(text, context), context)
    except ir.MLIRError:  # pyright: ignore[reportAttributeAccessIssue]
        return ir.Location.name(text, context=context)


def _restored_note(location: str, message: str) -> Note:
    return Note(_restored_location(location), message)


def _restored_diagnostic(
    location: str, message: str, notes: tuple[Note, ...], severity: str
) -> Diagnostic:
    return Diagnostic(_restored_location(location), message, notes, DiagnosticSeverity[severity])


def _restored_failure(kind: type[PassFailure], args: tuple[Any, ...]) -> PassFailure:
    """The exception as it was before its fields are set."""
    return kind.__new__(kind, *args)


def _check_types(instance: object, **types: type) -> None:
    for field, wanted in types.items():
        value = getattr(instance, field)
        if not isinstance(value, wanted):
            raise TypeError(
                f"'{field}' of {type(instance).__name__} must be of type {wanted.__name__}, "
                f"got {value!r}"
            )


def op_error(op: ir.Operation | ir.OpView, message: str, *notes: str | Note) -> Diagnostic:
    """An error at ``op``, worded like a verifier's: ``'tcgen05.cp' op `` goes before the message.

    A note that is a str is placed at ``op`` too.
    """
    location = op.location
    placed = tuple(Note(location, note) if isinstance(note, str) else note for note in notes)
    return Diagnostic(location, f"'{op.operation.name}' op {message}", placed)


def location_text(location: ir.Location) -> str:
    """``"f.mlir":3:5``: the location without ``loc(...)``."""
    return str(location)[len("loc(") : -1]


def emit_exception(error: BaseException, pass_name: str, location: ir.Location) -> None:
    """Emit what ``error``, which left a pass, has to say.

    With TCGEN05_MLIR_TRACEBACK=1 in the environment the Python traceback goes to stderr.
    """
    if os.environ.get("TCGEN05_MLIR_TRACEBACK") == "1":
        traceback.print_exception(type(error), error, error.__traceback__, file=sys.stderr)
    # A subclass may not have called PassFailure's __init__.
    diagnostics = getattr(error, "diagnostics", ()) if isinstance(error, PassFailure) else ()
    for diagnostic in diagnostics:
        diagnostic.emit()
    if not diagnostics:
        Diagnostic(location, f"pass '{pass_name}' failed: {describe_exception(error)}").emit()


def describe_exception(error: BaseException) -> str:
    """``ValueError: boom``, or the type alone where there is no text; see `exception_text`."""
    text = exception_text(error)
    name = printable(type(error).__name__)
    return f"{name}: {text}" if text else name


def exception_text(error: BaseException) -> str:
    """``str(error)``, `printable`; where that raises, its ``repr``, or which error hides it."""
    try:
        return printable(str(error))
    except Exception as problem:
        reason = type(problem).__name__
    try:
        return printable(repr(error))
    except Exception:
        return printable(f"its text cannot be shown, __str__ raised {reason}")


def printable(text: str) -> str:
    """``text`` as MLIR can hold it: NUL and lone surrogates escaped, ``a\\x00b\\udcff``."""
    return text.replace("\0", r"\x00").encode("utf-8", "backslashreplace").decode("utf-8")
