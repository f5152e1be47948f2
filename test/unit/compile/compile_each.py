"""Compiles each sample for a chip, a PTX version, with or without emulation; says how it went.

A program, because an operation that LLVM cannot select would end the process.
"""

from __future__ import annotations

import sys

import tcgen05_mlir
from instruction_samples import OPERATIONS, sampled
from tcgen05_mlir.model.targets import lookup

CHIP, EMULATE = sys.argv[1], sys.argv[3] == "true"
PTX = max(int(sys.argv[2]), lookup(CHIP).min_ptx)
TARGET = f'[#nvvm.target<chip = "{CHIP}", features = "+ptx{PTX}", verifyTarget = false>]'


def outcome(operation: str) -> str:
    """`compiled`, or the rule of the first error."""
    try:
        tcgen05_mlir.compile(sampled(operation, TARGET), chip=None, emulate=EMULATE)
    except tcgen05_mlir.MLIRError as error:
        return error.error_diagnostics[0].message.rpartition("[")[2].rstrip("]")
    return "compiled"


for name, operation in OPERATIONS.items():
    print(f"{name}: {outcome(operation)}", flush=True)
