"""tcgen05.ld and st: the function of one shape, number of registers and packing.

They are inlined: their values are registers, up to 128 of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from mlir import ir

from tcgen05_mlir.model.ldst_shapes import WARP
from tcgen05_mlir.model.limits import TMEM_LANE_SHIFT

from .binding import own
from .cells import Cells, cells_of
from .checks import WARP_LANES
from .code import Code
from .columns import check_allocated
from .lanes import ALL, of_lane, register, thread_number
from .library import Library
from .memory import at, load, store
from .report import check
from .values import Value, integer_type, vector_type

_SPLIT = "16x32bx2"
_VECTOR = 4
_COLUMN_MASK = (1 << TMEM_LANE_SHIFT) - 1


@dataclass(frozen=True)
class Access:
    """What a tcgen05.ld or st says: the PTX's shape, 32-bit registers, 16-bit packing."""

    shape: str
    registers: int
    packed: bool

    @property
    def cells(self) -> Cells:
        return cells_of(self.shape, self.registers, self.packed)

    @property
    def type(self) -> ir.Type:
        """i32 for one register, else a vector."""
        return integer_type(32) if self.registers == 1 else vector_type(self.registers)

    def name(self, verb: str) -> str:
        """`ld_32x32b_x4_packed`: with the number of registers, not of repeats."""
        return f"{verb}_{self.shape}_r{self.registers}" + ("_packed" if self.packed else "")


def load_function(library: Library, access: Access) -> str:
    """The function (taddr i32, split offset i32, site i32) -> registers."""
    arguments = [integer_type(32)] * 3
    name, write = access.name("ld"), partial(_write_load, access)
    return library.function(name, arguments, access.type, write, "always_inline")


def store_function(library: Library, access: Access) -> str:
    """The function (taddr i32, split offset i32, site i32, registers)."""
    arguments = [integer_type(32)] * 3 + [access.type]
    name, write = access.name("st"), partial(_write_store, access)
    return library.function(name, arguments, None, write, "always_inline")


def _write_load(access: Access, code: Code) -> None:
    pointer, column = _enter(code, access)
    if access.packed or access.registers == 1:
        code.give(_join(code, access, _words(access, pointer, 1)))
        return
    aligned = (column % _VECTOR).equals(0)
    with code.when(aligned):
        code.give(_join(code, access, _words(access, pointer, _VECTOR)))
    code.give(_join(code, access, _words(access, pointer, 1)))


def _write_store(access: Access, code: Code) -> None:
    pointer, column = _enter(code, access)
    words = _split(code, access, code.arguments[3])
    if access.packed or access.registers == 1:
        _put(access, pointer, words, 1)
    else:
        aligned = (column % _VECTOR).equals(0)
        with code.when(aligned):
            _put(access, pointer, words, _VECTOR)
        with code.otherwise(aligned):
            _put(access, pointer, words, 1)
    code.give()


def _enter(code: Code, access: Access) -> tuple[Value, Value]:
    """The checks; where register 0 of this thread lies, and its column."""
    taddr, offset, site = code.arguments[:3]
    first = of_lane(code.constant(ALL), taddr, 0)
    check(code, first.equals(taddr), "one_address", site, first, taddr)
    bound = own(code, site)
    lane, column = taddr >> TMEM_LANE_SHIFT, taddr & _COLUMN_MASK
    split_lane, split_column = offset >> TMEM_LANE_SHIFT, offset & _COLUMN_MASK
    _check_lanes(code, lane, lane + split_lane + (access.cells.lanes - 1), site)
    thread, live = register(code, "laneid"), bound.columns()
    beyond = access.cells.columns - 1
    check_allocated(code, live, column, column + beyond, site)
    if access.shape == _SPLIT:
        second_column = column + split_column
        check_allocated(code, live, second_column, second_column + beyond, site)
        second = thread >= WARP // 2
        lane = lane + second.select(split_lane, lane.like(0))
        column = column + second.select(split_column, column.like(0))
    return at(bound.cell(lane, column), _thread_offset(access.cells, thread)), column


def _check_lanes(code: Code, first: Value, last: Value, site: Value) -> None:
    """S6: a warp reaches a quarter of the lanes."""
    warp = thread_number(code) // WARP
    low = warp % 4 * WARP_LANES
    high = low + (WARP_LANES - 1)
    check(code, (first >= low) & (last <= high), "warp_lanes", site, first, last, low, high)


def _thread_offset(cells: Cells, thread: Value) -> Value:
    """The sum over the bits of the thread's number, neighbours that double taken together."""
    offset, bits = thread.like(0), list(enumerate(cells.thread_bits))
    while bits:
        first, weight = bits.pop(0)
        count = 1
        while bits and bits[0][1] == weight << count:
            bits.pop(0)
            count += 1
        if weight == 0:
            continue
        offset = offset + (thread >> first & ((1 << count) - 1)) * weight
    return offset


def _words(access: Access, pointer: Value, longest: int) -> list[Value]:
    """The 32-bit words of all cells, in the order of `Cells.registers`."""
    words: list[Value] = []
    for first, length in access.cells.runs(longest):
        place = at(pointer, access.cells.registers[first])
        if length == 1:
            words.append(load(place))
            continue
        vector = load(place, vector_type(length), _alignment(length))
        words += [_element(vector, index) for index in range(length)]
    return words


def _put(access: Access, pointer: Value, words: list[Value], longest: int) -> None:
    for first, length in access.cells.runs(longest):
        place = at(pointer, access.cells.registers[first])
        if length == 1:
            word = words[first]
            store(place, word, word.width // 8)
            continue
        vector = _vector(pointer.code, words[first : first + length])
        store(place, vector, _alignment(length))


def _alignment(words: int) -> int:
    """Of a run of words where the column is a multiple of four."""
    return 4 * (words & -words)


def _join(code: Code, access: Access, words: list[Value]) -> Value:
    """The result of a load: with packing the low 16 bits of two cells each."""
    if access.packed:
        pairs = zip(words[::2], words[1::2], strict=True)
        words = [low & 0xFFFF | high << 16 for low, high in pairs]
    return words[0] if access.registers == 1 else _vector(code, words)


def _split(code: Code, access: Access, value: Value) -> list[Value]:
    """What a store puts in each cell: with unpacking 16 bits, which leave the cell's others."""
    words = [value]
    if access.registers > 1:
        words = [_element(value, index) for index in range(access.registers)]
    if access.packed:
        words = [half.to(16) for word in words for half in (word, word >> 16)]
    return words


def _element(vector: Value, index: int) -> Value:
    code = vector.code
    operands = [vector, code.constant(index)]
    return code.value("llvm.extractelement", operands, integer_type(32))


def _vector(code: Code, words: list[Value]) -> Value:
    kind = vector_type(len(words))
    vector = code.value("llvm.mlir.poison", [], kind)
    for index, word in enumerate(words):
        vector = code.value("llvm.insertelement", [vector, word, code.constant(index)], kind)
    return vector
