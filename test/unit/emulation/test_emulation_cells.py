"""The places of registers as sums of bytes, against the table of the model, for every access."""

from __future__ import annotations

import numpy as np
import pytest
from tcgen05_mlir.emulation.cells import Cells, cells_of
from tcgen05_mlir.model.ldst_shapes import MAX_REGISTERS, REGISTERS_PER_REPEAT, footprint

ACCESSES = [
    (shape, base << power, packed)
    for shape, base in REGISTERS_PER_REPEAT.items()
    for power in range(8)
    for packed in (False, True)
    if base << power <= MAX_REGISTERS
]


@pytest.mark.parametrize(("shape", "registers", "packed"), ACCESSES)
def test_the_place_of_every_register(shape: str, registers: int, packed: bool) -> None:
    cells = cells_of(shape, registers, packed)
    lanes, columns = footprint(shape, registers, packed, 0)
    halves = 2 if packed else 1
    for thread in range(32):
        start = sum(weight for bit, weight in enumerate(cells.thread_bits) if thread >> bit & 1)
        places = np.array(cells.registers).reshape(registers, halves).T + start
        np.testing.assert_array_equal(places // 2048, lanes[:, :, thread])
        np.testing.assert_array_equal(places % 2048 // 4, columns[:, :, thread])
    assert (cells.lanes, cells.columns) == (lanes.max() + 1, columns.max() + 1)


def test_runs_of_neighbours() -> None:
    cells = Cells((0,) * 5, (0, 4, 8, 12, 16, 100, 104, 4000), 1, 1)
    assert cells.runs(4) == ((0, 4), (4, 1), (5, 2), (7, 1))
    assert cells.runs(1) == tuple((i, 1) for i in range(8))
    assert cells_of("32x32b", 8, False).runs(4) == ((0, 4), (4, 4))
    assert cells_of("16x256b", 4, False).runs(4) == ((0, 2), (2, 2))
