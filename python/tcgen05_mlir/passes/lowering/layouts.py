"""The layouts of memref types as values of the model, each text read once in a process."""

from __future__ import annotations

from functools import lru_cache

from mlir import ir

from tcgen05_mlir.model import SmemLayout, TmemLayout


def tmem_layout(kind: ir.MemRefType) -> TmemLayout:
    """The layout of a type whose layout is a #tcgen05.tmem_layout."""
    return _tmem(str(kind.layout))


def smem_layout(kind: ir.MemRefType) -> SmemLayout:
    """The layout of a type whose layout is a #tcgen05.smem_layout."""
    return _smem(str(kind.layout))


_tmem = lru_cache(maxsize=4096)(TmemLayout.parse)
_smem = lru_cache(maxsize=4096)(SmemLayout.parse)
