"""Kernels emulated, down to the llvm dialect: what a GPU without tensor memory would run."""

from __future__ import annotations

from os import PathLike

from mlir import ir
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.passes import tcgen05_to_ptx

CHIP = "sm_90a"


def emulated(
    source: ir.Module | str | PathLike[str], chip: str = CHIP, path: str = "nvvm"
) -> ir.Module:
    """The module that goes to LLVM; nothing of tcgen05 is left in it."""
    options = tcgen05_to_ptx.ToPtxOptions(chip=chip, path=path, emulate=True)
    stages = f"{tcgen05_to_ptx.front(options)},{tcgen05_to_ptx.lower(emulate=True)}"
    lowered = run_pipeline(load(source), stages)
    assert "nvvm.tcgen05" not in str(lowered).replace("'nvvm.tcgen05", "")
    assert "tcgen05.cp" not in str(lowered).replace("'nvvm.tcgen05", "")
    return lowered
