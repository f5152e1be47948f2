"""Rule T10: the scopes of atomics and fences are ones that the backend knows."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.texts import string_text

_SCOPES = ("", "singlethread", "block", "cluster", "device")
_REMEDY = "leave it out for the whole system"


def unknown_scope(op: ir.Operation) -> Iterator[Diagnostic]:
    """The error for `llvm.fence syncscope("foo") seq_cst`."""
    scope = op.attributes.get("syncscope", None)
    if isinstance(scope, ir.StringAttr) and string_text(scope) not in _SCOPES:
        wanted = ", ".join(f"'{name}'" for name in _SCOPES[1:])
        message = f"'syncscope' must be one of {wanted}, got {string_text(scope)!a} [T10]"
        yield op_error(op, message, _REMEDY)
