"""Device code for the tests of this folder, and the whole diagnostics that it gets."""

from __future__ import annotations

import re

import tcgen05_mlir
from mlir import ir

TARGET_100A = '[#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx86">]'


def gpu_module(body: str, target: str = "", name: str = "m") -> str:
    """`body` as line 2 and following of a gpu.module."""
    return f"gpu.module @{name} {target} {{\n{body}\n}}\n"


def kernel(body: str, arguments: str = "", name: str = "k") -> str:
    """An LLVM kernel; `body` starts in its second line."""
    return f"llvm.func @{name}({arguments}) attributes {{nvvm.kernel}} {{\n{body}\nllvm.return\n}}"


def run(text: str, pipeline: str) -> str:
    """The module that the pipeline makes of `text`, as text."""
    with ir.Context():
        return str(tcgen05_mlir.run_pipeline(ir.Module.parse(text), pipeline))


def diagnostics(text: str, pipeline: str) -> list[str]:
    """All that a failing pipeline says, one `LINE:COLUMN: error: ...` or `... note: ...` each."""
    with ir.Context():
        module = ir.Module.parse(text)
        before = str(module)
        try:
            tcgen05_mlir.run_pipeline(module, pipeline)
        except tcgen05_mlir.MLIRError as error:
            assert str(module) == before
            return lines(error)
    raise AssertionError(f"'{pipeline}' did not fail")


def lines(error: ir.MLIRError) -> list[str]:
    """The diagnostics of an error with their places in the text that was parsed.

    A pipeline that does not parse has no place: then it is the one text that MLIR printed.
    """
    if not error.error_diagnostics:
        return [str(error)]
    return [
        f"{_place(part.location)}: {severity}: {part.message}"
        for diagnostic in error.error_diagnostics
        for severity, part in [
            ("error", diagnostic),
            *(("note", note) for note in diagnostic.notes),
        ]
    ]


def whole(message: str) -> str:
    """A pattern for exactly this message."""
    return rf"\A{re.escape(message)}\Z"


def _place(location: ir.Location) -> str:
    return f"{location.start_line}:{location.start_col}"
