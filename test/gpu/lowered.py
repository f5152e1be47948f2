"""Modules of the table on their way down: each lowered once, and emitted for every chip."""

from __future__ import annotations

from functools import cache

from batches import number
from cases import Kernel, module_text
from mlir import ir
from mlir.dialects import gpu
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.compiler import load
from tcgen05_mlir.passes import tcgen05_to_ptx
from tcgen05_mlir.passes.tcgen05_attach_target import AttachTarget


@cache
def lowered(kernels: tuple[Kernel, ...], path: str, chip: str, emulate: bool = False) -> ir.Module:
    """The llvm and nvvm dialects of one gpu.module with these kernels."""
    text = module_text(list(kernels)) if len(kernels) > 1 else kernels[0].text
    options = tcgen05_to_ptx.ToPtxOptions(chip=chip, path=path, emulate=emulate)
    stages = (tcgen05_to_ptx.front(options), tcgen05_to_ptx.lower(emulate=emulate))
    return run_pipeline(load(text), ",".join(stages))


def ptx(kernels: tuple[Kernel, ...], path: str, chip: str, emulate: bool = False) -> str:
    """PTX for one chip, from what was lowered once for all chips that are lowered alike."""
    module = lowered(kernels, path, _like(chip, emulate), emulate)
    level = str(opt_level(chip, emulate))
    attach = AttachTarget(chip=chip, emulate=emulate, opt_level=level)
    emitted = run_pipeline(module, f"{attach},{tcgen05_to_ptx.emit()}")
    (binary,) = (op for op in emitted.body.operations if op.operation.name == "gpu.binary")
    return gpu.ObjectAttr(binary.operation.attributes["objects"][0]).object.decode()


def opt_level(chip: str, emulate: bool) -> int:
    """LLVM's: emulated code is optimized for one chip of those that are lowered alike."""
    return 3 if not emulate or chip == _like(chip, emulate) else 0


def _like(chip: str, emulate: bool) -> str:
    """The chip that stands for all which differ from it in nothing but the target."""
    if not emulate:
        return "sm_100a"
    return "sm_80" if number(chip) < 90 else "sm_90"
