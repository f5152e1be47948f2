"""`tcgen05-older-chips`: emulated code for sm_80 to sm_89."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.emulation.older_chips import judge, rewrite
from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS
from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules
from tcgen05_mlir.passes.diagnostics import PassFailure
from tcgen05_mlir.passes.nvvm_target import module_chips


@register_pass
@dataclass(frozen=True)
class OlderChips(Pass):
    """Rewrites, in modules for a chip below sm_90, what the protocol of a copy needs from sm_90.

    `nvvm.elect.sync`, fences between proxies and of cluster scope, and mbarriers become what
    sm_80 has, on device code in the llvm dialect. What needs a cluster, or copies of the async
    proxy, stays: rule T11 refuses it. Modules for later chips, or without a target, stay as they
    are. Source: PTX `elect-sync`, `membar-fence`, `mbarrier`.

    Errors: E1 for a symbol with the name of a function that this pass adds. Nothing is changed
    then.
    """

    name: ClassVar[str] = "tcgen05-older-chips"
    description: ClassVar[str] = "Rewrite what sm_80 to sm_89 lack of the protocol of a copy"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "nvvm")

    def run(self, op: ir.Operation) -> None:
        modules = list(filter(_is_for_older, gpu_modules(op)))
        problems = [problem for module in modules for problem in judge(module)]
        if problems:
            raise PassFailure(*problems)
        for module in modules:
            rewrite(module)


def _is_for_older(module: ir.Operation) -> bool:
    chips = module_chips(module)
    return any(chip.target.number < FIRST_WITH_CLUSTERS for chip in chips)
