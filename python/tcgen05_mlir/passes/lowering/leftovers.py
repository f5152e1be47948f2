"""What would be left of the dialect once its operations are lowered."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import AddressOp, CpOp, SmemLayoutAttr, TmemLayoutAttr, ViewOp
from tcgen05_mlir.passes.access.operations import is_access
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, op_error
from tcgen05_mlir.passes.lowering.views import defining_view
from tcgen05_mlir.passes.memory_spaces import is_tensor
from tcgen05_mlir.passes.texts import attributes_of

_LOWERED = (CpOp, AddressOp)
_TENSOR_REMEDY = "read it with nvvm.tcgen05.ld at the address that tcgen05.address gives"
_PASSED_REMEDY = "pass the i32 address and take the tcgen05.view where it is used"
_SHARED_REMEDY = "use the buffer behind the view and address it by hand"
_ACCESS_REMEDY = "tcgen05-expand-access makes address arithmetic of it: run it before"
_PASSING = (
    "arith.select",
    "cf.br",
    "cf.cond_br",
    "cf.switch",
    "func.call",
    "func.call_indirect",
    "func.return",
    "gpu.return",
    "gpu.launch_func",
    "llvm.select",
    "scf.condition",
    "scf.for",
    "scf.while",
    "scf.yield",
)
_STRAY_REMEDY = "pass the address or the plain buffer and take the tcgen05.view where it is used"


def leftovers(op: ir.OpView) -> Iterator[Diagnostic]:
    """Why operations outside of the dialect could not stand without it.

    A view used by ``op`` [L4]; a tcgen05 layout in the type of a result, of a block argument or of
    a declaration, which upstream's conversions would end the process over [L1].
    """
    if not isinstance(op, _LOWERED):
        yield from _foreign_uses(op)
    if not isinstance(op, ViewOp):
        for name, kind in _types(op.operation):
            if _has_layout(kind):
                message = (
                    f"{name} must have no tcgen05 layout, which only the result of a tcgen05.view "
                    f"has, got {kind} [L1]"
                )
                yield op_error(op, message, _STRAY_REMEDY)


def _foreign_uses(op: ir.OpView) -> Iterator[Diagnostic]:
    for number, operand in enumerate(op.operands):
        view = defining_view(operand)
        if view is None:
            continue
        tensor = is_tensor(operand.type)
        yield op_error(
            op,
            f"operand {number} is a tcgen05.view of {'tensor' if tensor else 'shared'} memory, "
            "which only tcgen05 operations can use [L4]",
            Note(view.location, "the view is here"),
            _tensor_remedy(op) if tensor else _shared_remedy(op),
        )


def _tensor_remedy(op: ir.OpView) -> str:
    return _PASSED_REMEDY if op.operation.name in _PASSING else _TENSOR_REMEDY


def _shared_remedy(op: ir.OpView) -> str:
    if op.operation.name in _PASSING:
        return _STRAY_REMEDY
    return _ACCESS_REMEDY if is_access(op) else _SHARED_REMEDY


def _types(op: ir.Operation) -> Iterator[tuple[str, ir.Type]]:
    """The types of what ``op`` defines; a value that a copy uses is reported there."""
    for number, result in enumerate(op.results):
        if not _is_lowered(result):
            yield f"result {number}", result.type
    blocks = [block for region in op.regions for block in region]
    for block in blocks:
        for number, argument in enumerate(block.arguments):
            if not _is_lowered(argument):
                yield f"block argument {number}", argument.type
    if not blocks:
        for name, attribute in attributes_of(op).items():
            if isinstance(attribute, ir.TypeAttr):
                yield f"'{name}'", attribute.value


def _is_lowered(value: ir.Value) -> bool:
    return any(isinstance(use.owner.opview, _LOWERED) for use in value.uses)


def _has_layout(kind: ir.Type) -> bool:
    if isinstance(kind, ir.FunctionType):
        return any(map(_has_layout, (*kind.inputs, *kind.results)))
    if isinstance(kind, ir.MemRefType):
        return isinstance(kind.layout, (SmemLayoutAttr, TmemLayoutAttr)) or _has_layout(
            kind.element_type
        )
    return False
