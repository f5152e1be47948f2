"""`tcgen05-check-cta-group`: the half of rule P2 that one kernel's text decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import functions, gpu_modules, is_kernel, operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.tcgen05_instructions import cta_groups
from tcgen05_mlir.passes.texts import symbol_text

_REMEDY = "use one cta_group throughout, or make two kernels of it"


@register_pass
@dataclass(frozen=True)
class CheckCtaGroup(Pass):
    """A kernel, with the functions it calls, uses one cta_group in all its tcgen05 instructions.

    Counted are operations of this dialect, NVVM operations, intrinsic calls and the text of
    inline assembly. A kernel that mixes them fails with rule P2 at the first operation that
    differs, with a note at the one it differs from; two kernels, one of each, are right. Each
    pair is reported once. Source: PTX `tcgen05-cp`, which
    ptxas 13.0 enforces per function.
    """

    name: ClassVar[str] = "tcgen05-check-cta-group"
    description: ClassVar[str] = "Check that no kernel mixes cta_groups (rule P2)"

    def run(self, op: ir.Operation) -> None:
        found: dict[tuple[ir.Operation, ir.Operation], Diagnostic] = {}
        for module in gpu_modules(op):
            known = functions(module)
            for name, function in known.items():
                for pair, diagnostic in _mixed(name, function, known):
                    found.setdefault(pair, diagnostic)
        if found:
            raise PassFailure(*found.values())


def _mixed(
    name: str, function: ir.Operation, known: dict[str, ir.Operation]
) -> Iterator[tuple[tuple[ir.Operation, ir.Operation], Diagnostic]]:
    """The first two operations of different groups, where there are such."""
    uses = [(op, group) for op in reached(function, known) for group in cta_groups(op)]
    for op, group in uses:
        first, wanted = uses[0]
        if group != wanted:
            kind = "kernel" if is_kernel(function) else "function"
            message = (
                f"cta_group must be {wanted}, as in '{first.name}', everywhere in {kind} '{name}', "
                f"got {group} [P2]"
            )
            note = Note(first.location, f"'{first.name}' with cta_group {wanted} is here")
            yield (first, op), op_error(op, message, note, _REMEDY)
            return


def reached(function: ir.Operation, known: dict[str, ir.Operation]) -> Iterator[ir.Operation]:
    """The operations of a function and then of all that it calls, each function once."""
    pending, seen = [function], {function}
    for current in pending:
        for op in operations(current):
            yield op
            callee = known.get(_callee(op))
            if callee is not None and callee not in seen:
                seen.add(callee)
                pending.append(callee)


def _callee(op: ir.Operation) -> str:
    symbol = op.attributes.get("callee", None)
    return symbol_text(symbol) if isinstance(symbol, ir.FlatSymbolRefAttr) else ""
