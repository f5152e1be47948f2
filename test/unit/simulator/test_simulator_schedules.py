"""Schedules of public kernels as whole kernels, on words that tell their place."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tcgen05_mlir.model import COL, LANE, Instruction, SmemLayout, TmemLayout
from whole_kernel import BUFFER, PATTERN, WORDS, kernel, launch

TENSOR = "#nvvm.memory_space<tensor>"
WORKGROUP = "#gpu.address_space<workgroup>"


def copied(
    instruction: Instruction,
    source: SmemLayout,
    target: TmemLayout,
    descriptor: str,
    image: NDArray[np.uint32],
) -> NDArray[np.uint32]:
    """Tensor memory after one copy, all repeats."""
    nvvm = instruction.nvvm
    multicast = f"multicast(<{nvvm.multicast}>)" if instruction.multicast else ""
    shape = "x".join(map(str, target.shape))
    dst = f"memref<{shape}xi32, {target}, {TENSOR}>"
    src = f"memref<{shape}xi32, {source}, {WORKGROUP}>"
    text = f"""%dst = tcgen05.view %base : i32 to {dst}
        %src = tcgen05.view %image : {BUFFER} to {src}
        tcgen05.cp <{nvvm.shape}> %dst, %src {multicast} descriptor(<{descriptor}>)
          : {dst}, {src}"""
    return launch(kernel(text), image[None])[0]


def only(columns: int, tmem: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The first columns; the others are as they were."""
    assert (tmem[:, columns:] == PATTERN[:, columns:]).all()
    return tmem[:, :columns]


@pytest.mark.parametrize("ldo", [0, 16, 128])
def test_schedules_1_and_2_scale_factors(ldo: int) -> None:
    """Value (row, k) at byte (row % 32)*16 + (row // 32)*4 + k of its 512 bytes."""
    blocks = 4
    values = np.random.default_rng(1).integers(0, 256, (128 * blocks, 4), np.uint8)
    image = np.zeros(4 * WORDS, np.uint8)
    for row in range(128 * blocks):
        block, inner = divmod(row, 128)
        at = block * 512 + inner % 32 * 16 + inner // 32 * 4
        image[at : at + 4] = values[row]
    instruction = Instruction("32x128b", "warpx4")
    tmem = copied(
        instruction,
        SmemLayout.row_major((blocks, 32, 4)),
        TmemLayout.for_instruction(instruction, blocks),
        f"ldo = {ldo}, sdo = 128",
        image.view(np.uint32),
    )
    cells = only(4 * blocks, tmem)
    for lane in range(128):
        for column in range(4 * blocks):
            row = column // 4 * 128 + column % 4 * 32 + lane % 32
            assert cells[lane, column] == int.from_bytes(values[row].tobytes(), "little")


def test_schedule_3_core_matrices() -> None:
    tmem = copied(
        Instruction("128x256b"),
        SmemLayout.core_matrices(128, 8, ldo=128, sdo=256),
        TmemLayout.for_instruction(Instruction("128x256b")),
        "ldo = 128, sdo = 256",
        np.arange(WORDS, dtype=np.uint32),
    )
    assert (tmem[0, 4], tmem[8, 0]) == (32, 64)
    cells = only(8, tmem)
    for row in range(128):
        for word in range(8):
            assert cells[row, word] == row // 8 * 64 + word // 4 * 32 + row % 8 * 4 + word % 4


def test_schedule_4_a_swizzled_tile() -> None:
    """Unit u of row r lies at place u xor r % 8 of its row."""
    tile = np.arange(128 * 32, dtype=np.uint32).reshape(128, 32)
    image = np.zeros(WORDS, np.uint32)
    for row in range(128):
        for unit in range(8):
            at = row * 32 + (unit ^ row % 8) * 4
            image[at : at + 4] = tile[row, 4 * unit : 4 * unit + 4]
    tmem = copied(
        Instruction("128x256b"),
        SmemLayout.swizzled_tile(128, 8, 3),
        TmemLayout.for_instruction(Instruction("128x256b"), 4),
        "sdo = 1024, swizzle = 3",
        image,
    )
    assert (only(32, tmem) == tile).all()


def test_schedule_5_a_scatter_of_64_rows() -> None:
    """The half h of row r lies at place h xor (r // 4) % 2; row 4i+q lands in lane 32q+i."""
    tile = np.arange(64 * 8, dtype=np.uint32).reshape(64, 8)
    image = np.zeros(WORDS, np.uint32)
    for row in range(64):
        for half in range(2):
            at = row * 8 + (half ^ row // 4 % 2) * 4
            image[at : at + 4] = tile[row, 4 * half : 4 * half + 4]
    tmem = copied(
        Instruction("4x256b"),
        SmemLayout((16, 4, 8), (32, 8, 1), swizzle=1),
        TmemLayout((16, 4, 8), (1 @ LANE, 32 @ LANE, 1 @ COL)),
        "swizzle = 1",
        image,
    )
    wanted = PATTERN.copy()
    for i in range(16):
        for q in range(4):
            wanted[32 * q + i, :8] = tile[4 * i + q]
    assert (tmem == wanted).all()
