"""`convert-tcgen05-to-nvvm`: tcgen05.cp, address and view become NVVM or inline assembly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import AddressOp, CpOp, ViewOp
from tcgen05_mlir.passes import Pass, option, register_pass
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure
from tcgen05_mlir.passes.footprint.questions import Reader
from tcgen05_mlir.passes.footprint.static_memory import oversized
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.copy import Copy, lower_copy, read_copy
from tcgen05_mlir.passes.lowering.leftovers import leftovers
from tcgen05_mlir.passes.lowering.tensor import TensorPlace, find_tensor_place, load_register
from tcgen05_mlir.passes.memory_spaces import is_tensor
from tcgen05_mlir.passes.tcgen05_check_memory import shared_allocations


@register_pass
@dataclass(frozen=True)
class ConvertTcgen05ToNvvm(Pass):
    """Prove every copy, then lower the dialect: one instruction per repeat, in row-major order.

    A descriptor that is absent is inferred.

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
        found = _Found()
        found.read([inner.opview for inner in operations(op)])
        if found.failures:
            raise PassFailure(*found.failures)
        for view in found.views:
            if is_tensor(view.view.type) and any(view.view.uses):
                load_register(view)
        for copy in found.copies:
            lower_copy(copy, self.path, self.descriptor_add)
        for address, place in found.addresses:
            _lower_address(address, place)
        for view in found.views:
            view.operation.erase()


@dataclass
class _Found:
    """The operations to lower, and why some cannot be, both in source order."""

    views: list[ViewOp] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    addresses: list[tuple[AddressOp, TensorPlace]] = field(default_factory=list)
    failures: list[Diagnostic] = field(default_factory=list)
    _reader: Reader = field(default_factory=Reader)

    def read(self, ops: Sequence[ir.OpView]) -> None:
        uses_dialect = any(isinstance(op, (CpOp, AddressOp, ViewOp)) for op in ops)
        for op in ops:
            try:
                self._read(op)
            except PassFailure as failure:
                self.failures += failure.diagnostics
            if uses_dialect:
                self.failures += shared_allocations(op.operation)
            self.failures += leftovers(op)
            self.failures += oversized(op.operation)
        self.failures = list(dict.fromkeys(self.failures))

    def _read(self, op: ir.OpView) -> None:
        if isinstance(op, CpOp):
            self.copies.append(read_copy(op, self._reader))
        elif isinstance(op, AddressOp):
            self.addresses.append((op, find_tensor_place(op, "view", op.indices)))
        elif isinstance(op, ViewOp):
            self.views.append(op)


def _lower_address(op: AddressOp, place: TensorPlace) -> None:
    with ir.InsertionPoint(op), op.location:
        base, known = place.emit_base()
        op.address.replace_all_uses_with(emit.add(base, known))
    op.operation.erase()
