"""The loads and stores that can go through a view of shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import SmemLayoutAttr, ViewOp
from tcgen05_mlir.model.limits import DESCRIPTOR_UNIT, WORD_BYTES
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error
from tcgen05_mlir.passes.lowering.views import defining_view
from tcgen05_mlir.passes.memory_spaces import is_shared

_UNIT_WORDS = DESCRIPTOR_UNIT // WORD_BYTES

_LOADS = {"memref.load": "memref", "vector.load": "base", "vector.transfer_read": "base"}
_STORES = {"memref.store": "memref", "vector.store": "base", "vector.transfer_write": "base"}
"""What ODS calls the memref: operand 0, or 1 behind the value to store; the indices follow it."""


@dataclass(frozen=True)
class Access:
    """A load or store of words that follow one another along the last dimension of a memref.

    It reads the operands off the op, since what one access loads another may store. ``name`` is
    what ODS calls the memref.
    """

    op: ir.OpView
    name: str

    @property
    def memory(self) -> ir.Value:
        """The memref."""
        return self.op.operation.operands[1 if self._stores else 0]

    @property
    def indices(self) -> tuple[ir.Value, ...]:
        """One for each dimension of the memref."""
        first = 2 if self._stores else 1
        rank = ir.MemRefType(self.memory.type).rank
        return tuple(self.op.operation.operands)[first : first + rank]

    @property
    def stored(self) -> ir.Value | None:
        """The value that a store has; None for a load."""
        return self.op.operation.operands[0] if self._stores else None

    @property
    def kind(self) -> ir.Type:
        """The type of the value: a word or a vector of words."""
        stored = self.stored
        return self.op.operation.results[0].type if stored is None else stored.type

    @property
    def _stores(self) -> bool:
        return self.op.operation.name in _STORES

    @property
    def words(self) -> int:
        """1 for a word, 4 for vector<4xf32>."""
        return ir.VectorType(self.kind).shape[0] if isinstance(self.kind, ir.VectorType) else 1

    @property
    def is_nontemporal(self) -> bool:
        """Whether it says that its words are not used again soon."""
        attributes = self.op.operation.attributes
        return "nontemporal" in attributes and ir.BoolAttr(attributes["nontemporal"]).value


def is_access(op: ir.OpView) -> bool:
    """Whether ``op`` is a load or store that the pass knows, whatever its memory."""
    return op.operation.name in _LOADS or op.operation.name in _STORES


def access_of(op: ir.OpView) -> Access | None:
    """The access that ``op`` is where its memory has a layout of ours or is a `tcgen05.view`."""
    if not is_access(op):
        return None
    access = Access(op, (_LOADS | _STORES)[op.operation.name])
    memory = access.memory
    return access if is_shared(memory.type) and _is_ours(memory) else None


def form_errors(access: Access) -> Iterator[Diagnostic]:
    """Why the access is none of one to four words in order [L5]."""
    kind, element = access.kind, ir.MemRefType(access.memory.type).element_type
    if isinstance(element, ir.IntegerType) and not element.is_signless:
        yield op_error(
            access.op,
            f"must access signless words through a tcgen05.view of shared memory, got {element} "
            "[L5]",
            "take the tcgen05.view with elements of type i32",
        )
    if isinstance(kind, ir.VectorType):
        shaped = ir.VectorType(kind)
        if shaped.rank != 1 or shaped.scalable or not 0 < shaped.shape[0] <= _UNIT_WORDS:
            yield op_error(
                access.op,
                f"must access a vector of 1 to {_UNIT_WORDS} words through a tcgen05.view of "
                f"shared memory, got {kind} [L5]",
                f"access it in pieces of at most vector<{_UNIT_WORDS}x{element}>",
            )
    if "permutation_map" in access.op.operation.attributes:
        yield from _transfer_errors(access)


def _transfer_errors(access: Access) -> Iterator[Diagnostic]:
    attributes = access.op.operation.attributes
    rank = ir.MemRefType(access.memory.type).rank
    found = ir.AffineMapAttr(attributes["permutation_map"]).value
    last = [ir.AffineDimExpr.get(rank - 1)] if rank else []
    if ir.VectorType(access.kind).rank == 1 and list(found.results) != last:
        yield op_error(
            access.op,
            "'permutation_map' must be that of the last dimension for a tcgen05.view of "
            f"shared memory, got {found} [L5]",
            "only along the last dimension do words follow one another",
        )
    bounds = ir.ArrayAttr(attributes["in_bounds"])
    if not all(ir.BoolAttr(bound).value for bound in bounds):
        yield op_error(
            access.op,
            f"'in_bounds' must be [true] for a tcgen05.view of shared memory, got {bounds} [L5]",
            "write {in_bounds = [true]} where that is so, and a branch around it elsewhere",
        )
    if list(ir.DenseI32ArrayAttr(attributes["operandSegmentSizes"]))[-1]:
        yield op_error(
            access.op,
            "'mask' must be absent for a tcgen05.view of shared memory [L5]",
            "access single words in a branch",
        )


def _is_ours(memory: ir.Value) -> bool:
    layout = ir.MemRefType(memory.type).layout
    return isinstance(layout, SmemLayoutAttr) or isinstance(defining_view(memory), ViewOp)
