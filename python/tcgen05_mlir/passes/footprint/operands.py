"""The operands of a copy as places in the two memories, and why it may have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tcgen05_mlir.dialects.tcgen05 import CpOp
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure
from tcgen05_mlir.passes.lowering.shared import SharedPlace
from tcgen05_mlir.passes.lowering.source import find_shared_place
from tcgen05_mlir.passes.lowering.tensor import TensorPlace, find_tensor_place

PlaceT = TypeVar("PlaceT")


def find_operands(op: CpOp) -> tuple[TensorPlace, SharedPlace]:
    """Where ``op`` writes and reads.

    Raises PassFailure with all that no visible view or layout explains [L1, L2].
    """
    failures: list[Diagnostic] = []

    def attempt(find: Callable[[], PlaceT]) -> PlaceT | None:
        try:
            return find()
        except PassFailure as failure:
            failures.extend(failure.diagnostics)
            return None

    dst = attempt(lambda: find_tensor_place(op, "dst", op.dst_indices))
    src = attempt(lambda: find_shared_place(op))
    if dst is None or src is None:
        raise PassFailure(*failures)
    return dst, src
