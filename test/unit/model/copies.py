"""Random copies in plain numbers, right ones and broken ones, and as the model's values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import slow_footprint as slow
from hypothesis import strategies as st
from tcgen05_mlir.model import (
    COL,
    LANE,
    Instruction,
    SharedBase,
    SmemDescriptor,
    SmemLayout,
    TensorBase,
    TmemLayout,
)

SMALL = ("4x256b", "32x128b.warpx4")
LARGE = tuple(name for name in slow.FORMS if name not in SMALL)


def instruction(copy: slow.Copy) -> Instruction:
    shape, _, multicast = copy.form.partition(".")
    return Instruction(shape, multicast or None)


def descriptor(copy: slow.Copy) -> SmemDescriptor:
    return SmemDescriptor(ldo=copy.ldo, sdo=copy.sdo, swizzle=copy.swizzle)


def _axis(pair: tuple[int, int]) -> Any:
    lanes, columns = pair
    return lanes @ LANE if lanes else columns @ COL


def dst(copy: slow.Copy) -> TmemLayout:
    return TmemLayout(
        tuple(tuple(extent for extent, _ in mode) for mode in copy.dst),
        tuple(tuple(_axis(step) for _, step in mode) for mode in copy.dst),
        (
            tuple(extent for extent, _ in copy.replicas),
            tuple(_axis(step) for _, step in copy.replicas),
        ),
        copy.dst_offset,
    )


def src(copy: slow.Copy) -> SmemLayout:
    return SmemLayout(
        tuple(tuple(extent for extent, _ in mode) for mode in copy.src),
        tuple(tuple(step for _, step in mode) for mode in copy.src),
        copy.src_offset,
        copy.src_swizzle,
    )


def facts(copy: slow.Copy) -> dict[str, Any]:
    """The keyword arguments of `prove`."""
    return {
        "dst_indices": copy.dst_indices,
        "src_indices": copy.src_indices,
        "dst_base": TensorBase(
            copy.lane,
            copy.column,
            copy.columns,
            lane_factor=copy.lane_factor,
            column_factor=copy.column_factor,
        ),
        "src_base": SharedBase(
            copy.alignment,
            extent=copy.extent,
            offset=copy.byte_offset,
            offset_factor=copy.byte_factor,
            address=copy.address,
        ),
    }


def atom_modes(form: str, swizzle: int, ldo: int, sdo: int, unrolled: bool) -> list[slow.Mode]:
    """Rows and words of a source that a descriptor reads; `unrolled`: a 32-byte swizzle whose XOR
    is written as a mode, which is right where the pattern starts at the origin."""
    rows, words, _, _ = slow.FORMS[form]
    pitch = 4 << swizzle
    row: slow.Mode = [(4, pitch)]
    if unrolled and rows > 4:
        row = [(2, 4 * pitch + 4), *row]
    elif rows > 4:
        row = [(8, pitch)]
    if rows > 8:
        row = [(rows // 8, sdo // 4), *row]
    split = swizzle == 0 and words == 8
    return [row, [(2, ldo // 4), (4, 1)] if split else [(words, 1)]]


def tensor_atom(form: str) -> tuple[list[slow.Mode], slow.Mode]:
    """Rows, words and replicas of a destination."""
    rows, words, lanes, distances = slow.FORMS[form]
    row = [(2, (64, 0)), (32, (1, 0))] if lanes[32:33] == [64] else [(rows, (lanes[1], 0))]
    replicas = [(len(distances), (distances[1], 0))] if len(distances) > 1 else []
    return [row, [(words, (0, 1))]], replicas


@st.composite
def right_copies(draw: Any, forms: tuple[str, ...] = (*SMALL * 4, *LARGE)) -> slow.Copy:
    """Copies whose layouts are what the instructions do; bounds are likely, not certain."""
    form = draw(st.sampled_from(forms))
    words = slow.FORMS[form][1]
    swizzle = draw(st.integers(0, 3))
    unrolled = words == 4 and draw(st.integers(0, 5)) == 0
    swizzle = 1 if unrolled else swizzle
    unit = 256 if unrolled else draw(st.sampled_from((16, 64, 128 << swizzle, 128 << swizzle)))
    ldo, sdo = unit * draw(st.integers(0, 4)), unit * draw(st.integers(0, 3))
    repeats = draw(st.lists(st.integers(1, 3), max_size=2))
    src_repeats = [[(extent, unit // 4 * draw(st.integers(0, 6)))] for extent in repeats]
    atom, replicas = tensor_atom(form)
    leading = draw(st.lists(st.integers(1, 3), max_size=1))
    dst: list[slow.Mode] = [[(extent, (0, 4 * draw(st.integers(0, 40))))] for extent in leading]
    column = words
    for extent in reversed(repeats):
        dst.insert(len(leading), [(extent, (0, column))])
        column *= extent
    stages, stage_indices = draw(_stages(unit // 4))
    row_bytes = 16 << swizzle
    offset = unit * draw(st.integers(0, 8)) + draw(st.integers(0, max(0, row_bytes // 16 - 2))) * 16
    copy = slow.Copy(
        form,
        [*dst, *atom],
        [*stages, *src_repeats, *atom_modes(form, swizzle, ldo, sdo, unrolled)],
        (0, 4 * draw(st.integers(0, 8))),
        replicas,
        (offset // unit * unit if unrolled else offset) // 4,
        0 if unrolled else swizzle,
        ldo,
        sdo,
        swizzle,
        tuple(draw(st.sampled_from((None, extent - 1))) for extent in leading),
        stage_indices,
        columns=draw(st.sampled_from((None, 32, 128, 512))),
        column=draw(st.sampled_from((0, 0, 0, 4, 32))),
    )
    return replace(copy, extent=draw(st.sampled_from((None, _holds(copy), _holds(copy) + 512))))


@st.composite
def _stages(draw: Any, unit: int) -> tuple[list[slow.Mode], tuple[int | None, ...]]:
    kind = draw(st.sampled_from(("none", "none", "ring", "nested", "endless", "chosen")))
    step = unit * draw(st.integers(1, 70))
    if kind == "none":
        return [], ()
    if kind == "ring":
        return [[(3, step)], [(2, 5 * unit)]], (None, 1)
    if kind == "nested":
        return [[(2, step), (3, unit)]], (None,)
    if kind == "endless":
        return [[(None, step)]], (None,)
    return [[(4, step)]], (draw(st.integers(0, 3)),)


def _holds(copy: slow.Copy) -> int:
    """Bytes up to the end of what a layout of natural strides touches, in whole swizzle rows."""
    last = copy.src_offset
    for mode in copy.src:
        last += sum(((extent or 1) - 1) * step for extent, step in mode)
    row = 16 << copy.swizzle
    return (4 * last + 4 + row - 1) // row * row


@st.composite
def mutations(draw: Any, copy: slow.Copy) -> slow.Copy:
    """The copy with one number changed."""
    what = draw(
        st.sampled_from(
            ("src step", "dst step", "field", "offset", "replica", "fact", "swizzle", "extent")
        )
    )
    if what == "src step":
        return replace(copy, src=draw(_with_step(copy.src, (1, 4, 8, 32, -4))))
    if what == "dst step":
        moves = ((1, 0), (32, 0), (0, 1), (0, 4), (0, -4))
        return replace(copy, dst=draw(_with_step(copy.dst, moves)))
    if what == "replica":
        other = [[], [(2, (64, 0))], [(2, (32, 0))], [(2, (-32, 0))], [(2, (0, 32))]]
        other += [[(2, (64, 0)), (2, (32, 0))], [(2, (64, 0)), (2, (-32, 0))], [(4, (16, 0))]]
        return replace(copy, replicas=draw(st.sampled_from(other)))
    if what == "swizzle":
        name = draw(st.sampled_from(("swizzle", "src_swizzle")))
        return replace(copy, **{name: draw(st.integers(0, 3))})
    if what == "extent":
        if copy.extent is None or copy.extent < 64:
            return replace(copy, extent=draw(st.sampled_from((64, 512, 300000))))
        return replace(copy, extent=copy.extent + draw(st.sampled_from((-16, 16, -64))))
    if what == "field":
        name = draw(st.sampled_from(("ldo", "sdo")))
        return replace(copy, **{name: getattr(copy, name) + draw(st.sampled_from((16, 128)))})
    if what == "offset":
        return replace(copy, **draw(_offsets(copy)))
    return replace(copy, **draw(st.sampled_from(FACTS)))


FACTS: tuple[dict[str, Any], ...] = (
    {"alignment": 16},
    {"alignment": 256},
    {"alignment": 8},
    {"address": 0x1200},
    {"address": 0x2400, "extent": None},
    {"byte_factor": 16},
    {"byte_factor": 1024},
    {"byte_factor": 8},
    {"lane_factor": 32},
    {"lane_factor": 3},
    {"column_factor": 4},
    {"column_factor": 32},
    {"column_factor": 2},
)


@st.composite
def _offsets(draw: Any, copy: slow.Copy) -> dict[str, Any]:
    lane, column = copy.dst_offset
    return draw(
        st.sampled_from(
            (
                {"src_offset": copy.src_offset + 4},
                {"src_offset": copy.src_offset + 2},
                {"src_offset": copy.src_offset - 8},
                {"byte_offset": 16},
                {"byte_offset": -48},
                {"byte_offset": 0x20000},
                {"dst_offset": (lane + 1, column)},
                {"dst_offset": (lane + 32, column)},
                {"dst_offset": (lane - 1, column)},
                {"dst_offset": (lane, column + 2)},
                {"dst_offset": (lane, column + 496)},
                {"dst_offset": (lane, column - 40)},
                {"lane": 5},
                {"column": 500},
            )
        )
    )


@st.composite
def _with_step(draw: Any, modes: list[slow.Mode], moves: tuple[Any, ...]) -> list[slow.Mode]:
    """Modes with one step changed; a step of tensor memory keeps to one axis."""
    places = [(d, s) for d, mode in enumerate(modes) for s in range(len(mode))]
    dim, sub = draw(st.sampled_from(places))
    extent, step = modes[dim][sub]
    move = draw(st.sampled_from(moves))
    if isinstance(step, tuple):
        axis = 0 if step[0] else 1
        new: Any = (step[0] + move[0], 0) if axis == 0 else (0, step[1] + move[1])
        new = move if new == step else new
    else:
        new = step + move
    changed = [list(mode) for mode in modes]
    changed[dim][sub] = (extent, new)
    return changed
