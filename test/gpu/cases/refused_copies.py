"""Copies, in a block that has columns 0 to 31, that emulated code must refuse."""

from __future__ import annotations

from .case import Kernel
from .frame import BUFFER, IMAGE, WORDS
from .refusal import Refusal, numbers
from .refused_kernel import ALLOC, ISSUER, LIVE, kernel_of

FIXED = 1 << 14
"""The high word of a descriptor: bits 46-48 are 0b001."""
TILE = FIXED | 128 >> 4
"""Rows in a row: sdo is 128."""
DESCRIPTOR = f"""%image = memref.get_global @image : {BUFFER}
    %place = memref.extract_aligned_pointer_as_index %image : {BUFFER} -> index
    %shared = arith.index_cast %place : index to i32
    %start = arith.addi %shared, %n3 : i32
    %four = arith.constant 4 : i32
    %mask = arith.constant 16383 : i32
    %rows = arith.shrui %start, %four : i32
    %field = arith.andi %rows, %mask : i32
    %low_word = arith.ori %field, %n0 : i32
    %low = arith.extui %low_word : i32 to i64
    %high_word = arith.extui %n1 : i32 to i64
    %word = arith.constant 32 : i64
    %high = arith.shli %high_word, %word : i64
    %descriptor = arith.ori %low, %high : i64"""
TARGET = """%base = llvm.load %slot : !llvm.ptr<3> -> i32
    %at = arith.addi %base, %n2 : i32
    %target = llvm.inttoptr %at : i32 to !llvm.ptr<6>"""


C5 = (
    "must have a legal descriptor, got descriptor {bits}: fixed bits 46-48 must be 0b1, got 0b0 "
    "[C5]"
)


def _kernel(name: str, shape: str, guard: str = "%issues") -> Kernel:
    """%n0, %n1: the descriptor; %n2: what is added to the target; %n3: to the source."""
    body = f"""{ALLOC}
    gpu.barrier
    {DESCRIPTOR}
    {TARGET}
    %always = arith.cmpi sge, %tid_i32, %zero : i32
    scf.if {guard} {{
      nvvm.tcgen05.cp %target, %descriptor {{shape = #nvvm.tcgen05_cp_shape<{shape}>}}
    }}"""
    return kernel_of(name, body, outside=(IMAGE,))


def _one(name: str, check: str, kernel: Kernel, words: str, *given: int, **more) -> Refusal:
    more = {"threads": ISSUER, **more}
    op = "nvvm.tcgen05.cp"
    return Refusal(name, check, kernel, op, op, words, (numbers(*given),), **more)


def _is_bare(found: dict[str, int]) -> bool:
    """The rows' distance, and a start in the block's shared memory."""
    return found["bits"] >> 32 == TILE & ~FIXED and 0 < found["bits"] & 0xFFFFFFFF < 1 << 14


def _cases() -> list[Refusal]:
    tile = _kernel("refused_tile", "shape_128x128b")
    wide = _kernel("refused_wide", "shape_128x256b")
    all_lanes = _kernel("refused_all_lanes", "shape_128x128b", "%always")
    outside = "must read inside the block's shared memory, bytes {first} to {last}, got 16 bytes at"
    column = "column origin must be a multiple of 4, got"
    return [
        _one("C5", "descriptor", tile, C5, 0, TILE & ~FIXED, holds=_is_bare),
        _one("F4", "column_origin", tile, f"{column} 2 [F4]", 0, TILE, 2),
        _one(
            "F4-all-lanes",
            "column_origin",
            all_lanes,
            f"{column} 6 [F4]",
            *(0, TILE, 6),
            threads=range(32),
        ),
        _one(
            "F5",
            "lanes",
            tile,
            "must keep the footprint inside lanes 0..127, got lanes 13 to 140 [F5]",
            *(0, TILE, 13 << 16),
        ),
        _one(
            "F6",
            "columns",
            tile,
            f"must stay inside one allocation, got columns 32 to 35; {LIVE} [F6]",
            *(0, TILE, 32),
        ),
        _one(
            "F6-last",
            "columns",
            wide,
            f"must stay inside one allocation, got columns 28 to 35; {LIVE} [F6]",
            *(0, FIXED | 256 >> 4, 28),
        ),
        _one(
            "F10",
            "walk",
            tile,
            f"{outside} {{at}} for row 48 [F10]",
            # Eight rows every 8176 bytes: the first 48 rows lie in the image's 47104 bytes.
            *(0, FIXED | 8176 >> 4, 0, 0),
            holds=lambda found: found["at"] + 16 > found["last"] >= found["first"] + 4 * WORDS - 1,
        ),
        _one(
            "F12",
            "straddle",
            wide,
            "must keep each row inside a 32-byte swizzle row, got row 0 at byte 16 of one [F12]",
            *(0, FIXED | 256 >> 4 | 6 << 29, 0, 16),
        ),
    ]


CASES = _cases()
