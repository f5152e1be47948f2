"""What all tests share: the CUDA tools, and Hypothesis without its stopwatch."""

from __future__ import annotations

import pytest
from hypothesis import settings
from tcgen05_mlir.cuda_tools import Tool, ToolError, find_tool

# A slow machine fails no test.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def _tool(name: str) -> Tool:
    try:
        return find_tool(name)
    except ToolError as error:
        pytest.skip(f"needs {name}: {error}")


@pytest.fixture(scope="session")
def ptxas() -> Tool:
    """The ptxas of this machine; skips, naming what was looked for, where there is none."""
    return _tool("ptxas")


@pytest.fixture(scope="session")
def nvdisasm() -> Tool:
    """The nvdisasm of this machine; skips, naming what was looked for, where there is none."""
    return _tool("nvdisasm")
