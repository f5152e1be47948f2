"""Schedules of public kernels, on words that tell their place."""

from __future__ import annotations

import numpy as np
from tcgen05_mlir.model import COL, LANE, Instruction, SmemLayout, TmemLayout

from .case import Case
from .copies import copy_text
from .expectation import Change, maker
from .frame import BUFFER, TENSOR, WORDS, WORKGROUP, Frame
from .loops import Bytes, Words

WIDE = Instruction("128x256b")
SCALES = Instruction("32x128b", "warpx4")
SCATTER = Instruction("4x256b")


def _case(
    name: str,
    instruction: Instruction,
    layouts: tuple[SmemLayout, TmemLayout],
    fields: str,
    image: Words,
    change: Change,
) -> Case:
    source, target = layouts
    shape = "x".join(map(str, target.shape))
    dst = f"memref<{shape}xi32, {target}, {TENSOR}>"
    src = f"memref<{shape}xi32, {source}, {WORKGROUP}>"
    text = f"""%dst = tcgen05.view %base : i32 to {dst}
        %src = tcgen05.view %image : {BUFFER} to {src}
        {copy_text(instruction, "%dst, %src", fields, dst, src)}"""
    frame = Frame(name.replace("-", "_"), columns=64)
    make = maker(frame, change, image=lambda blocks: image[None])
    return Case(name, "schedules", frame.around(text), make)


def _scale_factors(ldo: int) -> Case:
    """Value (row, k) at byte (row % 32)*16 + (row // 32)*4 + k of its 512 bytes."""
    blocks = 4
    values = np.random.default_rng(1).integers(0, 256, (128 * blocks, 4), np.uint8)
    image = np.zeros(4 * WORDS, np.uint8)
    for row in range(128 * blocks):
        block, inner = divmod(row, 128)
        at = block * 512 + inner % 32 * 16 + inner // 32 * 4
        image[at : at + 4] = values[row]

    def change(tensor: Words, shared: Bytes, _: int) -> None:
        for lane in range(128):
            for column in range(4 * blocks):
                row = column // 4 * 128 + column % 4 * 32 + lane % 32
                tensor[lane, column] = int.from_bytes(values[row].tobytes(), "little")

    layouts = SmemLayout.row_major((blocks, 32, 4)), TmemLayout.for_instruction(SCALES, blocks)
    fields = f"<ldo = {ldo}, sdo = 128>"
    name = f"schedule-1-2-ldo{ldo}"
    return _case(name, SCALES, layouts, fields, image.view(np.uint32), change)


def _core_matrices() -> Case:
    """Word i holds i."""

    def change(tensor: Words, shared: Bytes, _: int) -> None:
        for row in range(128):
            for word in range(8):
                at = row // 8 * 64 + word // 4 * 32 + row % 8 * 4 + word % 4
                tensor[row, word] = at

    source = SmemLayout.core_matrices(128, 8, ldo=128, sdo=256)
    layouts, image = (source, TmemLayout.for_instruction(WIDE)), np.arange(WORDS, dtype=np.uint32)
    return _case("schedule-3", WIDE, layouts, "<ldo = 128, sdo = 256>", image, change)


def _swizzled_tile() -> Case:
    """Unit u of row r lies at place u xor r % 8 of its row; four copies, +2 and +8 columns."""
    tile = np.arange(128 * 32, dtype=np.uint32).reshape(128, 32)
    image = np.zeros(WORDS, np.uint32)
    for row in range(128):
        for unit in range(8):
            at = row * 32 + (unit ^ row % 8) * 4
            image[at : at + 4] = tile[row, 4 * unit : 4 * unit + 4]

    def change(tensor: Words, shared: Bytes, _: int) -> None:
        tensor[:, :32] = tile

    layouts = SmemLayout.swizzled_tile(128, 8, 3), TmemLayout.for_instruction(WIDE, 4)
    return _case("schedule-4", WIDE, layouts, "<sdo = 1024, swizzle = 3>", image, change)


def _scatter() -> Case:
    """The half h of row r lies at place h xor (r // 4) % 2; row 4i+q lands in lane 32q+i."""
    tile = np.arange(64 * 8, dtype=np.uint32).reshape(64, 8)
    image = np.zeros(WORDS, np.uint32)
    for row in range(64):
        for half in range(2):
            at = row * 8 + (half ^ row // 4 % 2) * 4
            image[at : at + 4] = tile[row, 4 * half : 4 * half + 4]

    def change(tensor: Words, shared: Bytes, _: int) -> None:
        for i in range(16):
            for q in range(4):
                tensor[32 * q + i, :8] = tile[4 * i + q]

    source = SmemLayout((16, 4, 8), (32, 8, 1), swizzle=1)
    target = TmemLayout((16, 4, 8), (1 @ LANE, 32 @ LANE, 1 @ COL))
    return _case("schedule-5", SCATTER, (source, target), "<swizzle = 1>", image, change)


CASES = [
    *(_scale_factors(ldo) for ldo in (0, 16, 128)),
    _core_matrices(),
    _swizzled_tile(),
    _scatter(),
]
