"""`tcgen05-spell-math`: math operations of the llvm dialect as calls of their intrinsics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations

_REFUSED = ("ceil", "copysign", "fabs", "floor", "round", "roundeven", "sqrt")
_INTRINSICS = {f"llvm.intr.{name}": f"llvm.{name}" for name in _REFUSED}
"""What convert-gpu-to-nvvm refuses although LLVM has instructions for it."""


@register_pass
@dataclass(frozen=True)
class SpellMath(Pass):
    """Writes `llvm.intr.sqrt` and its like as `llvm.call_intrinsic "llvm.sqrt"`.

    convert-gpu-to-nvvm takes them for what other math operations become without a library, and
    fails: so code that is down to the llvm dialect already could not be compiled. Those for which
    LLVM has no instruction (`llvm.intr.exp`, say) stay, and are refused there. Source: LLVM
    22.1.8, which was asked for each of them and each type.
    """

    name: ClassVar[str] = "tcgen05-spell-math"
    description: ClassVar[str] = "Write math operations of the llvm dialect as intrinsic calls"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            for inner in list(operations(module)):
                if inner.name in _INTRINSICS:
                    _respell(inner)


def _respell(op: ir.Operation) -> None:
    attributes = {
        "intrin": ir.StringAttr.get(_INTRINSICS[op.name]),
        "fastmathFlags": op.attributes["fastmathFlags"],
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(op.operands), 0]),
    }
    call = ir.Operation.create(
        "llvm.call_intrinsic",
        results=[op.result.type],
        operands=list(op.operands),
        attributes=attributes,
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.result.replace_all_uses_with(call.result)
    op.erase()
