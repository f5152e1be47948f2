"""Layouts once more, as plain loops over lists: what the fast model is compared to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

Mode = list[tuple[int, Any]]
"""Sub-modes (extent, stride) of one dimension, the last the fastest."""


def mode_size(mode: Mode) -> int:
    size = 1
    for extent, _ in mode:
        size *= extent
    return size


def positions(mode: Mode) -> list[tuple[int, ...]]:
    """The sub-indices of a mode's elements, in order."""
    return list(itertools.product(*(range(extent) for extent, _ in mode)))


def count(modes: list[Mode]) -> int:
    elements = 1
    for mode in modes:
        elements *= mode_size(mode)
    return elements


def every_index(modes: list[Mode]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(mode_size(mode)) for mode in modes))


def distance(modes: list[Mode], index: tuple[int, ...], strides: list[list[int]]) -> int:
    """Where an element lies, by counting up to it."""
    total = 0
    for mode, at, steps in zip(modes, index, strides, strict=True):
        for sub_index, step in zip(positions(mode)[at], steps, strict=True):
            total += sub_index * step
    return total


def nested(values: list[list[Any]]) -> tuple[Any, ...]:
    """The tuples that a caller would write: a mode of one entry is that entry."""
    return tuple(mode[0] if len(mode) == 1 else tuple(mode) for mode in values)


def spelled(values: list[list[Any]]) -> str:
    """The attribute's text of such tuples."""
    modes = [
        str(mode[0]) if len(mode) == 1 else "(" + ", ".join(map(str, mode)) + ")" for mode in values
    ]
    return "(" + ", ".join(modes) + ")"


def modes(stride: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Mode]]:
    mode = st.lists(st.tuples(st.integers(1, 3), stride), min_size=1, max_size=3)
    return st.lists(mode, max_size=3).filter(lambda modes: count(modes) <= 300)
