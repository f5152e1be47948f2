"""One operation back from a memref: its source, and how the place moves from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mlir import ir

from tcgen05_mlir.passes.facts.definitions import behind, definition
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.places import Place
from tcgen05_mlir.passes.facts.statements import alignment_in, stated
from tcgen05_mlir.passes.facts.sums import Sum, opaque, product
from tcgen05_mlir.passes.lowering.buffers import DYNAMIC, extent_bytes, strides_and_offset
from tcgen05_mlir.passes.lowering.elements import element_bytes


class Step(NamedTuple):
    """From the place of ``source`` to that of the value asked for."""

    source: ir.Value
    move: Callable[[Place], Place]


def step_of(value: ir.Value, integers: Integers) -> Step | None:
    """The step to a memref from the operand that it is made of; None at an allocation."""
    owner = definition(value)
    if owner is None:
        return None
    rule = _RULES.get(owner.name)
    return None if rule is None else rule(owner, integers)


def aligned_pointer(buffer: ir.Value, integers: Integers) -> tuple[ir.Value, Sum]:
    """A memref and the distance from its first element to the aligned pointer of ``buffer``.

    Subviews and reshapes keep the pointer and change the offset.
    """
    buffer = behind(buffer, VIEW_CHAIN)
    kind = ir.MemRefType(buffer.type)
    known, size = strides_and_offset(kind), element_bytes(kind.element_type)
    if known is None or (known[1] and size is None):
        return buffer, opaque((buffer, "pointer"))
    if known[1] == DYNAMIC:
        return buffer, opaque((buffer, "pointer"), size or 1)
    return buffer, Sum(-known[1] * (size or 0))


def stride_of(buffer: ir.Value, dimension: int, integers: Integers) -> Sum:
    """A stride that the type does not tell, in elements: from the cast that sets it."""
    buffer = behind(buffer, _SAME_STRIDES)
    owner = definition(buffer)
    if owner is not None and owner.name == "memref.reinterpret_cast":
        return _mixed(owner, "static_strides", 3, integers)[dimension]
    return opaque((buffer, "stride", dimension))


def _through(op: ir.Operation, _: Integers) -> Step:
    """Casts and reshapes: the same first element."""
    return Step(op.operands[0], lambda place: place)


def _assumed(op: ir.Operation, _: Integers) -> Step:
    alignment = alignment_in(op.attributes["alignment"], "'alignment'", op)
    return Step(op.operands[0], lambda place: stated(place, alignment, op))


def _byte_view(op: ir.Operation, integers: Integers) -> Step:
    """A typed piece of a byte buffer, which therefore holds as many bytes."""
    distance, size = integers.sum_of(op.operands[1]), extent_bytes(op.result)

    def move(place: Place) -> Place:
        moved = place.moved(distance)
        return moved if size is None else moved.holding(size, op.result)

    return Step(op.operands[0], move)


def _subview(op: ir.Operation, integers: Integers) -> Step:
    source = op.operands[0]
    kind = ir.MemRefType(source.type)
    size, known = element_bytes(kind.element_type), strides_and_offset(kind)
    if size is None or known is None:
        return Step(source, lambda place: place.moved(opaque(op.result)))
    distance = Sum()
    for number, offset in enumerate(_mixed(op, "static_offsets", 1, integers)):
        stride = known[0][number]
        unknown = (source, "stride", number)
        step = opaque(unknown) if stride == DYNAMIC else Sum(stride)
        distance += product((unknown, op.result), offset, step).scaled(size)
    return Step(source, lambda place: place.moved(distance))


def _reinterpret(op: ir.Operation, integers: Integers) -> Step:
    """Its offset counts from the aligned pointer, whatever the offset of its source was."""
    source, distance = aligned_pointer(op.operands[0], integers)
    (offset,) = _mixed(op, "static_offsets", 1, integers)
    size = element_bytes(ir.MemRefType(op.result.type).element_type)
    distance += opaque(op.result) if size is None else offset.scaled(size)
    return Step(source, lambda place: place.moved(distance))


def _base_buffer(op: ir.Operation, integers: Integers) -> Step:
    source, distance = aligned_pointer(op.operands[0], integers)
    return Step(source, lambda place: place.moved(distance))


def _mixed(op: ir.Operation, name: str, segment: int, integers: Integers) -> list[Sum]:
    """Static numbers where there are, else the dynamic operands of the segment, in order."""
    sizes = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    first = sum(sizes[:segment])
    dynamic = iter(list(op.operands)[first : first + sizes[segment]])
    return [
        integers.sum_of(next(dynamic)) if number == DYNAMIC else Sum(number)
        for number in ir.DenseI64ArrayAttr(op.attributes[name])
    ]


_SAME_STRIDES = ("memref.assume_alignment", "memref.cast", "memref.memory_space_cast")

VIEW_CHAIN = (
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.subview",
)
"""Operations that make one memref of another and keep its aligned pointer."""

_RULES: dict[str, Callable[[ir.Operation, Integers], Step]] = {
    "memref.assume_alignment": _assumed,
    "memref.cast": _through,
    "memref.collapse_shape": _through,
    "memref.expand_shape": _through,
    "memref.extract_strided_metadata": _base_buffer,
    "memref.memory_space_cast": _through,
    "memref.reinterpret_cast": _reinterpret,
    "memref.subview": _subview,
    "memref.view": _byte_view,
}
