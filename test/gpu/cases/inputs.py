"""What a launch of a frame's kernel is given."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .frame import CHOICES, UNIT, WORDS, Frame
from .loops import Words


def pattern(columns: int) -> Words:
    """Tensor memory before the copies, uint32 (128, columns), no two cells equal."""
    cells = np.arange(128 * columns, dtype=np.uint32).reshape(128, columns)
    return cells ^ np.uint32(0xA5A50000)


def images(blocks: int, seed: int = 5) -> Words:
    """What shared memory holds, uint32 (blocks, WORDS)."""
    return np.random.default_rng(seed).integers(0, 2**32, (blocks, WORDS), dtype=np.uint32)


def arguments(
    frame: Frame, image: Words, choices: tuple[int, ...] = ()
) -> tuple[int, int, Words, Words, NDArray[np.int32], Words]:
    """Of a launch of `frame.around(...)`; tensor memory comes back in the last."""
    chosen = np.zeros(CHOICES, np.int32)
    chosen[: len(choices)] = choices
    out = np.zeros((frame.blocks, 128, frame.columns), np.uint32)
    chunks = frame.columns // frame.width
    return WORDS // UNIT, chunks, image, pattern(frame.columns), chosen, out
