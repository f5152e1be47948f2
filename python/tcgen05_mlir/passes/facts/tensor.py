"""The TMEM address behind a view, traced to the allocation that it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from mlir import ir

from tcgen05_mlir.model.footprint import TensorBase
from tcgen05_mlir.model.limits import COLUMN_ALIGNMENT, TMEM_COLUMNS, TMEM_LANE_SHIFT
from tcgen05_mlir.passes.device_code import FUNCTIONS, operations
from tcgen05_mlir.passes.diagnostics import Note
from tcgen05_mlir.passes.facts.addresses import TensorAddresses
from tcgen05_mlir.passes.facts.definitions import definition
from tcgen05_mlir.passes.facts.integers import is_understood
from tcgen05_mlir.passes.facts.places import Place
from tcgen05_mlir.passes.facts.shared import SharedMemory
from tcgen05_mlir.passes.facts.starts import is_load, is_start
from tcgen05_mlir.passes.facts.sums import Sum

_LANE = 1 << TMEM_LANE_SHIFT
_STORES = ("llvm.store", "memref.store")
_COUNTERS = ("gpu.thread_id", "gpu.block_id", "gpu.lane_id", "nvvm.read.ptx.sreg.")
_ALLOC = "nvvm.tcgen05.alloc"


@dataclass(frozen=True)
class TensorOrigin:
    """What is known of a TMEM address, where the allocation behind it is, what hides the rest."""

    base: TensorBase
    alloc: ir.Location | None = None
    riddle: Note | None = None


@dataclass(frozen=True)
class _Alloc:
    slot: Place
    columns: int | None
    location: ir.Location


class TensorMemory:
    """Origins of TMEM addresses, each looked at once.

    It holds values, so it lives no longer than the pass that made it.
    """

    def __init__(self, shared: SharedMemory) -> None:
        self._addresses = TensorAddresses()
        self._shared = shared
        self._origins: dict[ir.Value, TensorOrigin] = {}
        self._allocs: dict[ir.Operation, list[_Alloc]] = {}
        self._stores: dict[ir.Operation, list[Place]] = {}

    def origin_of(self, address: ir.Value) -> TensorOrigin:
        """``%base + 4``, where ``%base`` was loaded from the slot of an alloc of 32 columns, is
        ``TensorBase(column=4, columns=32)``, with that alloc's location."""
        if address not in self._origins:
            self._origins[address] = self._trace(address)
        return self._origins[address]

    def _trace(self, address: ir.Value) -> TensorOrigin:
        found = self._addresses.address(address)
        root = self._root(found)
        rest = found if root is None else found - Sum(0, {root: 1})
        lane, column = _lane_and_column(rest.constant, not found.terms)
        lanes, columns = _factors(rest)
        alloc = None if root is None else self._alloc_of(root)
        base = TensorBase(
            lane=lane,
            column=column,
            columns=None if alloc is None else alloc.columns,
            absolute=root is None,
            lane_factor=lanes,
            column_factor=columns,
        )
        location = None if alloc is None else alloc.location
        return TensorOrigin(base, location, self._riddle(address))

    def _root(self, found: Sum) -> ir.Value | None:
        """The term that is the base: a loaded word rather than anything else.

        None where nothing in the sum may be an allocation's start.
        """
        words = [
            term
            for term, coefficient in found.terms.items()
            if coefficient == 1 and isinstance(term, ir.Value) and self._addresses.is_start(term)
        ]
        return min(words, key=lambda word: not is_load(word), default=None)

    def _riddle(self, address: ir.Value) -> Note | None:
        """Where an operation that is not understood computes a part of the address."""
        for term, coefficient in self._addresses.origins(address):
            owner = definition(term) if isinstance(term, ir.Value) else None
            if owner is None or coefficient % COLUMN_ALIGNMENT == 0:
                continue
            if not (is_start(term) or is_understood(owner) or _is_counter(owner)):
                text = f"'{owner.name}' computes it, which is not understood"
                return Note(owner.location, text)
        return None

    def _alloc_of(self, base: ir.Value) -> _Alloc | None:
        """The alloc whose slot ``base`` was loaded from.

        None where there is none, its count is no constant, several counts differ, or ordinary
        stores may have put something else there.
        """
        slot = self._slot_of(base)
        if slot is None or any(place.may_be(slot) for place in self._stores_around(base)):
            return None
        allocs = [alloc for alloc in self._allocs_around(base) if slot.is_at(alloc.slot)]
        counts = {alloc.columns for alloc in allocs}
        return allocs[0] if len(counts) == 1 and None not in counts else None

    def _slot_of(self, base: ir.Value) -> Place | None:
        if not is_load(base):
            return None
        memory, *indices = base.owner.operands
        return self._accessed(memory, indices)

    def _accessed(self, memory: ir.Value, indices: Sequence[ir.Value]) -> Place:
        """The address that a load or store of a pointer or of a memref's element has."""
        place = self._shared.place_of(memory)
        return place.moved(self._shared.element_distance(memory, indices)) if indices else place

    def _stores_around(self, value: ir.Value) -> list[Place]:
        function = _function_of(value)
        if function not in self._stores:
            found = [op for op in operations(function) if op.name in _STORES]
            self._stores[function] = [
                self._accessed(op.operands[1], list(op.operands)[2:]) for op in found
            ]
        return self._stores[function]

    def _allocs_around(self, value: ir.Value) -> list[_Alloc]:
        function = _function_of(value)
        if function not in self._allocs:
            found = [op for op in operations(function) if op.name == _ALLOC]
            self._allocs[function] = [self._read_alloc(op) for op in found]
        return self._allocs[function]

    def _read_alloc(self, op: ir.Operation) -> _Alloc:
        slot, count = op.operands
        columns = self._addresses.number(count)
        legal = columns is not None and 0 < columns <= TMEM_COLUMNS
        return _Alloc(self._shared.place_of(slot), columns if legal else None, op.location)


def _is_counter(op: ir.Operation) -> bool:
    """A number of a thread: no address, but no riddle either."""
    return op.name.startswith(_COUNTERS)


def _lane_and_column(constant: int, absolute: bool) -> tuple[int, int]:
    """The signed column nearest to 0: -4 is column -4 of lane 0, not lane -1.

    Modulo 2^32, which is all that an address has; of a whole one both fields are unsigned.
    """
    if absolute:
        return constant % (1 << 32) // _LANE, constant % _LANE
    constant = (constant + (1 << 31)) % (1 << 32) - (1 << 31)
    column = (constant + _LANE // 2) % _LANE - _LANE // 2
    return (constant - column) // _LANE, column


def _factors(rest: Sum) -> tuple[int, int]:
    """Lanes and columns that the unknown part moves by multiples of."""
    parts = [abs(coefficient) for coefficient in rest.terms.values()]
    lanes = [part // _LANE for part in parts if part % _LANE == 0]
    return gcd(*lanes), gcd(*(part for part in parts if part % _LANE))


def _function_of(value: ir.Value) -> ir.Operation:
    """The function, or the outermost operation below the modules, that holds a value."""
    op = value.owner.operation
    while op.name not in FUNCTIONS and op.parent is not None:
        op = op.parent.operation
    return op
