"""Modules of the table on their way down, each lowered once."""

from __future__ import annotations

from functools import cache

from cases import Kernel, module_text
from mlir import ir
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.passes import tcgen05_to_ptx


@cache
def lowered(kernels: tuple[Kernel, ...], path: str, chip: str, emulate: bool = False) -> ir.Module:
    """The llvm and nvvm dialects of one gpu.module with these kernels."""
    text = module_text(list(kernels)) if len(kernels) > 1 else kernels[0].text
    options = tcgen05_to_ptx.ToPtxOptions(chip=chip, path=path, emulate=emulate)
    stages = (tcgen05_to_ptx.front(options), tcgen05_to_ptx.lower())
    return run_pipeline(load(text), ",".join(stages))
