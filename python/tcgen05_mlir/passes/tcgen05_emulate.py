"""`tcgen05-emulate`: tcgen05 operations become code for a GPU without tensor memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.emulation.rewrite import carry_out, judge
from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules
from tcgen05_mlir.passes.diagnostics import PassFailure


@register_pass
@dataclass(frozen=True)
class Emulate(Pass):
    """Each nvvm.tcgen05 operation becomes a call of a function that this pass adds.

    Tensor memory is global memory that the host binds through the variable `__tcgen05_emulation`;
    `docs/emulation.md` has the interface. Copies in the inline assembly of
    `convert-tcgen05-to-nvvm` count too. Works before and after the lowering to the llvm dialect, on
    functions of any kind; a gpu.module without tcgen05 operations stays as it is. The chip is that
    of the gpu.module's #nvvm.target, the earliest of several, sm_90 without one.

    Errors: E1 for each operation that has no emulation, mma above all, for symbols with names of
    emulation's, and for a gpu.module that is emulated already; T1 for a chip that is too old, and
    for targets with and without clusters together. All are reported, and nothing is changed.
    """

    name: ClassVar[str] = "tcgen05-emulate"
    description: ClassVar[str] = "Rewrite tcgen05 operations for a GPU without tensor memory"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm", "nvvm")

    def run(self, op: ir.Operation) -> None:
        judged = [judge(module) for module in gpu_modules(op)]
        problems = [problem for _, found in judged for problem in found]
        if problems:
            raise PassFailure(*problems)
        for work, _ in judged:
            with work.module.location:
                carry_out(work)
