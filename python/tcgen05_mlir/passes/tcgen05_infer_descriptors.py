"""`tcgen05-infer-descriptors`: absent descriptors, from the layouts of the sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir

from tcgen05_mlir.dialects.tcgen05 import CpOp, SmemDescAttr
from tcgen05_mlir.model import SmemDescriptor
from tcgen05_mlir.passes import Pass, register_pass
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure
from tcgen05_mlir.passes.footprint.proofs import infer
from tcgen05_mlir.passes.footprint.questions import Reader


@register_pass
@dataclass(frozen=True)
class InferDescriptors(Pass):
    """Give each copy without a descriptor the one that reads its source.

    The layout's own swizzle is tried first, then the others; fields that the hardware does not
    read get canonical values. `tcgen05-verify-footprint` accepts what is inferred. Where no
    descriptor reads a source, one error says for each mode where it fails first, and nothing is
    changed. Descriptors that are there stay. Source: PTX `tcgen05-shared-memory-desc`.
    """

    name: ClassVar[str] = "tcgen05-infer-descriptors"
    description: ClassVar[str] = "Fill absent descriptors from the layouts of the sources"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("tcgen05",)

    def run(self, op: ir.Operation) -> None:
        reader = Reader()
        found: list[tuple[CpOp, SmemDescriptor]] = []
        failures: list[Diagnostic] = []
        for copy in _undescribed(op):
            try:
                found.append((copy, infer(copy, reader.read(copy))))
            except PassFailure as failure:
                failures += failure.diagnostics
        if failures:
            raise PassFailure(*dict.fromkeys(failures))
        for copy, descriptor in found:
            copy.descriptor = SmemDescAttr.get(
                ldo=descriptor.ldo, sdo=descriptor.sdo, swizzle=descriptor.swizzle
            )


def _undescribed(root: ir.Operation) -> Iterator[CpOp]:
    for op in operations(root):
        if op.name == "tcgen05.cp" and "descriptor" not in op.attributes:
            copy = op.opview
            assert isinstance(copy, CpOp)
            yield copy
