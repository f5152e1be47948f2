"""What the IR says of a copy, as the values that `tcgen05_mlir.model.footprint` judges."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, SmemLayoutAttr, ViewOp, instruction_of
from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout, TmemLayout
from tcgen05_mlir.model.footprint import CopyPlan, SharedBase, TensorBase
from tcgen05_mlir.model.limits import WORD_BYTES
from tcgen05_mlir.passes.diagnostics import Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.definitions import behind, definition
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.places import Place, Root
from tcgen05_mlir.passes.facts.shared import SharedMemory
from tcgen05_mlir.passes.facts.statements import stated
from tcgen05_mlir.passes.facts.steps import VIEW_CHAIN, stride_of
from tcgen05_mlir.passes.facts.sums import Sum, product
from tcgen05_mlir.passes.facts.symbols import Symbols
from tcgen05_mlir.passes.facts.tensor import TensorMemory
from tcgen05_mlir.passes.footprint.operands import find_operands
from tcgen05_mlir.passes.lowering.constants import constant_value
from tcgen05_mlir.passes.lowering.layouts import smem_layout, tmem_layout
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.views import defining_view

Indices = tuple[int | None, ...]


@dataclass(frozen=True)
class Question:
    """The arguments of the model's `prove`, but for the descriptor: values, no part of any IR."""

    instruction: Instruction
    dst: TmemLayout
    src: SmemLayout
    dst_indices: Indices
    src_indices: Indices
    dst_base: TensorBase
    src_base: SharedBase


@dataclass(frozen=True)
class Asked:
    """A question, where in the IR its facts came from, and the plans by descriptor so far."""

    question: Question
    alloc: ir.Location | None
    root: Root
    riddle: Note | None = None
    plans: dict[SmemDescriptor | None, CopyPlan] = field(default_factory=dict)

    def tensor_notes(self, op: CpOp) -> tuple[Note, ...]:
        """Where the address of a copy that asks this comes from."""
        view = defining_view(op.dst)
        assert view is not None, op
        found = Note(view.location, "the address that 'dst' is counted from is viewed here")
        if self.alloc is None:
            return (found,)
        return found, Note(self.alloc, "it is traced to this allocation")

    @property
    def shared_notes(self) -> tuple[Note, ...]:
        """Where the source comes from."""
        return (Note(self.root.location, f"the root of 'src' is {self.root.source}"),)


class Reader:
    """Questions of copies, with what their bases have in common looked at once.

    It holds values, so it lives no longer than the pass that made it, and the IR that it has
    seen must stay as it is.
    """

    def __init__(self) -> None:
        self._integers = Integers()
        self._shared = SharedMemory(self._integers, Symbols())
        self._tensor = TensorMemory(self._shared)
        self._asked: dict[Hashable, Asked] = {}

    def read(self, op: CpOp) -> Asked:
        """The question that a copy is.

        Raises PassFailure for all that keeps it from being one: operands that no visible view or
        layout explains [L1, L2], an alignment that the IR itself contradicts [F9].
        """
        key = _key(op)
        if key not in self._asked:
            _, src = find_operands(op)
            self._asked[key] = self._ask(op, src)
        return self._asked[key]

    def ask(self, op: CpOp, src: SharedPlace) -> Asked:
        """The question that a copy is, whose operands are known to be usable. Raises as `read`."""
        key = _key(op)
        if key not in self._asked:
            self._asked[key] = self._ask(op, src)
        return self._asked[key]

    def _ask(self, op: CpOp, src: SharedPlace) -> Asked:
        view = defining_view(op.dst)
        assert view is not None, op
        origin = self._tensor.origin_of(view.address)
        layout, moved, indices = self._source_layout(op, src)
        place = self._base_of(op).moved(moved)
        question = Question(
            instruction_of(op),
            tmem_layout(ir.MemRefType(op.dst.type)),
            layout,
            _constants(op.dst_indices),
            indices,
            origin.base,
            place.shared_base(),
        )
        return Asked(question, origin.alloc, place.root, origin.riddle)

    def _base_of(self, op: CpOp) -> Place:
        """The address that the source's layout counts from."""
        view = defining_view(op.src)
        if view is None:
            _check_views_last(op)
            return self._shared.place_of(op.src)
        place = self._shared.place_of(view.address)
        return place if view.alignment is None else stated(place, _alignment(view), view.operation)

    def _source_layout(self, op: CpOp, src: SharedPlace) -> tuple[SmemLayout, Sum, Indices]:
        """The layout, the distance that dynamic strides add, and the indices that are left.

        A dynamic stride moves the base: by the index times who knows what.
        """
        indices = list(_constants(op.src_indices))
        kind = ir.MemRefType(op.src.type)
        if isinstance(kind.layout, SmemLayoutAttr):
            return smem_layout(kind), Sum(), tuple(indices)
        moved = Sum()
        strides: list[int] = []
        for number, dimension in enumerate(src.dimensions):
            (step,) = dimension.steps
            if step is None:
                stride = stride_of(op.src, number, self._integers)
                index = self._integers.sum_of(op.src_indices[number])
                moved += product((op.operation, number), index, stride).scaled(WORD_BYTES)
                indices[number] = 0
            strides.append((step or 0) // WORD_BYTES)
        extents = tuple(dimension.extents[0] for dimension in src.dimensions)
        try:
            layout = SmemLayout(extents, tuple(strides), src.offset // WORD_BYTES)
        except ValueError as error:  # beyond what a layout can say, and any shared memory
            raise PassFailure(
                op_error(op, f"'src' {error} [L2]", "nothing lies that far")
            ) from None
        return layout, moved, tuple(indices)


def _check_views_last(op: CpOp) -> None:
    """L4: no subview, cast or reshape of a view, of whose alignment it would lose the word."""
    view = defining_view(behind(op.src, VIEW_CHAIN))
    owner = definition(op.src)
    if view is None or owner is None:
        return
    raise PassFailure(
        op_error(
            op,
            f"'src' must be a tcgen05.view itself or a buffer, got the result of '{owner.name}', "
            "which is taken of a tcgen05.view [L4]",
            Note(view.location, "the view is here"),
            "views come last: take the subview, cast or reshape of the buffer behind the view, "
            "and the tcgen05.view of that",
        )
    )


def _alignment(view: ViewOp) -> int:
    return ir.IntegerAttr(view.operation.attributes["alignment"]).value


def _constants(indices: Sequence[ir.Value]) -> Indices:
    """What the lowering folds: literals alone, so that both count the same distance."""
    return tuple(constant_value(index) for index in indices)


def _key(op: CpOp) -> Hashable:
    """What the question of a copy depends on: equal copies have one question."""
    dst, src = op.dst, op.src
    form = (op.shape, op.multicast, op.cta_group, op.src_format)
    indices = tuple(map(_index_key, op.dst_indices)), tuple(map(_index_key, op.src_indices))
    return dst.type, _origin(dst), src.type, _origin(src), form, indices


def _origin(operand: ir.Value) -> Hashable:
    """The value behind a view, and the alignment that is stated; the operand where it is none."""
    view = defining_view(operand)
    return operand if view is None else (view.address, view.alignment)


def _index_key(index: ir.Value) -> Hashable:
    known = constant_value(index)
    return index if known is None else known
