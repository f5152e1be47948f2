"""`tcgen05-check-instructions`: rule T11, the chip and the PTX version have what code uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.emulation.older_chips import is_rewritten
from tcgen05_mlir.model.needs import Needs
from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS, ptx_text
from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.instructions.intrinsics import Intrinsics
from tcgen05_mlir.passes.instructions.library import library_function
from tcgen05_mlir.passes.instructions.requirements import requirements
from tcgen05_mlir.passes.nvvm_target import Chip, module_chips
from tcgen05_mlir.passes.tcgen05_attach_target import RESTORED_TARGETS

_REWRITE = "with --emulate, or emulate=true in a pipeline, it is rewritten for older chips"
_LIBRARY = "call a library's, such as libdevice's __nv_ functions, or compute it from what there is"
_COUNT = "only a constant count, of 1 or more, is rewritten for older chips"
_OLDER = "tcgen05-older-chips rewrites it for older chips"
_ARRIVALS = ("nvvm.mbarrier.arrive", "nvvm.mbarrier.arrive_drop")


@register_pass
@dataclass(frozen=True)
class CheckInstructions(Pass):
    """Device code uses instructions that its chip and its PTX version have.

    T11: an NVVM operation, a call of an intrinsic, inline assembly, an atomic operation, a
    cluster size. LLVM would end the process over most of them, and leave others to ptxas. Judged
    is what upstream's translation makes of an operation. Functions such as `llvm.intr.tan`, which
    no chip has, are refused too. A module without a target passes.
    `nvvm.elect.sync` on sm_80 fails, and with PTX 7.8 on sm_90. Source: LLVM 22.1.8, which was
    asked for each of its intrinsics and chips; PTX, the target notes of the instructions.
    """

    name: ClassVar[str] = "tcgen05-check-instructions"
    description: ClassVar[str] = "Check that the chip has the instructions that are used"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "nvvm")

    def run(self, op: ir.Operation) -> None:
        found = [
            diagnostic
            for module in gpu_modules(op)
            for diagnostic in _judged(module, module_chips(module))
        ]
        if found:
            raise PassFailure(*found)


def _judged(module: ir.Operation, chips: list[Chip]) -> Iterator[Diagnostic]:
    intrinsics, emulated = Intrinsics(), RESTORED_TARGETS in module.attributes
    for op in operations(module) if chips else ():
        function = library_function(op)
        if function is not None:
            yield op_error(op, f"computes '{function}', which no chip has [T11]", _LIBRARY)
        for subject, needs in requirements(op, intrinsics):
            problems = {needs.problem(chip.target, chip.ptx): chip for chip in chips}
            problems.pop("", None)
            for problem, chip in problems.items():
                remedies = _remedies(op, subject, chip, needs, emulated)
                yield op_error(op, f"{subject}{problem} [T11]", *remedies)
            if problems:
                break


def _remedies(
    op: ir.Operation, subject: str, chip: Chip, needs: Needs, emulated: bool
) -> Iterator[str]:
    if not needs.problem(chip.target, needs.ptx):
        yield (
            "give the chip when compiling, and the PTX version is chosen; or the version itself, "
            f"as ptx={ptx_text(needs.ptx)} in a pipeline or features = "
            f'"+ptx{needs.ptx}" in the target of the file'
        )
    elif chip.target.number < FIRST_WITH_CLUSTERS and _is_rewritten(op, subject):
        left = _COUNT if op.name in _ARRIVALS else _OLDER
        yield left if emulated else _REWRITE


def _is_rewritten(op: ir.Operation, subject: str) -> bool:
    """What is amiss with the operation goes away: of one of LLVM's that is its scope alone."""
    return is_rewritten(op) and (op.name.startswith("nvvm.") or "'syncscope'" in subject)
