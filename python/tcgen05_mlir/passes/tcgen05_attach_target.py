"""`tcgen05-attach-target`: every gpu.module gets its chip, and rule T1 is checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.model.targets import (
    EMULATION_PTX,
    FIRST_EMULATED,
    Target,
    lookup,
    parse_ptx,
    ptx_text,
    require_emulation,
    require_tcgen05,
)
from tcgen05_mlir.passes import Pass, option, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.diagnostics import PassFailure, op_error
from tcgen05_mlir.passes.nvvm_target import NvvmTarget, target_array
from tcgen05_mlir.passes.tcgen05_instructions import is_tcgen05

RESTORED_TARGETS = "tcgen05.restored_targets"
"""Where a gpu.module keeps the targets that it is to have once tcgen05 is emulated."""

_MMA = "nvvm.tcgen05.mma"
"""How the names of the operations begin that emulation does not have."""

_REMEDY = "emulate it there: --emulate, or emulate=true in a pipeline, emulate=True in Python"


@register_pass
@dataclass(frozen=True)
class AttachTarget(Pass):
    """Sets or replaces `#nvvm.target` on every gpu.module, after checking it (rule T1).

    With `chip`, a module's targets are replaced by one for that chip, at `ptx` (default: the first
    version that knows the chip, with `emulate` at least 8.0) and `opt-level` (default: what the
    old target says, else 3); the old one's `flags` and `link` stay. Without `chip` the targets that
    are there are kept, with `ptx` and `opt-level` put in where given; a module with none is an
    error. `verifyTarget` is off where upstream's verifier does not know the chip's tcgen05, and
    only there.

    With `emulate`, tcgen05 is to be emulated: every chip from sm_80 on will do, and the targets say
    `verifyTarget = false` until `tcgen05-restore-targets` puts in those that the module keeps in
    `tcgen05.restored_targets` meanwhile.

    Fails with rule T1, before anything is changed, for a chip that is unknown, for a PTX version
    below the chip's first or, with `emulate`, below 8.0, and at the first tcgen05
    instruction (an operation of this dialect or of NVVM, an intrinsic call, inline assembly) on a
    chip that has none. Kernels without tcgen05 go to every chip. `chip=sm_103a` gives
    `#nvvm.target<O = 3, chip = "sm_103a", features = "+ptx88", verifyTarget = false>`.
    """

    name: ClassVar[str] = "tcgen05-attach-target"
    description: ClassVar[str] = "Set the chip of every gpu.module and check that it has tcgen05"

    chip: str = option("", description="chip, such as sm_100a; empty keeps the module's target")
    ptx: str = option("", description="PTX version, such as 8.6; empty is the chip's first")
    opt_level: str = option("", description="LLVM's -O, 0 to 3; empty is the target's, else 3")
    emulate: bool = option(False, description="tcgen05 is emulated: every chip from sm_80 on")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.opt_level not in ("", "0", "1", "2", "3"):
            raise ValueError(f"option 'opt-level' must be 0, 1, 2 or 3, got '{self.opt_level}'")

    def run(self, op: ir.Operation) -> None:
        modules = gpu_modules(op)
        if not modules:
            message = "holds no gpu.module, so there is nothing to compile"
            remedy = "kernels still inside gpu.launch are outlined by gpu-kernel-outlining"
            raise PassFailure(op_error(op, message, remedy))
        attached = [(module, self._targets(module)) for module in modules]
        for module, values in attached:
            if self.emulate:
                module.attributes[RESTORED_TARGETS] = target_array(values, op.context)
                values = [replace(value, verify=False) for value in values]
            elif RESTORED_TARGETS in module.attributes:
                del module.attributes[RESTORED_TARGETS]
            module.attributes["targets"] = target_array(values, op.context)

    def _targets(self, module: ir.Operation) -> list[NvvmTarget]:
        """What the module's targets are to be; raises PassFailure where one of them will not do."""
        try:
            values = [self._updated(old).checked() for old in self._present(module)]
            if self.emulate:
                _check_emulation_ptx(values)
        except ValueError as error:
            raise PassFailure(op_error(module, str(error))) from None
        if not values:
            remedy = "give the pass a chip, such as chip=sm_100a, or write the target in the file"
            raise PassFailure(op_error(module, "has no target to compile for", remedy))
        for value in values:
            require = _require_emulation if self.emulate else _require_tcgen05
            require(module, lookup(value.chip))
        return values

    def _present(self, module: ir.Operation) -> list[NvvmTarget]:
        """The module's own targets, or, with `chip`, the one that takes their place."""
        targets = module.attributes.get("targets", None)
        if RESTORED_TARGETS in module.attributes:  # Emulated already, by an earlier pipeline.
            targets = module.attributes[RESTORED_TARGETS]
        present = [] if targets is None else list(ir.ArrayAttr(targets))
        if not self.chip:
            return [NvvmTarget.read(attribute) for attribute in present]
        nvvm = [attribute for attribute in present if str(attribute).startswith("#nvvm.")]
        old = NvvmTarget.read(nvvm[0]) if nvvm else NvvmTarget(self.chip)
        return [NvvmTarget(self.chip, self._first_ptx(self.chip), old.opt_level, old.extras)]

    def _first_ptx(self, chip: str) -> str:
        first = lookup(chip).min_ptx
        return f"+ptx{max(first, EMULATION_PTX) if self.emulate else first}"

    def _updated(self, old: NvvmTarget) -> NvvmTarget:
        features = f"+ptx{parse_ptx(self.ptx)}" if self.ptx else old.features
        return replace(
            old,
            features=features,
            opt_level=int(self.opt_level) if self.opt_level else old.opt_level,
        )


def _check_emulation_ptx(values: list[NvvmTarget]) -> None:
    """Raises ValueError [T1] for a PTX version that lacks what emulated code is made of."""
    for value in values:
        if value.features and value.ptx < EMULATION_PTX:
            raise ValueError(
                f"PTX version must be at least {ptx_text(EMULATION_PTX)} for emulated code, got "
                f"{ptx_text(value.ptx)} [T1]"
            )


def _require_emulation(module: ir.Operation, target: Target) -> None:
    try:
        require_emulation(target)
    except ValueError as error:
        raise PassFailure(op_error(module, str(error))) from None


def _require_tcgen05(module: ir.Operation, target: Target) -> None:
    try:
        require_tcgen05(target)
    except ValueError as error:
        for op in operations(module):
            if is_tcgen05(op):
                emulated = target.number >= FIRST_EMULATED and not op.name.startswith(_MMA)
                notes = [_REMEDY] if emulated else []
                raise PassFailure(op_error(op, str(error), *notes)) from None
