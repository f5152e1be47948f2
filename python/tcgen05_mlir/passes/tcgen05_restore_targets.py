"""`tcgen05-restore-targets`: upstream's verifier judges what emulation has left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules
from tcgen05_mlir.passes.tcgen05_attach_target import RESTORED_TARGETS


@register_pass
@dataclass(frozen=True)
class RestoreTargets(Pass):
    """Puts the targets that `tcgen05-attach-target{emulate=true}` has kept in their place.

    Behind it upstream's verifier judges the NVVM operations for the chip again, where it knows the
    chip. A module that keeps none, or whose targets were replaced meanwhile, stays as it is.
    """

    name: ClassVar[str] = "tcgen05-restore-targets"
    description: ClassVar[str] = "Turn the verification for the chip on again after emulation"

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            if RESTORED_TARGETS in module.attributes:
                module.attributes["targets"] = module.attributes[RESTORED_TARGETS]
                del module.attributes[RESTORED_TARGETS]
