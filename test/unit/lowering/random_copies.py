"""Random copies that the rules allow, as text and as what the model says of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from sources import WORKGROUP, atom_modes, copy, descriptor_for, memref, tile_words
from tcgen05_mlir.model import (
    COL,
    LANE,
    Instruction,
    SmemDescriptor,
    SmemLayout,
    TmemLayout,
    legal_instructions,
)
from tcgen05_mlir.model.limits import TMEM_COLUMNS

BUFFER_BYTES = 1 << 16
"""Of the shared buffer; strides and extents below keep all starts inside it."""

KINDS = ("global", "subview", "moving subview", "dynamic", "pointer", "strided", "moving strides")
"""What the source is: a view of the first five, or a memref with the last two."""


@dataclass(frozen=True)
class Index:
    """A value for a leading dimension, as a constant or as an argument of the function."""

    value: int
    dynamic: bool


@dataclass(frozen=True)
class RandomCopy:
    """One copy; layouts are whole, the first `len(indices)` dimensions are chosen by indices."""

    instruction: Instruction
    swizzle: int
    src: SmemLayout
    dst: TmemLayout
    src_indices: tuple[Index, ...]
    dst_indices: tuple[Index, ...]
    kind: str
    moved: int
    """Bytes from the shared buffer's base to where the source's layout starts."""

    @property
    def descriptor(self) -> SmemDescriptor:
        return descriptor_for(self.instruction, self.swizzle)

    @property
    def repeats(self) -> list[tuple[int, ...]]:
        """Row-major, written without the lowering's own enumeration."""
        extents = self.dst.shape[len(self.dst_indices) : -2]
        return list(itertools.product(*(range(extent) for extent in extents)))

    def starts(self, base: int) -> list[int]:
        """The byte address that each instruction's descriptor holds."""
        chosen = tuple(index.value for index in self.src_indices)
        return [base + self.moved + self.src.linear_bytes((*chosen, *r)) for r in self.repeats]

    def addresses(self, base: int) -> list[int]:
        """The tensor-memory address of each instruction."""
        chosen = tuple(index.value for index in self.dst_indices)
        return [base + self.dst.offset_of((*chosen, *r)) for r in self.repeats]

    @property
    def arguments(self) -> list[tuple[str, str, int]]:
        """Name, type and value of what the function takes beside the tensor-memory address."""
        named = [(f"%d{n}", index) for n, index in enumerate(self.dst_indices)]
        named += [(f"%s{n}", index) for n, index in enumerate(self.src_indices)]
        found = [(name, "index", index.value) for name, index in named if index.dynamic]
        if self.kind in ("moving subview", "moving strides"):
            found.append(("%units", "index", self.moved // 16))
        if self.kind == "moving strides":
            strides = self.src.strides[: len(self.src_indices)]
            found += [(f"%quads{n}", "index", stride // 4) for n, stride in enumerate(strides)]
        return found

    def text(self, base: int) -> str:
        """A module with the one function; a pointer's address is part of the text."""
        types = (memref(self.dst), self._source_type)
        operands = (
            f"%t{_index_list('%d', self.dst_indices)}",
            f"%s{_index_list('%s', self.src_indices)}",
        )
        arguments = "".join(f", {name}: {kind}" for name, kind, _ in self.arguments)
        return "\n".join(
            [
                f'memref.global "private" @tiles : {self._buffer_type} {{alignment = 1024}}',
                f"func.func @f(%taddr: i32{arguments}) {{",
                *_constants("%d", self.dst_indices),
                *_constants("%s", self.src_indices),
                *self._scaled(),
                f"%t = tcgen05.view %taddr : i32 to {types[0]}",
                *self._source(base),
                copy(self.instruction, self.descriptor, operands, types),
                "return",
                "}",
            ]
        )

    def _scaled(self) -> list[str]:
        """What moves the source at run time, as multiples of 16 bytes, which the proof must see."""
        names = [name for name, _, _ in self.arguments if name.startswith(("%units", "%quads"))]
        lines = [f"%unit = arith.constant {16 // self._unit} : index"] if names else []
        for name in names:
            scaled = name.replace("units", "moved").replace("quads", "stride")
            lines.append(f"{scaled} = arith.muli {name}, %unit : index")
        return lines

    @property
    def _unit(self) -> int:
        """Bytes in an element of the buffer."""
        return 4 if "strides" in self.kind or self.kind == "strided" else 1

    @property
    def _buffer_type(self) -> str:
        element = "i32" if self._unit == 4 else "i8"
        return f"memref<{BUFFER_BYTES // self._unit}x{element}, {WORKGROUP}>"

    @property
    def _source_type(self) -> str:
        if self._unit == 1:
            return memref(self.src)
        shape = "x".join(map(str, self.src.shape))
        strides = list(map(str, self.src.strides))
        offset = str(self.src.offset + self.moved // 4)
        if self.kind == "moving strides":
            strides[: len(self.src_indices)] = "?" * len(self.src_indices)
            offset = "?"
        layout = f"strided<[{', '.join(strides)}], offset: {offset}>"
        return f"memref<{shape}xi32, {layout}, {WORKGROUP}>"

    def _source(self, base: int) -> list[str]:
        taken = f"%b = memref.get_global @tiles : {self._buffer_type}"
        if self._unit == 4:
            return [taken, self._reinterpreted()]
        alignment = 1024 if self.swizzle else 16
        view = f"%s = tcgen05.view {{}} alignment({alignment}) : {{}} to {self._source_type}"
        if self.kind == "pointer":
            address = base + self.moved
            return [
                f"%a = arith.constant {address} : i64",
                "%p = llvm.inttoptr %a : i64 to !llvm.ptr<3>",
                view.format("%p", "!llvm.ptr<3>"),
            ]
        if self.kind == "dynamic":
            kind = f"memref<?xi8, {WORKGROUP}>"
            return [f"%b = gpu.dynamic_shared_memory : {kind}", view.format("%b", kind)]
        if self.kind == "global":
            return [taken, view.format("%b", self._buffer_type)]
        size = BUFFER_BYTES - self.moved
        static = self.kind == "subview"
        kind = (
            f"memref<{size}xi8, strided<[1], offset: {self.moved if static else '?'}>, {WORKGROUP}>"
        )
        where = self.moved if static else "%moved"
        subview = f"memref.subview %b[{where}] [{size}] [1] : {self._buffer_type} to {kind}"
        return [taken, f"%v = {subview}", view.format("%v", kind)]

    def _reinterpreted(self) -> str:
        shape = ", ".join(map(str, self.src.shape))
        strides = list(map(str, self.src.strides))
        offset = str(self.src.offset + self.moved // 4)
        if self.kind == "moving strides":
            strides[: len(self.src_indices)] = [f"%stride{n}" for n in range(len(self.src_indices))]
            offset = "%moved"
        return (
            f"%s = memref.reinterpret_cast %b to offset: [{offset}], sizes: [{shape}], strides: "
            f"[{', '.join(strides)}] : {self._buffer_type} to {self._source_type}"
        )


def _constants(prefix: str, indices: Sequence[Index]) -> list[str]:
    return [
        f"{prefix}{number} = arith.constant {index.value} : index"
        for number, index in enumerate(indices)
        if not index.dynamic
    ]


def _index_list(prefix: str, indices: Sequence[Index]) -> str:
    names = ", ".join(f"{prefix}{number}" for number in range(len(indices)))
    return f"[{names}]" if names else ""


@st.composite
def random_copies(draw: st.DrawFn) -> RandomCopy:
    """Any instruction, swizzle and kind of source; up to three repeat dimensions, nested or not."""
    kind = draw(st.sampled_from(KINDS))
    plain = kind in ("strided", "moving strides")
    instructions = [i for i in legal_instructions() if not plain or i.words == 4]
    instruction = draw(st.sampled_from(instructions))
    swizzle = 0 if plain else draw(st.integers(0, 3))
    repeats = draw(st.lists(_extents(), max_size=3))
    src, src_indices = draw(_sources(instruction, swizzle, repeats, plain))
    dst, dst_indices = draw(_targets(instruction, repeats))
    assume(int(dst.columns().max()) < TMEM_COLUMNS)
    moved = _draw_moved(draw, kind, instruction, swizzle)
    if kind == "moving strides":
        moved += 4 * src.offset
        src = SmemLayout(src.extents, src.strides)
    return RandomCopy(instruction, swizzle, src, dst, src_indices, dst_indices, kind, moved)


def _extents() -> st.SearchStrategy[Any]:
    """The extent of a dimension, or those of its sub-modes."""
    return st.one_of(
        st.integers(1, 3), st.sampled_from([(2, 2), (2, 1), (1, 3), (2, 3), (2, 1, 2)])
    )


def _draw_moved(draw: st.DrawFn, kind: str, instruction: Instruction, swizzle: int) -> int:
    if kind in ("global", "dynamic", "pointer"):
        return 0
    return draw(st.integers(0, 7)) * 1024 if swizzle else draw(st.integers(0, 512)) * 16


@st.composite
def _indices(draw: st.DrawFn, extents: Sequence[Any]) -> tuple[Index, ...]:
    return tuple(
        Index(draw(st.integers(0, _size(extent) - 1)), draw(st.booleans())) for extent in extents
    )


@st.composite
def _sources(
    draw: st.DrawFn, instruction: Instruction, swizzle: int, repeats: Sequence[Any], plain: bool
) -> tuple[SmemLayout, tuple[Index, ...]]:
    leading = draw(st.lists(_extents(), max_size=2))
    # A 256-bit row may not straddle a swizzle row [F12].
    unit = 8 if swizzle and instruction.words == 8 else 4
    steps = st.integers(-16, 24).map(lambda count: count * unit)
    # A strided memref has one stride per dimension.
    extents = [_size(e) if plain else e for e in (*leading, *repeats)]
    strides = [_like(extent, lambda: draw(steps)) for extent in extents]
    atom_extents, atom_strides = (
        ((instruction.rows, 4), (4, 1)) if plain else atom_modes(instruction, swizzle)
    )
    ends = [end for mode in zip(extents, strides, strict=True) for end in _ends(*mode)]
    low = -sum(min(0, end) for end in ends)
    offset = low + unit * draw(st.integers(0, 16))
    reach = offset + sum(max(0, end) for end in ends)
    assert 4 * (reach + tile_words(instruction, swizzle)) + 512 * 16 <= BUFFER_BYTES
    layout = SmemLayout((*extents, *atom_extents), (*strides, *atom_strides), offset, swizzle)
    return layout, draw(_indices(layout.extents[: len(leading)]))


@st.composite
def _targets(
    draw: st.DrawFn, instruction: Instruction, repeats: Sequence[Any]
) -> tuple[TmemLayout, tuple[Index, ...]]:
    """Repeats side by side in any order and direction; leading dimensions anywhere."""
    leading = draw(st.lists(st.integers(1, 2), max_size=2))
    leaves = [n for extent in repeats for n in _leaves(extent)]
    dense: dict[int, int] = {}
    step = instruction.words
    for number in draw(st.permutations(range(len(leaves)))):
        dense[number] = step * draw(st.sampled_from([1, -1]))
        step *= leaves[number]
    steps = iter(dense[number] for number in range(len(leaves)))
    inner = [_like(extent, lambda: next(steps) @ COL) for extent in repeats]
    outer = [4 * draw(st.integers(0, 8)) @ COL for _ in leading]
    if instruction.rows == 4 and leading:
        outer[0] = draw(st.integers(0, 15)) @ LANE
    low = -sum(min(0, (n - 1) * dense[k]) for k, n in enumerate(leaves))
    whole = TmemLayout.for_instruction(instruction)
    layout = TmemLayout(
        (*leading, *repeats, *whole.extents),
        (*outer, *inner, *whole.strides),
        whole.replicas,
        (0, low + 4 * draw(st.integers(0, 8))),
    )
    return layout, draw(_indices(leading))


def _leaves(extent: Any) -> tuple[int, ...]:
    return extent if isinstance(extent, tuple) else (extent,)


def _size(extent: Any) -> int:
    return math.prod(_leaves(extent))


def _ends(extent: Any, stride: Any) -> list[int]:
    """How far the last index of each sub-mode lies from the first."""
    pairs = zip(_leaves(extent), _leaves(stride), strict=True)
    return [(count - 1) * step for count, step in pairs]


def _like(extent: Any, make: Any) -> Any:
    """One value per sub-mode of ``extent``."""
    return tuple(make() for _ in extent) if isinstance(extent, tuple) else make()
