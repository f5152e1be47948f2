"""The files of examples/, as their headers say."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .case import Arrays, Case, Kernel

FOLDER = Path(__file__).parents[3] / "examples"
Array = NDArray[np.int32]


def _same(a: Array) -> Array:
    return a


def _scale_factors(a: Array) -> Array:
    """Out[t, l, 4*b + w] = A[t, b, l % 32, w]."""
    rows = a.transpose(0, 2, 1, 3).reshape(9, 32, 16)
    return np.tile(rows, (1, 4, 1))


def _decompressed(a: Array) -> Array:
    """Byte j of a row is value j of the row's 64 bits, shifted left by two."""
    nibbles = np.stack([a.view(np.uint8) & 15, a.view(np.uint8) >> 4], axis=-1)
    return (nibbles.reshape(128, 16) << 2).view(np.int32)


_EXAMPLES = {
    "copy_readback": ("copy", 1, (128, 4), _same),
    "scale_factors": ("scale_factors", 1, (9, 4, 32, 4), _scale_factors),
    "decompress_fp4": ("decompress_fp4", 1, (128, 2), _decompressed),
    "cta_pair": ("copy_pair", 2, (2, 128, 4), _same),
    "swizzled_tile": ("swizzled_tile", 1, (128, 32), _same),
}


def _make(shape: tuple[int, ...], expected) -> tuple[Arrays, Arrays]:
    rng = np.random.default_rng(7)
    a = rng.integers(-(2**31), 2**31, shape, dtype=np.int64).astype(np.int32)
    out = expected(a)
    return (a, np.zeros_like(out)), (a, out)


def _case(stem: str) -> Case:
    name, cluster, shape, expected = _EXAMPLES[stem]
    text = (FOLDER / f"{stem}.mlir").read_text()
    kernel = Kernel(name, cluster=cluster, module=text)
    return Case(f"example-{stem}", "examples", kernel, partial(_make, shape, expected))


CASES = [_case(stem) for stem in _EXAMPLES]
