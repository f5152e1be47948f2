"""Functions in MLIR text, and the facts of the values that they return."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.places import Place
from tcgen05_mlir.passes.facts.shared import SharedMemory
from tcgen05_mlir.passes.facts.symbols import Symbols
from tcgen05_mlir.passes.facts.tensor import TensorMemory, TensorOrigin


@contextmanager
def returned(text: str) -> Iterator[ir.Value]:
    """The operand of the first `return` in a module, which must verify."""
    context = ir.Context()
    tcgen05_mlir.register_dialect(context)
    with context:
        module = ir.Module.parse(text)
        module.operation.verify()
        found: list[ir.Value] = []

        def visit(op: ir.Operation) -> ir.WalkResult:
            if op.name in ("func.return", "gpu.return", "llvm.return") and op.operands:
                found.append(op.operands[0])
            return ir.WalkResult.ADVANCE

        module.operation.walk(visit)
        yield found[0]


def sum_parts(text: str) -> tuple[int, list[int]]:
    """Constant and coefficients, ascending, of what a module returns."""
    with returned(text) as value:
        found = Integers().sum_of(value)
        return found.constant, sorted(found.terms.values())


def place(text: str) -> Place:
    """The place of the memref or pointer that a module returns; its terms are dead."""
    with returned(text) as value:
        return SharedMemory(Integers(), Symbols()).place_of(value)


def origin(text: str) -> TensorOrigin:
    """The origin of the TMEM address that a module returns."""
    with returned(text) as value:
        return TensorMemory(SharedMemory(Integers(), Symbols())).origin_of(value)
