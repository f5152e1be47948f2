"""Layouts of the model at random, small enough to compare element by element."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st
from tcgen05_mlir.model import COL, LANE, SmemLayout, Stride, TmemLayout

_DISTANCES = st.one_of(st.integers(-70, 70), st.sampled_from([128, 512, -(2**31) + 1, 2**31 - 1]))
_STRIDES = st.builds(Stride, _DISTANCES, st.sampled_from([LANE, COL]))
_OFFSETS = st.one_of(st.just(0), _DISTANCES)


@st.composite
def _modes(draw: Any, strides: st.SearchStrategy[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Extents and strides of up to three dimensions with up to three sub-modes each."""
    mode = st.lists(st.integers(1, 9), min_size=1, max_size=3)
    extents = draw(
        st.lists(mode, max_size=3).filter(lambda modes: math.prod(map(math.prod, modes)) <= 400)
    )
    steps = [draw(st.lists(strides, min_size=len(m), max_size=len(m))) for m in extents]
    return tuple(map(tuple, extents)), tuple(map(tuple, steps))


@st.composite
def tmem_layouts(draw: Any) -> TmemLayout:
    """Any tensor-memory layout: nested modes, replicas, offset, negative strides."""
    extents, strides = draw(_modes(_STRIDES))
    replicas = draw(
        st.sampled_from(
            [
                ((), ()),
                ((2,), (64 @ LANE,)),
                ((2, 2), (64 @ LANE, 32 @ LANE)),
                ((2, 3), (-4 @ COL, 32 @ LANE)),
            ]
        )
    )
    return TmemLayout(extents, strides, replicas, (draw(_OFFSETS), draw(_OFFSETS)))


@st.composite
def smem_layouts(draw: Any) -> SmemLayout:
    """Any shared-memory layout of static extents: nested modes, offset, swizzle."""
    extents, strides = draw(_modes(_DISTANCES))
    return SmemLayout(extents, strides, draw(_OFFSETS), draw(st.integers(0, 3)))
