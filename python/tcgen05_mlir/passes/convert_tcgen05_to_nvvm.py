"""`convert-tcgen05-to-nvvm`: tcgen05.cp, address and view become NVVM or inline assembly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import AddressOp, CpOp, ViewOp
from tcgen05_mlir.passes import Pass, option, register_pass
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.copy import Copy, lower_copy, read_copy
from tcgen05_mlir.passes.lowering.tensor import TensorPlace, find_tensor_place
from tcgen05_mlir.passes.memory_spaces import is_tensor


@register_pass
@dataclass(frozen=True)
class ConvertTcgen05ToNvvm(Pass):
    """Lower the dialect: one instruction per repeat of a copy, in row-major order.

    Nothing is changed unless everything can be lowered; all that cannot is reported, in source
    order. The address operand is always a register. Under `elect.sync` ptxas 13.0.88 makes two
    SASS instructions of a copy, the descriptor's add and the UTCCP. Source: PTX `tcgen05-cp`.
    """

    name: ClassVar[str] = "convert-tcgen05-to-nvvm"
    description: ClassVar[str] = "Lower tcgen05 operations to NVVM or inline assembly"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("arith", "llvm", "memref", "nvvm", "scf")

    path: str = option(
        "nvvm",
        description="copies as nvvm.tcgen05.cp or as inline assembly",
        choices=("nvvm", "inline-asm"),
    )
    descriptor_add: str = option(
        "add64",
        description="add to a descriptor's 64 bits, or to its low word",
        choices=("add64", "split"),
    )

    def run(self, op: ir.Operation) -> None:
        ops = [inner.opview for inner in operations(op)]
        views = [inner for inner in ops if isinstance(inner, ViewOp)]
        failures: list[Diagnostic] = []
        copies: list[Copy] = []
        addresses: list[tuple[AddressOp, TensorPlace]] = []
        for inner in ops:
            try:
                if isinstance(inner, CpOp):
                    copies.append(read_copy(inner))
                elif isinstance(inner, AddressOp):
                    place = find_tensor_place(inner, "view", inner.view, inner.indices)
                    addresses.append((inner, place))
                elif isinstance(inner, ViewOp):
                    failures += _foreign_uses(inner)
            except PassFailure as failure:
                failures += failure.diagnostics
        if failures:
            raise PassFailure(*failures)
        for copy in copies:
            lower_copy(copy, self.path, self.descriptor_add)
        for address, place in addresses:
            _lower_address(address, place)
        for view in views:
            view.operation.erase()


def _lower_address(op: AddressOp, place: TensorPlace) -> None:
    with ir.InsertionPoint(op), op.location:
        base, known = place.emit_base()
        op.address.replace_all_uses_with(emit.add(base, known))
    op.operation.erase()


def _foreign_uses(view: ViewOp) -> Iterator[Diagnostic]:
    """Uses of a view that have no lowering [L4]."""
    tensor = is_tensor(view.view.type)
    for use in view.view.uses:
        user = use.owner
        if isinstance(user.opview, (CpOp, AddressOp)):
            continue
        space = "tensor" if tensor else "shared"
        remedy = (
            "read it with nvvm.tcgen05.ld at the address that tcgen05.address gives"
            if tensor
            else "use the buffer behind the view and address it by hand"
        )
        yield op_error(
            user,
            f"operand {use.operand_number} is a tcgen05.view of {space} memory, which only "
            "tcgen05 operations can use [L4]",
            remedy,
            Note(view.location, "the view is here"),
        )
