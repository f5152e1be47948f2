"""`tcgen05-check-device-code`: rules T4 to T7, T9 and T10, what would end the process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import gpu_modules, operations
from tcgen05_mlir.passes.device_rules.alignment import misaligned
from tcgen05_mlir.passes.device_rules.launch import unlaunchable
from tcgen05_mlir.passes.device_rules.names import misnamed
from tcgen05_mlir.passes.device_rules.scopes import unknown_scope
from tcgen05_mlir.passes.device_rules.storage import oversized
from tcgen05_mlir.passes.device_rules.types import TypeRule
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure


@register_pass
@dataclass(frozen=True)
class CheckDeviceCode(Pass):
    """Device code says nothing that LLVM's conversions or its backend would end the process over.

    T4: attributions have a static shape, and shared ones fit a block. T5: PTX has the names of
    functions and globals. T6: alignments are powers of two in 1..131072. T7: block and cluster
    sizes can be launched. T9: PTX has the types and memory spaces; T2 for a global in tensor
    memory. T10: the backend knows the scopes of atomics. All violations are reported, in source
    order. `func @"a-b"` fails, `func @a_b` does not. Source: PTX `identifiers`, `state-spaces`.
    """

    name: ClassVar[str] = "tcgen05-check-device-code"
    description: ClassVar[str] = "Check what LLVM would end the process over"

    def run(self, op: ir.Operation) -> None:
        types = TypeRule()
        found = [
            diagnostic
            for module in gpu_modules(op)
            for inner in operations(module)
            for diagnostic in _judged(inner, types)
        ]
        if found:
            raise PassFailure(*found)


def _judged(op: ir.Operation, types: TypeRule) -> Iterator[Diagnostic]:
    for rule in (oversized, misnamed, misaligned, unlaunchable, types.unknown_types, unknown_scope):
        yield from rule(op)
