"""Where a copy's source lies in shared memory."""

from __future__ import annotations

from dataclasses import dataclass

from mlir import ir
from mlir.dialects import arith

from tcgen05_mlir.model.limits import WORD_BYTES
from tcgen05_mlir.passes.lowering import emit
from tcgen05_mlir.passes.lowering.buffers import emit_address, emit_strides, offset_bytes
from tcgen05_mlir.passes.lowering.indexing import Dimension, Offsets, emit_offsets, split_indices


@dataclass(frozen=True)
class SharedPlace:
    """A buffer or pointer, and how indices move an address in it: bytes, before the swizzle.

    ``offset`` is the layout's own. ``bounded`` says that every start lies in the buffer: then an
    offset can be added to the descriptor without a carry, since a block's shared memory ends
    below the 2^18 that the descriptor can address (F10).
    """

    root: ir.Value
    dimensions: tuple[Dimension, ...]
    offset: int
    bounded: bool
    indices: tuple[ir.Value, ...]

    def emit_base(self, start: int) -> tuple[ir.Value, int]:
        """The i64 shared address of repeat 0 less a constant, and that constant.

        ``start``: bytes from the buffer's first element to repeat 0, unknown indices 0. The
        value is never below address 0: there its bits 4 to 17 would wrap, and adding the constant
        to them carry.
        """
        offsets = split_indices(self.dimensions, self.indices)
        base, known = emit_address(self.root), offset_bytes(self.root)
        constant = (known or 0) + start
        moved = emit_offsets(self.dimensions, offsets, self._emit_strides(offsets))
        if moved is not None:
            base = emit.add(base, moved)
        if known is None or not self._ascends(offsets):
            base, constant = emit.add(base, constant), 0
        return arith.index_cast(emit.integer(64), base), constant

    def _ascends(self, offsets: Offsets) -> bool:
        """No unknown index moves an address down."""
        steps = [step for number, _ in offsets.unknown for step in self.dimensions[number].steps]
        return all(step is not None and step >= 0 for step in steps)

    def _emit_strides(self, offsets: Offsets) -> dict[int, ir.Value]:
        """By dimension number, the strides in bytes that the type does not tell."""
        numbers = [n for n, _ in offsets.unknown if not self.dimensions[n].is_static]
        strides = emit_strides(self.root) if numbers else []
        return {number: emit.scale(strides[number], WORD_BYTES) for number in numbers}
