"""Answers to a copy's question: a plan, or diagnostics that say all that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tcgen05_mlir.dialects.tcgen05 import CpOp, descriptor_of
from tcgen05_mlir.model import SmemDescriptor
from tcgen05_mlir.model.footprint import (
    CopyPlan,
    FootprintError,
    InferenceError,
    Violation,
    infer_descriptor,
    prove,
)
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.footprint.questions import Asked, Question

_TENSOR_RULES = ("F1", "F2", "F3", "F4", "F5", "F6", "F7")
_ROOT_RULES = ("F8", "F9", "F10", "F11")


def plan_of(op: CpOp, asked: Asked) -> CopyPlan:
    """The plan of a copy, its descriptor inferred where it is absent.

    Raises PassFailure with one error for each rule that the copy breaks, in order of rules.
    """
    descriptor = descriptor_of(op)
    if descriptor not in asked.plans:
        asked.plans[descriptor] = _plan(op, asked, descriptor)
    return asked.plans[descriptor]


def _plan(op: CpOp, asked: Asked, descriptor: SmemDescriptor | None) -> CopyPlan:
    if descriptor is None:
        try:
            descriptor = _infer(asked.question)
        except InferenceError as error:
            tensor = _violations(asked.question, SmemDescriptor(ldo=16, sdo=128))
            broken = [violation for violation in tensor if violation.rule in _TENSOR_RULES]
            errors = _errors(op, asked, broken)
            raise PassFailure(*errors, inference_error(op, asked, error)) from None
    try:
        return _prove(asked.question, descriptor)
    except FootprintError as error:
        raise PassFailure(*_errors(op, asked, error.violations)) from None


def infer(op: CpOp, asked: Asked) -> SmemDescriptor:
    """The descriptor that reads the copy's source.

    Raises PassFailure with one error that has a note for each swizzle mode.
    """
    try:
        return _infer(asked.question)
    except InferenceError as error:
        raise PassFailure(inference_error(op, asked, error)) from None
    except FootprintError as error:
        raise PassFailure(*_errors(op, asked, error.violations)) from None


def inference_error(op: CpOp, asked: Asked, error: InferenceError) -> Diagnostic:
    """One error, with a note for each mode, the layout's own first, and that one's remedy."""
    modes = [str(failure) for failure in error.failures]
    own = error.failures[0].violation
    origin = asked.shared_notes if own.rule in _ROOT_RULES else ()
    return op_error(op, error.message, *modes, *origin, own.remedy)


def _infer(question: Question) -> SmemDescriptor:
    return infer_descriptor(
        question.instruction,
        question.dst,
        question.src,
        dst_indices=question.dst_indices,
        src_indices=question.src_indices,
        src_base=question.src_base,
    )


def _prove(question: Question, descriptor: SmemDescriptor) -> CopyPlan:
    return prove(
        question.instruction,
        question.dst,
        question.src,
        descriptor,
        dst_indices=question.dst_indices,
        src_indices=question.src_indices,
        dst_base=question.dst_base,
        src_base=question.src_base,
    )


def _violations(question: Question, descriptor: SmemDescriptor) -> tuple[Violation, ...]:
    try:
        _prove(question, descriptor)
    except FootprintError as error:
        return error.violations
    return ()


def _errors(op: CpOp, asked: Asked, violations: Iterable[Violation]) -> Iterator[Diagnostic]:
    """Each violation at the copy, with where its facts came from and the remedy."""
    for violation in violations:
        notes: tuple[Note, ...] = ()
        if violation.rule in ("F4", "F5", "F6"):
            notes = asked.tensor_notes(op)
            if asked.riddle is not None and violation.place is None:
                notes += (asked.riddle,)
        elif violation.rule in _ROOT_RULES:
            notes = asked.shared_notes
        yield op_error(op, violation.message, *notes, violation.remedy)
