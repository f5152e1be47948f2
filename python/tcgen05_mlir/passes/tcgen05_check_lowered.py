"""`tcgen05-check-lowered`: what LLVM cannot take is said before the translation to LLVM IR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.device_rules.assembly import misassembled
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error

_LOWERED = ("llvm.", "nvvm.")
_CAST = "builtin.unrealized_conversion_cast"
_REMEDY = "lower it to llvm and nvvm operations before this pipeline"


@register_pass
@dataclass(frozen=True)
class CheckLowered(Pass):
    """Device code holds only operations of the llvm and nvvm dialects.

    Names every other operation. The casts that conversions leave around such an operation are its
    consequence: they are named only where nothing else is. T8: the constraints and the text of
    inline assembly fit its operands, that of operations which have become assembly included; LLVM
    would end the process. Source: LLVM's `inline-assembler-expressions`.
    """

    name: ClassVar[str] = "tcgen05-check-lowered"
    description: ClassVar[str] = "Check that device code is down to the llvm and nvvm dialects"

    def run(self, op: ir.Operation) -> None:
        left = [
            inner
            for module in gpu_modules(op)
            for inner in operations(module)
            if not inner.name.startswith(_LOWERED)
        ]
        causes = [inner for inner in left if inner.name != _CAST]
        if left:
            raise PassFailure(*map(_unlowered, causes or left))
        misfits = [
            diagnostic
            for module in gpu_modules(op)
            for inner in operations(module)
            for diagnostic in misassembled(inner)
        ]
        if misfits:
            raise PassFailure(*misfits)


def _unlowered(op: ir.Operation) -> Diagnostic:
    kinds = [str(value.type) for value in (*op.operands, *op.results)]
    types = f" on {', '.join(kinds)}" if kinds else ""
    return op_error(op, f"has no lowering to LLVM{types}", _REMEDY)
