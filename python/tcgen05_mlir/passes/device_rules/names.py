"""Rule T5: the names of functions and globals are ones that PTX has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS, symbol_name
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.texts import string_text

_NAMED = (*FUNCTIONS, "memref.global", "llvm.mlir.global")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_$]*|[_$][A-Za-z0-9_$]+")
"""PTX `identifiers`, less those that start with `%`: LLVM does not write them."""

_REMEDY = "rename it"


def misnamed(op: ir.Operation) -> Iterator[Diagnostic]:
    """The error where `op` defines a symbol that PTX cannot name.

    Names of intrinsics are LLVM's own; in a global that no other module sees it replaces `.` and
    `@`.
    """
    if op.name not in _NAMED:
        return
    name = symbol_name(op)
    spelled = re.sub("[.@]", "_", name) if _is_local_global(op) else name
    if not _NAME.fullmatch(spelled) and not _is_intrinsic(op, name):
        message = (
            "'sym_name' must be a PTX identifier, a letter and then letters, digits, '_', '$', or "
            f"'_' or '$' and at least one of these, got {_quoted(name)} [T5]"
        )
        yield op_error(op, message, _REMEDY)


def _is_local_global(op: ir.Operation) -> bool:
    if op.name == "memref.global":
        visibility = op.attributes.get("sym_visibility", None)
        return visibility is not None and string_text(visibility) == "private"
    linkage = str(op.attributes.get("linkage", ""))
    return op.name == "llvm.mlir.global" and linkage in (
        "#llvm.linkage<internal>",
        "#llvm.linkage<private>",
    )


def _is_intrinsic(op: ir.Operation, name: str) -> bool:
    return op.name in FUNCTIONS and name.startswith("llvm.") and not list(op.regions[0])


def _quoted(name: str) -> str:
    """The name in quotes; what is not printable ASCII as an escape, `'\\x00'` say."""
    return ascii(name)
