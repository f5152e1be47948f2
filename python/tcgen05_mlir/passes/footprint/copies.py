"""The copies of a module with their questions, and all that keeps some from having one."""

from __future__ import annotations

from collections.abc import Iterator

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp
from tcgen05_mlir.passes.device_code import operations


def copies(root: ir.Operation) -> Iterator[CpOp]:
    """Every `tcgen05.cp` inside ``root``, in source order."""
    for op in operations(root):
        if op.name == "tcgen05.cp":
            found = op.opview
            assert isinstance(found, CpOp)
            yield found
