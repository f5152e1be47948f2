"""A whole kernel around any copies: fills shared and tensor memory, copies, reads all back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mlir import ir
from numpy.typing import NDArray
from tcgen05_mlir.simulator import run

BASE = 1024
"""Where the simulator's shared memory begins; a multiple of every swizzle's period."""
WORDS = 128 * 96
"""Of shared memory per block; they lie at BASE."""
CHOICES = 4
PATTERN: NDArray[np.uint32] = np.arange(128 * 512, dtype=np.uint32).reshape(128, 512) ^ np.uint32(
    0xA5A50000
)
"""Tensor memory before the copies."""
BUFFER = "memref<128x96xi32, #gpu.address_space<workgroup>>"

_TEXT = (Path(__file__).parent / "whole_kernel.mlir").read_text()


def kernel(copies: str, group: int = 1, outside: str = "") -> str:
    """The module's text.

    `copies` stands where one thread of the leading block runs; it finds the allocation's address
    as `%base` (i32), the buffer as `%image` (BUFFER), and index arguments of the launch as
    `%choice0`, `%choice1`, ... `group`: the cta_group; with 2 the cluster is a pair of blocks.
    """
    text = _TEXT.replace("GROUP", str(group)).replace("// COPIES", copies)
    text = text.replace("// OUTSIDE", outside)
    pair = group == 2
    text = text.replace(" MASK_VALUE", ", multicast_mask = %both" if pair else "")
    return text.replace(" MASK_TYPE", ", i16" if pair else "")


def launch(
    source: str | ir.Module,
    image: NDArray[np.uint32],
    choices: Sequence[int] = (),
    **options: Any,
) -> NDArray[np.uint32]:
    """Tensor memory of every block afterwards, uint32 (blocks, 128, 512).

    `image`: what shared memory holds, uint32 (blocks, WORDS).
    """
    chosen = np.zeros(CHOICES, np.int32)
    chosen[: len(choices)] = choices
    blocks = len(image)
    out = np.zeros((blocks, 128, 512), np.uint32)
    words = np.asarray(image, np.uint32).reshape(blocks, 128, 96)
    return run(source, "k", words, PATTERN, chosen, out, **options)[-1]


def shared_bytes(image: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """One block's shared memory by absolute address: `image` (WORDS,) at BASE."""
    return np.concatenate([np.zeros(BASE, np.uint8), image.view(np.uint8)])
