"""What a run of the tests has to show: that something was tested, and all of it in CI."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

LAUNCHES = re.compile(r"test/gpu/test_gpu_(launch|refusals)\.py::")
"""The tests that CI may skip, since CI has no GPU."""
NO_GPU = "needs a CUDA GPU; found none: "
"""How the one function that skips them begins its reason (test/gpu/needs_gpu.py)."""


def complaint(passed: int, skipped: Sequence[pytest.TestReport], *, ci: bool) -> str | None:
    """Why a run without a failure is one all the same; None where it is not."""
    if passed == 0:
        return f"no test passed, {len(skipped)} were skipped"
    wrong = [report for report in skipped if not sanctioned(report)]
    if ci and wrong:
        return f"with CI=true no test may be skipped, but {len(wrong)} were: {wrong[0].nodeid}"
    return None


def sanctioned(report: pytest.TestReport) -> bool:
    """A launch that was skipped because there is no GPU at all."""
    place = report.longrepr
    reason = place[2] if isinstance(place, tuple) else ""
    return bool(LAUNCHES.match(report.nodeid)) and reason.startswith(f"Skipped: {NO_GPU}")
