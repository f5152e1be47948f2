"""`tcgen05-verify-footprint`: rules F1 to F12, for every copy of a module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp
from tcgen05_mlir.model.footprint import CopyPlan
from tcgen05_mlir.passes import Pass, option, register_pass
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure, op_error
from tcgen05_mlir.passes.footprint.proofs import plan_of
from tcgen05_mlir.passes.footprint.questions import Reader
from tcgen05_mlir.passes.footprint.static_memory import oversized


@register_pass
@dataclass(frozen=True)
class VerifyFootprint(Pass):
    """Compare every byte that a copy reads and every cell that it writes with what its types say.

    Everything that is wrong in a module is reported, in source order, each violation as an error
    at the copy with notes: where the facts came from, and the remedy. What the IR does not tell
    is assumed; `list-assumptions` shows that as remarks. A descriptor that is absent is inferred
    for the proof. Nothing is changed. Source: PTX `tcgen05-cp`, `tcgen05-shared-memory-desc`.
    Not run on Blackwell.
    """

    name: ClassVar[str] = "tcgen05-verify-footprint"
    description: ClassVar[str] = "Prove that copies read and write what their types say"

    list_assumptions: bool = option(False, description="list as remarks what a proof assumes")

    def run(self, op: ir.Operation) -> None:
        reader = Reader()
        found: list[Diagnostic] = []
        for inner in [op, *operations(op)]:
            found += oversized(inner)
            if inner.name == "tcgen05.cp":
                found += self._judge(inner.opview, reader)
        found = list(dict.fromkeys(found))
        if any(diagnostic.severity is ir.DiagnosticSeverity.ERROR for diagnostic in found):
            raise PassFailure(*found)
        for remark in found:
            remark.emit()

    def _judge(self, op: CpOp, reader: Reader) -> Sequence[Diagnostic]:
        try:
            plan = plan_of(op, reader.read(op))
        except PassFailure as failure:
            return failure.diagnostics
        return list(_assumptions(op, plan)) if self.list_assumptions else ()


def _assumptions(op: CpOp, plan: CopyPlan) -> Iterator[Diagnostic]:
    for assumption in plan.assumptions:
        error = op_error(op, f"is right if {assumption.text}")
        yield Diagnostic(error.location, error.message, severity=ir.DiagnosticSeverity.REMARK)
