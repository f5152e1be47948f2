"""`prove` against plain loops over plain numbers: which rules, which places, which offsets."""

from __future__ import annotations

from dataclasses import replace

import copies
import slow_footprint as slow
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tcgen05_mlir.model import (
    CopyPlan,
    FootprintError,
    InferenceError,
    SmemDescriptor,
    Violation,
    infer_descriptor,
    prove,
)

MODEST = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def judge(copy: slow.Copy) -> CopyPlan | tuple[Violation, ...]:
    """The plan, or the violations."""
    operands = copies.instruction(copy), copies.dst(copy), copies.src(copy)
    try:
        return prove(*operands, copies.descriptor(copy), **copies.facts(copy))
    except FootprintError as error:
        return error.violations


def compare(copy: slow.Copy) -> CopyPlan | tuple[Violation, ...]:
    """The verdict, after a comparison with the slow one: rules, first places, offsets."""
    verdict = judge(copy)
    faults = slow.all_faults(copy)
    unaligned = "F9o" in faults
    wanted = {rule.removesuffix("o") for rule in faults}
    found = set() if isinstance(verdict, CopyPlan) else {v.rule for v in verdict}
    if unaligned and copy.swizzle != copy.src_swizzle:
        wanted, found = wanted - {"F8"}, found - {"F8"}
    assert found == wanted
    if isinstance(verdict, CopyPlan):
        compare_steps(copy, verdict)
    else:
        for violation in verdict:
            compare_place(copy, violation, faults)
    return verdict


def compare_place(
    copy: slow.Copy, violation: Violation, faults: dict[str, list[slow.Fault]]
) -> None:
    """The place is at fault, and no earlier one of the same index is."""
    place, rule = violation.place, violation.rule
    if (
        place is None
        or (rule == "F5" and copy.lane_factor)
        or (rule == "F6" and copy.column_factor)
    ):
        return
    name = "F9o" if rule == "F9" else rule
    if rule == "F10" and faults["F10"] == [slow.WHOLE]:
        return
    here = (place.index, place.moved, place.repeat, place.row, place.word)
    same = [fault for fault in faults.get(name, []) if fault[:2] == here[:2]]
    assert same
    assert min(same) == here


def compare_steps(copy: slow.Copy, plan: CopyPlan) -> None:
    """Every step lies where the layouts have its first word."""
    dst_zero = tuple(at or 0 for at in copy.dst_indices)
    src_zero = tuple(at or 0 for at in copy.src_indices)
    assert [step.repeat for step in plan.steps] == slow.repeats(copy)
    for step in plan.steps:
        lane, column = slow.lane_column(copy, (*dst_zero, *step.repeat, 0, 0))
        origin = lane - copy.lane + slow.origin_shift(copy), column - copy.column
        assert (step.lane_offset, step.column_offset) == origin
        first = slow.linear(copy, (*src_zero, *step.repeat, 0, 0))
        touched = slow.exchange(first, copy.src_swizzle)
        start = slow.starting_at(touched, copy.swizzle) - (copy.address or 0) - copy.byte_offset
        assert step.start_offset == start


@MODEST
@given(copies.right_copies())
def test_what_is_right_but_for_bounds(copy: slow.Copy) -> None:
    verdict = compare(copy)
    if not isinstance(verdict, CopyPlan):
        assert {v.rule for v in verdict} <= {"F5", "F6", "F7", "F9", "F10", "F11", "F12"}


@MODEST
@given(copies.right_copies().flatmap(copies.mutations))
def test_one_number_changed(copy: slow.Copy) -> None:
    compare(copy)


@MODEST
@given(copies.right_copies().flatmap(copies.mutations).flatmap(copies.mutations))
def test_two_numbers_changed(copy: slow.Copy) -> None:
    compare(copy)


@settings(MODEST, max_examples=25)
@given(
    copies.right_copies().flatmap(copies.mutations),
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 32), st.integers(0, 32)),
        min_size=4,
        max_size=4,
    ),
)
def test_inference_and_proof_agree(copy: slow.Copy, others: list[tuple[int, int, int]]) -> None:
    found = infer(copy)
    if isinstance(found, SmemDescriptor):
        assert found == found.canonical(copies.instruction(copy))
        assert source_rules(copy, found) == set()
        return
    assert [failure.swizzle for failure in found.failures] == sorted(
        range(4), key=lambda swizzle: (swizzle != copy.src_swizzle, swizzle)
    )
    for swizzle, ldo, sdo in others:
        assert source_rules(copy, SmemDescriptor(ldo=16 * ldo, sdo=16 * sdo, swizzle=swizzle))
    assert source_rules(copy, copies.descriptor(copy))


def infer(copy: slow.Copy) -> SmemDescriptor | InferenceError:
    facts = copies.facts(copy)
    del facts["dst_base"]
    operands = copies.instruction(copy), copies.dst(copy), copies.src(copy)
    try:
        return infer_descriptor(*operands, **facts)
    except InferenceError as error:
        return error


def source_rules(copy: slow.Copy, descriptor: SmemDescriptor) -> set[str]:
    """The rules of shared memory that are broken, which the slow model confirms."""
    fields = {name: getattr(descriptor, name) for name in ("ldo", "sdo", "swizzle")}
    verdict = compare(replace(copy, **fields))
    rules = set() if isinstance(verdict, CopyPlan) else {violation.rule for violation in verdict}
    return rules & {"F8", "F9", "F10", "F11", "F12"}
