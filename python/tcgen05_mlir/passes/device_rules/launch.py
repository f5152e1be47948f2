"""Rule T7: what a kernel states about its launch is a launch that can be."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from mlir import ir

from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.diagnostics import Diagnostic, op_error

_MAX_THREADS = 1024
_MAX_CLUSTER = 16
"""Blocks in a cluster where the launch allows more than the portable 8."""

_DIMENSIONS = {
    "nvvm.maxntid": _MAX_THREADS,
    "nvvm.reqntid": _MAX_THREADS,
    "nvvm.cluster_dim": _MAX_CLUSTER,
    "known_block_size": _MAX_THREADS,
    "known_cluster_size": _MAX_CLUSTER,
    "known_grid_size": None,
}
_COUNTS = ("nvvm.maxnreg", "nvvm.minctasm", "nvvm.cluster_max_blocks")

_REMEDY = "leave the attribute out where the launch decides"


def unlaunchable(op: ir.Operation) -> Iterator[Diagnostic]:
    """The errors for a function's `nvvm.reqntid = array<i32: -1, 1, 1>` and the like."""
    if op.name not in FUNCTIONS:
        return
    for name, most in _DIMENSIONS.items():
        attribute = op.attributes.get(name, None)
        if isinstance(attribute, ir.DenseI32ArrayAttr):
            yield from _dimensions(op, name, list(attribute), most)
    for name in _COUNTS:
        attribute = op.attributes.get(name, None)
        if isinstance(attribute, ir.IntegerAttr) and attribute.value < 1:
            yield op_error(op, f"'{name}' must be at least 1, got {attribute.value} [T7]", _REMEDY)


def _dimensions(
    op: ir.Operation, name: str, values: list[int], most: int | None
) -> Iterator[Diagnostic]:
    text = ", ".join(map(str, values))
    if any(value < 1 for value in values):
        yield op_error(op, f"'{name}' must be at least 1 each, got {text} [T7]", _REMEDY)
    elif most is not None and prod(values) > most:
        what = "threads" if most == _MAX_THREADS else "blocks"
        message = f"'{name}' must be at most {most} {what} in all, got {text} [T7]"
        yield op_error(op, message, _REMEDY)
