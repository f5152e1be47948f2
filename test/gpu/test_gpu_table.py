"""The table itself: that it holds what it says, and that its expectations are no tautologies."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from cases import CASES, KERNELS, Case
from cases.compare import difference
from cases.loops import FORMATS, FORMS, GROUPS, SWIZZLES, short
from cases.sweep import variants
from tcgen05_mlir.model import SmemDescriptor, execute_cp, legal_instructions


def test_all_forms_swizzles_formats_and_groups_are_there() -> None:
    names = [
        f"cp-{short(*form)}-g{group}-s{swizzle}-{source or 'b32'}"
        for form, group, swizzle, source in product(FORMS, GROUPS, SWIZZLES, FORMATS)
    ]
    assert len(names) == 144
    assert set(names) <= set(CASES)
    found = {
        copy.instruction
        for form, group in product(FORMS, GROUPS)
        for _, copy in variants(*form, group)
    }
    assert found == set(legal_instructions())


def test_families_have_their_sizes() -> None:
    families = Counter(case.family for case in CASES.values())
    assert families == {
        **{f"cp {short(*form)}": 28 for form in FORMS},
        "all 512 columns": 12,
        "grid of 132": 2,
        "dynamic shared memory": 2,
        "several copies, one commit": 2,
        "commits": 7,
        "pairs": 4,
        "grids in y and z": 2,
        "schedules": 6,
        "descriptors at run time": 48,
        **dict(zip([f"ld, st {shape}" for shape in LDST], LDST.values(), strict=True)),
        "shift": 8,
        "several allocations": 2,
        "allocations in a loop": 2,
        "loops of copies": 7,
        "other producers": 1,
        "other issuers": 4,
        "device functions": 2,
        "edges of shared memory": 12,
        "examples": 5,
    }


LDST = {"32x32b": 16, "16x64b": 16, "16x128b": 14, "16x256b": 12, "16x32bx2": 16}
"""Powers of two of registers up to 128, plain and packed."""


def test_kernels_have_names_of_their_own() -> None:
    assert len({kernel.text for kernel in KERNELS.values()}) == len(KERNELS)
    for name, kernel in KERNELS.items():
        assert f"func @{name}(" in kernel.text
        shape = re.search(r"nvvm.cluster_dim = array<i32: (\d), (\d), 1>", kernel.text)
        assert kernel.cluster == (int(shape[1]) * int(shape[2]) if shape else 1)


@pytest.mark.parametrize("case", CASES.values(), ids=str)
def test_expected_arrays_differ_from_what_the_kernel_is_given(case: Case) -> None:
    """Else a kernel that did nothing would pass; a copy that is not taken leaves the pattern."""
    given, wanted = case.make()
    again = case.make()
    assert difference(given, wanted) is not None
    assert difference(again[0], given) is None
    assert difference(again[1], wanted) is None
    assert len(given) == len(wanted)


@pytest.mark.parametrize(("form", "group"), [*product(FORMS, GROUPS)])
def test_loops_and_the_reference_agree(form: tuple[str, str | None], group: int) -> None:
    rng = np.random.default_rng(1)
    memory = rng.integers(0, 256, 65536).astype(np.uint8)
    for _, copy in variants(*form, group):
        loops, reference = np.zeros((2, 128, 512), np.uint32)
        for issue in copy.issues(2):
            issue.run(loops, memory)
            descriptor = SmemDescriptor(issue.start, issue.ldo, issue.sdo, issue.swizzle)
            address = issue.lane << 16 | issue.column
            execute_cp(reference, memory, address, descriptor, copy.instruction)
        assert np.array_equal(loops, reference)
        assert loops.any()


@pytest.mark.parametrize(
    ("found", "wanted", "message"),
    [
        ((1, np.arange(4)), (1, np.arange(4)), None),
        ((1,), (1, 2), "1 arguments came back, wanted 2"),
        ((1,), (2,), "argument 0 differs in 1 of 1 elements, first at (): got 0x1, wanted 0x2"),
        (
            (np.arange(6),),
            (np.array([[0, 1, 2], [3, 9, 9]]),),
            "argument 0 differs in 2 of 6 elements, first at (1, 1): got 0x4, wanted 0x9",
        ),
        ((np.arange(3),), (np.arange(4),), "argument 0 has 3 elements, wanted 4"),
        ((np.array([-1], np.int32),), (np.array([2**32 - 1], np.uint32),), None),
    ],
)
def test_difference_says_what_and_where(found, wanted, message) -> None:
    assert difference(found, wanted) == message
