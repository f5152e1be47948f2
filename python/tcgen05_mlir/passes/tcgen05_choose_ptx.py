"""`tcgen05-choose-ptx`: the PTX version that the instructions of a gpu.module need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.model.needs import Needs
from tcgen05_mlir.model.targets import EMULATION_PTX, lookup
from tcgen05_mlir.passes import Pass, option, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.instructions.intrinsics import Intrinsics
from tcgen05_mlir.passes.instructions.requirements import requirements
from tcgen05_mlir.passes.nvvm_target import NvvmTarget, target_array
from tcgen05_mlir.passes.tcgen05_attach_target import RESTORED_TARGETS


@register_pass
@dataclass(frozen=True)
class ChoosePtx(Pass):
    """Raises the PTX version of targets for which nobody gave one, as far as the code needs it.

    The version stays the chip's first where all instructions have it, and where the chip itself
    lacks one, which rule T11 says. Targets of the file that state a version stay as they are,
    unless `replace` says that the version is not the file's. With `emulate` it is at least the one
    of emulated code. Works on device code in the llvm and nvvm dialects.

    A kernel with `nvvm.elect.sync` for sm_90, whose first version is 7.8, gets 8.0.
    """

    name: ClassVar[str] = "tcgen05-choose-ptx"
    description: ClassVar[str] = "Raise the PTX version to what the instructions need"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "nvvm")

    replace: bool = option(False, description="versions that targets state are raised too")
    emulate: bool = option(False, description="tcgen05 is emulated, which needs PTX 8.0")

    def run(self, op: ir.Operation) -> None:
        for module in gpu_modules(op):
            present = [name for name in ("targets", RESTORED_TARGETS) if name in module.attributes]
            needs = list(_all_needs(module)) if present else []
            for name in present:
                targets = map(NvvmTarget.read, ir.ArrayAttr(module.attributes[name]))
                raised = [self._raised(target, needs) for target in targets]
                module.attributes[name] = target_array(raised, op.context)

    def _raised(self, target: NvvmTarget, needs: list[Needs]) -> NvvmTarget:
        if target.features and not self.replace:
            return target
        chip = lookup(target.chip)
        versions = [one.ptx for one in needs if not one.problem(chip, one.ptx)]
        version = max([target.ptx, *versions, *([EMULATION_PTX] if self.emulate else [])])
        return target if version == target.ptx else replace(target, features=f"+ptx{version}")


def _all_needs(module: ir.Operation) -> Iterator[Needs]:
    intrinsics = Intrinsics()
    for op in operations(module):
        for _, needs in requirements(op, intrinsics):
            yield needs
