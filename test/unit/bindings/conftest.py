"""A module to build in, and child processes for what a process does once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import tcgen05_mlir  # noqa: F401 -- before the Context, which then has the dialect
from building import Python, Site
from mlir import ir
from tcgen05_mlir.dialects import tcgen05


@pytest.fixture
def site() -> Iterator[Site]:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        i32 = ir.IntegerType.get_signless(32)
        tile = tcgen05.TmemLayoutAttr.get("(128, 4) : (1@lane, 1@col)")
        tile_type = ir.MemRefType.get((128, 4), i32, tile, ir.Attribute.parse("6"))
        plain_type = ir.MemRefType.get((128, 4), i32, None, ir.Attribute.parse("3"))
        kinds = [tile_type, plain_type, i32, ir.IndexType.get(), ir.IntegerType.get_signless(1)]
        with ir.InsertionPoint(module.body):
            values = ir.Operation.create("builtin.unrealized_conversion_cast", results=kinds)
            yield Site(module, tile_type, plain_type, *values.results)


@pytest.fixture
def python(tmp_path: Path) -> Python:
    """Run Python code in a process of its own, in an empty folder."""

    def run(code: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run
