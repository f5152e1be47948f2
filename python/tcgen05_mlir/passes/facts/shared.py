"""Shared memory traced from a memref or pointer to the allocation behind it."""

from __future__ import annotations

from collections.abc import Sequence

from mlir import ir

from tcgen05_mlir.model.limits import SMEM_ADDRESS_LIMIT
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.places import Place, Root
from tcgen05_mlir.passes.facts.roots import root_of
from tcgen05_mlir.passes.facts.steps import Step, aligned_pointer, step_of
from tcgen05_mlir.passes.facts.sums import Sum, opaque
from tcgen05_mlir.passes.facts.symbols import Symbols
from tcgen05_mlir.passes.lowering.buffers import DYNAMIC, strides_and_offset
from tcgen05_mlir.passes.lowering.elements import element_bytes

_WINDOW = 1 << 24
"""Bytes: the shared addresses of one CTA of a cluster."""

_POINTER_OF = "memref.extract_aligned_pointer_as_index"


class SharedMemory:
    """Places of memrefs and pointers, each looked at once.

    It holds values, so it lives no longer than the pass that made it.
    """

    def __init__(self, integers: Integers, symbols: Symbols) -> None:
        self._integers = integers
        self._symbols = symbols
        self._places: dict[ir.Value, Place] = {}

    def place_of(self, value: ir.Value) -> Place:
        """The address of a memref's first element, or that a pointer holds.

        A tile that a subview starts 64 bytes into ``@ring`` is at 64 bytes behind that global.
        Raises PassFailure where an alignment that the IR states cannot be true, or a constant
        address is none of shared memory. Values made of each other, which only code that
        nothing reaches has, count as a root.
        """
        trail: list[tuple[ir.Value, Step]] = []
        seen: set[ir.Value] = set()
        current = value
        while current not in self._places:
            step = None if current in seen else self._step(current)
            seen.add(current)
            if step is None:
                self._places[current] = self._start(current)
                break
            trail.append((current, step))
            current = step.source
        place = self._places[current]
        for moved, step in reversed(trail):
            place = self._places[moved] = step.move(place)
        return place

    def element_distance(self, buffer: ir.Value, indices: Sequence[ir.Value]) -> Sum:
        """Bytes from a memref's first element to that at ``indices``."""
        kind = ir.MemRefType(buffer.type)
        known, size = strides_and_offset(kind), element_bytes(kind.element_type)
        if known is None or size is None or DYNAMIC in known[0]:
            return opaque((buffer, *indices))
        total = Sum()
        for index, stride in zip(indices, known[0], strict=True):
            total += self._integers.sum_of(index).scaled(stride * size)
        return total

    def _step(self, value: ir.Value) -> Step | None:
        if isinstance(value.type, ir.MemRefType):
            return step_of(value, self._integers)
        found = self._integers.sum_of(value)
        base = next((term for term in found.terms if _is_address(term)), None)
        if not isinstance(base, ir.Value) or found.terms[base] != 1 or base == value:
            return None
        rest = found - Sum(0, {base: 1})
        if base.type == value.type or not _is_pointer_of(base):
            return Step(base, lambda place: place.moved(rest))
        buffer, distance = aligned_pointer(base.owner.operands[0], self._integers)
        return Step(buffer, lambda place: place.moved(distance + rest))

    def _start(self, value: ir.Value) -> Place:
        if isinstance(value.type, ir.MemRefType):
            return Place(root_of(value, self._symbols))
        found = self._integers.sum_of(value)
        if value in found.terms or 1 in found.terms.values():
            return Place(root_of(value, self._symbols))
        return _constant_address(value, found)


def _is_address(term: object) -> bool:
    """A term of a sum that is a pointer, or the pointer of a memref as an integer."""
    if not isinstance(term, ir.Value):
        return False
    return str(term.type).startswith("!llvm.ptr") or _is_pointer_of(term)


def _is_pointer_of(value: ir.Value) -> bool:
    owner = definition(value)
    return owner is not None and owner.name == _POINTER_OF


def _constant_address(value: ir.Value, found: Sum) -> Place:
    """A pointer made of a number: a root of its own, whose address is known.

    In a cluster, bits 24 and up hold the CTA's rank, which a descriptor does not.
    """
    address = found.constant % _WINDOW
    if not 0 <= address < SMEM_ADDRESS_LIMIT:
        message = (
            f"'arg' must be a shared address in 0..{SMEM_ADDRESS_LIMIT - 1}, got {address} [F10]"
        )
        raise PassFailure(op_error(value.owner, message, "a block's shared memory ends below it"))
    root = Root(
        ("address", address), f"address {address:#x}", value.owner.location, 1, None, address
    )
    return Place(root, found - Sum(found.constant))
