"""Loads and stores through views, carried out, against the addresses that the model gives."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from layout_kernels import MARGIN, ROOTS, Kernel
from tcgen05_mlir import run
from tcgen05_mlir.model import SmemLayout
from tcgen05_mlir.model.limits import WORD_BYTES


def fitted(layout: SmemLayout, words: int = 1, **options: Any) -> Kernel:
    """The layout moved so that a buffer holds all of its words."""
    linear = layout.linear_addresses(0, options.get("leading")) // WORD_BYTES
    moved = -(-(MARGIN - int(linear.min())) // 4) * 4
    count = int(linear.max()) + moved + MARGIN
    offset = layout.offset + moved
    return Kernel(replace(layout, offset=offset), count + count % 2, words=words, **options)


def check(kernel: Kernel) -> None:
    elements = math.prod(kernel.shape)
    raw = np.random.default_rng(3).permutation(kernel.count).astype(np.int32)
    base, stored, seen = run(
        kernel.text, "k", np.zeros(1, np.int32), raw, np.zeros(elements, np.int32)
    )
    assert base[0] % 1024 == 16 * kernel.pad
    places = (kernel.layout.addresses(int(base[0]), kernel.leading) - int(base[0])) // WORD_BYTES
    assert (seen == raw[places.reshape(-1)]).all()
    expected = raw.copy()
    for number, place in enumerate(places.reshape(-1)):
        expected[place] = number
    assert (stored == expected).all()


TILE = SmemLayout((4, 16, 8), (8, 32, 1), swizzle=3)


@pytest.mark.parametrize("words", [1, 2, 4])
@pytest.mark.parametrize("swizzle", range(4))
@pytest.mark.parametrize("pad", [0, 7, 40])
def test_a_swizzled_tile_wherever_it_lies(pad: int, swizzle: int, words: int) -> None:
    """A base that is no multiple of 1024 shifts the pattern: the XOR is on addresses."""
    check(fitted(replace(TILE, swizzle=swizzle), words, pad=pad))


@pytest.mark.parametrize("words", [1, 2, 4])
@pytest.mark.parametrize("root", ROOTS)
def test_core_matrices_of_any_root(root: str, words: int) -> None:
    check(fitted(SmemLayout.core_matrices(16, 8), words, root=root))


def test_a_leading_extent_of_the_run_time() -> None:
    check(fitted(SmemLayout((None, 4, 4), (64, 4, 1), swizzle=2), 4, leading=3))


@st.composite
def kernels(draw: Any) -> Kernel:
    """Nested modes, strides of either sign, any swizzle; vectors where the fastest run is long."""
    words = draw(st.sampled_from([1, 1, 2, 4]))
    mode = st.lists(st.integers(1, 4), min_size=1, max_size=3)
    extents = draw(
        st.lists(mode, min_size=1, max_size=3).filter(
            lambda modes: math.prod(map(math.prod, modes)) <= 64
        )
    )
    strides = [[words * draw(st.integers(-20, 20)) for _ in sizes] for sizes in extents]
    if words > 1:
        extents[-1].append(words * draw(st.integers(1, 2)))
        strides[-1].append(1)
    layout = SmemLayout(
        tuple(map(tuple, extents)), tuple(map(tuple, strides)), swizzle=draw(st.integers(0, 3))
    )
    return fitted(layout, words, pad=draw(st.integers(0, 63)), root=draw(st.sampled_from(ROOTS)))


@settings(max_examples=25, deadline=None)
@given(kernels())
@example(fitted(SmemLayout(((2, 3), (3, 2)), ((-50, 7), (11, -3)), swizzle=3), pad=5))
def test_every_element_lies_where_the_model_says(kernel: Kernel) -> None:
    check(kernel)
