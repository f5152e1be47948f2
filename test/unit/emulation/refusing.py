"""What a pass says when it refuses a module."""

from __future__ import annotations

import pytest
from mlir import ir
from tcgen05_mlir import MLIRError, run_pipeline


def refused(module: ir.Module, pipeline: str = "tcgen05-emulate") -> list[tuple[str, list[str]]]:
    """The messages, each with its notes; the module is unchanged."""
    before = str(module)
    with pytest.raises(MLIRError) as caught:
        run_pipeline(module, pipeline)
    assert str(module) == before
    return [
        (found.message, [note.message for note in found.notes])
        for found in caught.value.error_diagnostics
    ]
