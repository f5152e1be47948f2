"""Schedules of public kernels: proved, lowered, and carried out on bytes that tell their place."""

from __future__ import annotations

import numpy as np
import tcgen05_mlir
from footprint_text import (
    INFER,
    LOWER,
    byte_buffer,
    copy_text,
    function,
    memref,
    view_of_base,
    view_of_bytes,
)
from lowered_values import Issued, Machine
from mlir import ir
from tcgen05_mlir.model import COL, LANE, Instruction, SmemDescriptor, SmemLayout, TmemLayout
from tcgen05_mlir.model import execute_cp as execute

BYTES = 65536
UNWRITTEN = 0xDEADBEEF


def lowered(instruction: Instruction, src: SmemLayout, dst: TmemLayout) -> list[Issued]:
    """What each instruction is given, the buffer at 0; the descriptor is inferred."""
    body = [view_of_bytes(src), view_of_base(dst), copy_text(instruction, dst, memref(src))]
    text = function("\n".join(body), buffer=byte_buffer(BYTES))
    with ir.Context():
        module = tcgen05_mlir.run_pipeline(ir.Module.parse(text), f"{INFER},{LOWER}")
        return Machine({"tiles": 0}).run(module.body.operations[1], 0)


def carried_out(instruction: Instruction, issued: list[Issued], memory: np.ndarray) -> np.ndarray:
    """Tensor memory afterwards."""
    tmem = np.full((128, 512), UNWRITTEN, np.uint32)
    for one in issued:
        execute(tmem, memory, one.address, one.descriptor, instruction)
    return tmem


def starts(issued: list[Issued]) -> list[int]:
    return [SmemDescriptor.decode(one.descriptor).start for one in issued]


def test_schedules_1_and_2_scale_factors():
    """Value (row, k) at byte (row % 32)*16 + (row // 32)*4 + k of its 512 bytes."""
    instruction = Instruction("32x128b", "warpx4")
    whole, blocks = TmemLayout.for_instruction(instruction), 4
    dst = TmemLayout((blocks, *whole.extents), (4 @ COL, *whole.strides), whole.replicas)
    issued = lowered(instruction, SmemLayout.row_major((blocks, 32, 4)), dst)
    assert starts(issued) == [0, 512, 1024, 1536]
    assert [one.address for one in issued] == [0, 4, 8, 12]
    values = np.random.default_rng(1).integers(0, 256, (128 * blocks, 4), np.uint8)
    memory = np.zeros(BYTES, np.uint8)
    for row in range(128 * blocks):
        block, inner = divmod(row, 128)
        start = block * 512 + (inner % 32) * 16 + (inner // 32) * 4
        memory[start : start + 4] = values[row]
    tmem = carried_out(instruction, issued, memory)
    for lane in range(128):
        for column in range(4 * blocks):
            block, quarter = divmod(column, 4)
            row = block * 128 + quarter * 32 + lane % 32
            assert tmem[lane, column] == int.from_bytes(values[row].tobytes(), "little")


def test_schedule_3_core_matrices():
    instruction = Instruction("128x256b")
    dst = TmemLayout.for_instruction(instruction)
    issued = lowered(instruction, SmemLayout.core_matrices(128, 8, ldo=128, sdo=256), dst)
    fields = SmemDescriptor.decode(issued[0].descriptor)
    assert (fields.ldo, fields.sdo) == (128, 256)
    memory = np.arange(BYTES // 4, dtype=np.uint32).view(np.uint8)
    tmem = carried_out(instruction, issued, memory)
    assert (tmem[0, 4], tmem[8, 0]) == (32, 64)


def test_schedule_4_a_swizzled_tile():
    instruction = Instruction("128x256b")
    dst = TmemLayout((4, 128, 8), (8 @ COL, 1 @ LANE, 1 @ COL))
    source = SmemLayout.swizzled_tile(128, 8, 3)
    issued = lowered(instruction, source, dst)
    assert [start >> 4 for start in starts(issued)] == [0, 2, 4, 6]
    assert [one.address for one in issued] == [0, 8, 16, 24]
    tile = np.arange(128 * 32, dtype=np.uint32).reshape(128, 32)
    memory = np.zeros(BYTES, np.uint8)
    words = memory.view(np.uint32)
    # Unit u of row r lies at place u xor r % 8 of its row.
    for row in range(128):
        for unit in range(8):
            at = row * 32 + (unit ^ row % 8) * 4
            words[at : at + 4] = tile[row, 4 * unit : 4 * unit + 4]
    tmem = carried_out(instruction, issued, memory)
    assert (tmem[:, :32] == tile).all()


def test_schedule_5_a_scatter_of_64_rows():
    """Shared row 4i+q of a 32-byte-swizzled tile lands in lane 32q+i."""
    instruction = Instruction("4x256b")
    source = SmemLayout((16, 4, 8), (32, 8, 1), swizzle=1)
    dst = TmemLayout((16, 4, 8), (1 @ LANE, 32 @ LANE, 1 @ COL))
    issued = lowered(instruction, source, dst)
    assert starts(issued) == [128 * i for i in range(16)]
    assert [one.address for one in issued] == [i << 16 for i in range(16)]
    tile = np.arange(64 * 8, dtype=np.uint32).reshape(64, 8)
    memory = np.zeros(BYTES, np.uint8)
    words = memory.view(np.uint32)
    # The half h of row r lies at place h xor (r // 4) % 2.
    for row in range(64):
        for half in range(2):
            at = row * 8 + (half ^ row // 4 % 2) * 4
            words[at : at + 4] = tile[row, 4 * half : 4 * half + 4]
    tmem = carried_out(instruction, issued, memory)
    for i in range(16):
        for q in range(4):
            assert (tmem[32 * q + i, :8] == tile[4 * i + q]).all()


def test_the_rows_of_warpx2_01_23():
    instruction = Instruction("64x128b", "warpx2::01_23")
    dst = TmemLayout(((2, 32), 4), ((64 @ LANE, 1 @ LANE), 1 @ COL), ((2,), (32 @ LANE,)))
    issued = lowered(instruction, SmemLayout.row_major((64, 4)), dst)
    memory = np.arange(BYTES // 4, dtype=np.uint32).view(np.uint8)
    tmem = carried_out(instruction, issued, memory)
    for row in range(64):
        for lane in (64 * (row // 32) + row % 32, 64 * (row // 32) + row % 32 + 32):
            assert tmem[lane, 0] == 4 * row


def test_a_column_slab_and_an_origin_inside_the_swizzle_period():
    """256-bit rows whose halves lie 2048 bytes apart; and three 16-byte units into a tile."""
    wide, narrow = Instruction("128x256b"), Instruction("128x128b")
    slab = SmemLayout(((16, 8), (2, 4)), ((32, 4), (512, 1)))
    (found,) = lowered(wide, slab, TmemLayout.for_instruction(wide))
    fields = SmemDescriptor.decode(found.descriptor)
    assert (fields.ldo, fields.sdo, fields.swizzle) == (2048, 128, 0)
    inside = SmemLayout((128, 4), (32, 1), offset=12 + 32 * 9, swizzle=3)
    (found,) = lowered(narrow, inside, TmemLayout.for_instruction(narrow))
    fields = SmemDescriptor.decode(found.descriptor)
    assert (fields.start, fields.sdo, fields.swizzle) == (48 + 128 * 9, 1024, 3)
