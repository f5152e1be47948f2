"""A context of one's own for every test, entered, with an unknown location."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import tcgen05_mlir  # noqa: F401 -- before the Context, which then has the dialect
from mlir import ir


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context
