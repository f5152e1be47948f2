"""The one table of kernels: lit, the simulator, ptxas and GPUs run it.

Nothing here imports MLIR, CUDA or the simulator: a machine with numpy and the pure-Python part of
the package makes every case's arguments and expected arrays.
"""

from __future__ import annotations

from . import (
    allocs,
    blocks,
    clusters,
    descriptors,
    edges,
    examples,
    issuing,
    ldst,
    llvm_dialect,
    repeated,
    schedules,
    shift,
    sweep,
    warps,
)
from .case import PATHS, Case, Kernel, module_text
from .refusal import Refusal
from .refusals import REFUSALS

_PARTS = (
    sweep,
    blocks,
    clusters,
    schedules,
    descriptors,
    ldst,
    shift,
    allocs,
    llvm_dialect,
    repeated,
    issuing,
    edges,
    warps,
    examples,
)

CASES: dict[str, Case] = {}
for _case in (case for part in _PARTS for case in part.CASES):
    assert _case.name not in CASES, f"two cases are called {_case.name}"
    CASES[_case.name] = _case

KERNELS: dict[str, Kernel] = {}
for _kernel in [one.kernel for table in (CASES, REFUSALS) for one in table.values()]:
    assert KERNELS.setdefault(_kernel.name, _kernel) == _kernel, _kernel.name

__all__ = ["CASES", "KERNELS", "PATHS", "REFUSALS", "Case", "Kernel", "Refusal", "module_text"]
