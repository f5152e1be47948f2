"""What one operation of device code needs of the chip."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from mlir import ir

from tcgen05_mlir.model.assembly_needs import assembly_needs
from tcgen05_mlir.model.intrinsic_needs import intrinsic_needs
from tcgen05_mlir.model.needs import Needs
from tcgen05_mlir.passes.device_code import FUNCTIONS
from tcgen05_mlir.passes.instructions.intrinsics import ASSEMBLED, Intrinsics
from tcgen05_mlir.passes.tcgen05_instructions import ASSEMBLY, is_tcgen05
from tcgen05_mlir.passes.texts import string_text

_CLUSTERS = Needs(78, 90)
_WIDE_ATOMICS = Needs(83, 90)

_CLUSTER_SIZES = ("nvvm.cluster_dim", "gpu.known_cluster_size", "known_cluster_size")
_CLUSTER_MARKS = ("nvvm.cluster_max_blocks", "nvvm.blocksareclusters")
_ATOMICS = ("llvm.atomicrmw", "llvm.cmpxchg", "llvm.load", "llvm.store")
_OTHER_BLOCKS = "!llvm.ptr<7>"


def requirements(op: ir.Operation, intrinsics: Intrinsics) -> Iterator[tuple[str, Needs]]:
    """The needs of `op`, each with the words that say what of it is meant: empty for all of it.

    `llvm.inline_asm "elect.sync ..."` has `("instruction 'elect.sync' ", Needs(80, 90))`. What is
    of tcgen05 is left to rule T1.
    """
    if is_tcgen05(op):
        return
    if op.name in ASSEMBLY:
        text = string_text(op.attributes[ASSEMBLY[op.name]])
        for name, needs in assembly_needs(text):
            yield f"instruction '{name}' ", needs
    for _, needs in assembly_needs(ASSEMBLED.get(op.name, "")):
        yield "", needs
    for name in intrinsics.of(op):
        found = intrinsic_needs(name)
        if found is not None:
            yield "" if op.name.startswith("nvvm.") else f"intrinsic '{name}' ", found
    yield from _of_llvm(op)
    if op.name in FUNCTIONS:
        yield from _of_launch(op)


def _of_llvm(op: ir.Operation) -> Iterator[tuple[str, Needs]]:
    scope = op.attributes.get("syncscope", None)
    if isinstance(scope, ir.StringAttr) and string_text(scope) == "cluster":
        yield "'syncscope' cluster ", _CLUSTERS
    kinds = [str(value.type) for value in (*op.operands, *op.results)]
    if op.name.startswith("llvm.") and _OTHER_BLOCKS in kinds:
        yield f"{_OTHER_BLOCKS}, the shared memory of a cluster, ", _CLUSTERS
    if op.name in _ATOMICS and "i128" in kinds and _is_atomic(op):
        yield "on i128 ", _WIDE_ATOMICS


def _is_atomic(op: ir.Operation) -> bool:
    ordering = op.attributes.get("ordering", None)
    return op.name == "llvm.cmpxchg" or (ordering is not None and _order(ordering) > 0)


def _order(ordering: ir.Attribute) -> int:
    return ir.IntegerAttr(ordering).value


def _of_launch(function: ir.Operation) -> Iterator[tuple[str, Needs]]:
    for name in _CLUSTER_SIZES:
        if name in function.attributes:
            sizes = list(ir.DenseI32ArrayAttr(function.attributes[name]))
            if prod(sizes) > 1:
                yield f"'{name}' {', '.join(map(str, sizes))} ", _CLUSTERS
    for name in _CLUSTER_MARKS:
        if name in function.attributes:
            yield f"'{name}' ", _CLUSTERS
