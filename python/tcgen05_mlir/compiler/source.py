"""A module from whatever the caller has: a module, text, bytecode, a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from os import PathLike

from mlir import ir
from mlir.ir import MLIRError  # pyright: ignore[reportAttributeAccessIssue]

from tcgen05_mlir.emulation.abi import SITES_ATTRIBUTE
from tcgen05_mlir.file_kinds import BYTECODE, code_kind, shown
from tcgen05_mlir.model.targets import FIRST_EMULATED, TARGETS, Target
from tcgen05_mlir.passes.device_code import gpu_modules
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note
from tcgen05_mlir.passes.pipeline import PipelineError

_UNSUPPORTED = re.compile(r"^'(nvvm\.[\w.]+)' op is not supported on (sm_\w+)$")


def load(source: ir.Module | str | bytes | PathLike[str]) -> ir.Module:
    """The module of `source`, in a Context of its own unless it is a module already.

    A str is MLIR text where it has a newline or a brace, else a path. Raises TypeError for another
    kind of source, ValueError for text or a name that is not UTF-8 and for PTX or a cubin, OSError
    for a file that cannot be read, mlir.ir.MLIRError for text that does not parse or verify.
    """
    if isinstance(source, ir.Module):
        return source
    if not isinstance(source, (str, bytes, PathLike)):
        raise TypeError(
            f"'source' must be a module, MLIR text, bytecode or a path, got {type(source).__name__}"
        )
    with ir.Context():
        try:
            return _parse(source)
        except MLIRError as error:
            raise _own_error(error) from None


def carries_target(module: ir.Module) -> bool:
    """A gpu.module in it says what it is to be compiled for."""
    return any("targets" in found.attributes for found in gpu_modules(module.operation))


def is_emulated(module: ir.Module) -> bool:
    """`tcgen05-emulate` has been here: what `compile(..., emit="mlir", emulate=True)` returns."""
    return any(SITES_ATTRIBUTE in found.attributes for found in gpu_modules(module.operation))


def _parse(source: str | bytes | PathLike[str]) -> ir.Module:
    if isinstance(source, bytes) or (isinstance(source, str) and re.search(r"[\n{]", source)):
        _check_content("'source'", source)
        return ir.Module.parse(source)
    name = os.fsdecode(source)
    with open(name, "rb") as file:  # For OSError: MLIR's own error does not say why.
        _check_content(f"'{shown(name)}'", file.read())
    _check_name(name)
    return ir.Module.parseFile(name)


def _check_name(name: str) -> None:
    """MLIR holds the name in every location."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"the name of '{shown(name)}' must be UTF-8: rename the file, or give its text"
        ) from None


def _check_content(name: str, source: str | bytes) -> None:
    kind = code_kind(source if isinstance(source, bytes) else source.encode(errors="replace"))
    if kind != "MLIR":
        what = "PTX" if kind == "PTX" else "a cubin"
        raise ValueError(f"{name} must be MLIR text or bytecode, got {what}")
    _check_encoding(name, source)


def _check_encoding(name: str, source: str | bytes) -> None:
    """Raises ValueError for text that Python could not show in a diagnostic."""
    try:
        data = source if isinstance(source, bytes) else source.encode()
        if not data.startswith(BYTECODE):
            data.decode()
    except UnicodeError as error:
        before = source[: getattr(error, "start", 0)]
        line = 1 + (before.count(b"\n") if isinstance(before, bytes) else before.count("\n"))
        raise ValueError(f"{name} must be UTF-8 text or bytecode, line {line} is neither") from None


def _own_error(error: MLIRError) -> PipelineError:
    """The same, with a note where only upstream's list of chips is behind.

    Upstream's own does not go through pickle, to other processes.
    """
    return PipelineError(error.message, [_noted(info) for info in error.error_diagnostics])


def _noted(info: ir.DiagnosticInfo) -> Diagnostic:
    match = _UNSUPPORTED.match(info.message)
    target = TARGETS.get(match[2]) if match else None
    remedies = _remedies(match[1], target) if match is not None and target is not None else ()
    # A remedy takes the place of upstream's own note, which prints the operation.
    notes = tuple(Note(info.location, text) for text in remedies)
    notes = notes or tuple(Note(note.location, note.message) for note in info.notes)
    return Diagnostic(info.location, info.message, notes)


def _remedies(name: str, target: Target) -> Iterator[str]:
    if target.tcgen05:
        yield (
            f"LLVM 22.1.8 does not know that {target.chip} has it: leave the target out of the "
            "file and give the chip when compiling, or add verifyTarget = false to the target"
        )
    elif name.startswith("nvvm.tcgen05.") and target.number >= FIRST_EMULATED:
        yield (
            "to emulate it there, add verifyTarget = false to the target, or leave the target out "
            "of the file and give the chip when compiling"
        )
