"""Rule F10 for a function: all the static shared memory that it names fits a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mlir import ir

from tcgen05_mlir.model.limits import SMEM_BLOCK_BYTES
from tcgen05_mlir.passes.device_code import FUNCTIONS, operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.facts.places import Root
from tcgen05_mlir.passes.facts.roots import is_global, root_of
from tcgen05_mlir.passes.facts.symbols import Symbols
from tcgen05_mlir.passes.memory_spaces import is_shared


def oversized(op: ir.Operation) -> Iterator[Diagnostic]:
    """An error where ``op`` is a function with copies whose static buffers exceed 227 KiB.

    Each buffer by itself fits: where one does not, its copies say so.
    """
    if op.name not in FUNCTIONS:
        return
    buffers = _static_buffers(op, Symbols())
    sizes = [buffer.extent or 0 for buffer in buffers]
    if sum(sizes) > SMEM_BLOCK_BYTES >= max(sizes):
        yield op_error(
            op,
            f"static shared memory must be at most {SMEM_BLOCK_BYTES} bytes, got "
            f"{sum(sizes)} [F10]",
            *(Note(buffer.location, _share(buffer)) for buffer in buffers),
            "use fewer or smaller buffers, or fewer stages",
        )


def _share(buffer: Root) -> str:
    return f"{buffer.extent} of them are {buffer.source}"


def _static_buffers(function: ir.Operation, symbols: Symbols) -> list[Root]:
    """Globals and attributions of a known size, each once; none where nothing is copied."""
    inner = list(operations(function))
    if not any(op.name == "tcgen05.cp" for op in inner):
        return []
    entry = function.regions[0].blocks[0]
    values = [*entry.arguments, *(op.results[0] for op in inner if is_global(op))]
    roots = [root for value in values if is_shared(value.type) for root in _root(value, symbols)]
    static = {root.key: root for root in roots if root.extent and not root.is_argument}
    return list(static.values())


def _root(value: ir.Value, symbols: Symbols) -> Iterator[Root]:
    """None where its alignment is none: that is reported at the copy that uses it."""
    with suppress(PassFailure):
        yield root_of(value, symbols)
