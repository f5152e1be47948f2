"""The rewrite of one gpu.module: first all is judged, then all is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from mlir import ir

from tcgen05_mlir.model.targets import FIRST_WITH_CLUSTERS
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.source_places import place_text
from tcgen05_mlir.passes.tcgen05_instructions import cta_groups, is_tcgen05

from . import abi
from .alignments import assumed_alignments, misstated, says_nothing_else, write_check
from .chips import DEFAULT_CHIP, library_chip
from .code import Code
from .functions import function_of, require_own_function
from .library import Library
from .names import taken_names
from .plans import Step, plan
from .report import add_fail
from .values import Value


@dataclass
class Work:
    """What is to be done in `module`: a step for each tcgen05 operation, and the assumptions."""

    module: ir.Operation
    chip: int
    steps: list[tuple[ir.Operation, Step]] = field(default_factory=list)
    assumptions: list[ir.Operation] = field(default_factory=list)
    pairs: bool = False


def judge(module: ir.Operation) -> tuple[Work, list[Diagnostic]]:
    """The work, and what is in its way; nothing is changed."""
    found = [op for op in operations(module) if is_tcgen05(op)]
    if not found:
        return Work(module, DEFAULT_CHIP), []
    if abi.SITES_ATTRIBUTE in module.attributes:
        return Work(module, DEFAULT_CHIP), [_emulated_already(module, found[0])]
    chip, problems = library_chip(module)
    work = Work(module, chip)
    problems += taken_names(module)
    for op in found:
        try:
            require_own_function(op, module)
            work.steps.append((op, plan(op)))
        except PassFailure as failure:
            problems += failure.diagnostics
        problems += _needs_clusters(op, chip)
    work.pairs = any(2 in cta_groups(op) for op in found)
    work.assumptions = _assumptions(module, found)
    problems += [error for op in work.assumptions for error in misstated(op)]
    return work, problems


def carry_out(work: Work) -> None:
    """Writes the code."""
    if not work.steps:
        return
    library = Library(work.module, work.chip, work.pairs)
    library.add_variable()
    add_fail(library)
    sites = _Sites()
    for op in work.assumptions:
        _check_assumption(library, op, sites)
    for op, step in work.steps:
        code = Code.in_front_of(op)
        replacement = step(library, code, partial(_site, code, op, sites))
        if replacement is not None:
            op.result.replace_all_uses_with(replacement.ir)
        op.erase()
    work.module.attributes[abi.SITES_ATTRIBUTE] = sites.attribute()


class _Sites:
    """Numbers for operations; equal texts share one."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, op: ir.Operation) -> int:
        return self._numbers.setdefault(_words(op), len(self._numbers))

    def attribute(self) -> ir.Attribute:
        return ir.ArrayAttr.get([ir.StringAttr.get(text) for text in self._numbers])


def _words(op: ir.Operation) -> str:
    return f"{place_text(op.location)}: '{op.name}' op"


def _site(code: Code, op: ir.Operation, sites: _Sites) -> Value:
    return code.constant(sites.number(op))


def _check_assumption(library: Library, op: ir.Operation, sites: _Sites) -> None:
    code = Code.in_front_of(op)
    site = _site(code, op, sites)
    for pointer, size in assumed_alignments(op):
        write_check(library, code, site, pointer, size)
    if says_nothing_else(op):
        op.erase()


def _assumptions(module: ir.Operation, found: list[ir.Operation]) -> list[ir.Operation]:
    """Those in functions with tcgen05: what else assumes something stays as it is."""
    functions = {function_of(op) for op in found}
    return [
        op for op in operations(module) if assumed_alignments(op) and function_of(op) in functions
    ]


def _emulated_already(module: ir.Operation, op: ir.Operation) -> Diagnostic:
    text = f"is already emulated, and has tcgen05 operations again, such as {op.name} [E1]"
    remedy = "this one came later: put it in before tcgen05-emulate, which runs once"
    return op_error(module, text, Note(op.location, remedy))


def _needs_clusters(op: ir.Operation, chip: int) -> list[Diagnostic]:
    multicast = op.name == "nvvm.tcgen05.commit" and len(op.operands) > 1
    if chip >= FIRST_WITH_CLUSTERS or not (multicast or 2 in cta_groups(op)):
        return []
    what = "a multicast mask" if multicast else "cta_group::2"
    wanted = f"sm_{FIRST_WITH_CLUSTERS} or later"
    text = f"has {what}, which needs clusters: wanted {wanted}, got sm_{chip} [T1]"
    return [op_error(op, text)]
