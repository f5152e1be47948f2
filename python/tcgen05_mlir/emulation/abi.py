"""The binary interface of an emulated kernel: what its host binds, and what it reads back.

A gpu.module that `tcgen05-emulate` has rewritten has one variable of 32 bytes in global memory,
`SYMBOL`, zero until the host fills it (`pack_binding`) before a launch:

| bytes | holds |
|---|---|
| 0-7 | device address of tensor memory, `TMEM_BLOCK_BYTES` for each block |
| 8-15 | device address of the blocks' state, `STATE_BLOCK_BYTES` each, zero before each launch |
| 16-23 | device-visible address of the report, `REPORT_BYTES`, zero before each launch |
| 24-31 | number of blocks bound |

Tensor memory is 128 lanes x 512 columns of 32-bit words per block, lane-major: lane l, column c of
block b is the word at byte 262144*b + 2048*l + 4*c. A block's number is
blockIdx.x + gridDim.x*(blockIdx.y + gridDim.y*blockIdx.z). The report is in host memory that the
device maps, since the trap behind a failed check ruins the context and device memory with it. A
kernel whose variable is all zero traps without a report.

Everything is little endian. Needs neither MLIR nor CUDA.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from tcgen05_mlir.model.limits import TMEM_COLUMNS, TMEM_LANES, WORD_BYTES

from .checks import CHECKS

ABI_VERSION: Final = 1
"""Grows with every change of what this page says."""

SYMBOL: Final = "__tcgen05_emulation"
"""The variable, in global memory, externally visible."""

SITES_ATTRIBUTE: Final = "tcgen05.emulation_sites"
"""The gpu.module's attribute: an array of strings, the operation behind each site number."""

BINDING_BYTES: Final = 32
BINDING_ALIGNMENT: Final = 8
TMEM_OFFSET: Final = 0
STATE_OFFSET: Final = 8
REPORT_OFFSET: Final = 16
BLOCKS_OFFSET: Final = 24
"""Bytes of the fields of the variable, 64 bits each."""

TMEM_LANE_BYTES: Final = TMEM_COLUMNS * WORD_BYTES
TMEM_BLOCK_BYTES: Final = TMEM_LANES * TMEM_LANE_BYTES
"""Bytes of one block's tensor memory: 262144. The base is aligned to 16."""

STATE_BLOCK_BYTES: Final = 64
"""Bytes of one block's state, all zero before each launch. The base is aligned to 16."""

STATE_COLUMNS: Final = 0
"""64 bits: the allocations, see `columns_state`."""
STATE_SMALLEST: Final = 8
"""32 bits: `TMEM_COLUMNS` + 1 less the smallest count allocated so far, 0 before the first."""
STATE_RELINQUISHED: Final = 12
"""32 bits: 1 once the permit to allocate was given up."""
STATE_PAIR_ALLOCS: Final = 16
STATE_PAIR_DEALLOCS: Final = 20
"""32 bits each: how many allocs and deallocs of cta_group::2 the block has come to."""

REPORT_BYTES: Final = 128
"""Bytes of the report, all zero before each launch. Its base is aligned to 8."""

REPORT_STATE: Final = 0
"""32 bits: `REPORT_EMPTY`, then `REPORT_CLAIMED` by the first thread that fails, then
`REPORT_COMPLETE` when all that follows is written."""
REPORT_SITE: Final = 4
REPORT_CHECK: Final = 8
REPORT_BLOCK: Final = 12
REPORT_THREAD: Final = 24
REPORT_VALUES: Final = 36
"""Bytes of the report's fields: one 32-bit word, one, x y z, x y z, four words."""

REPORT_EMPTY: Final = 0
REPORT_CLAIMED: Final = 1
REPORT_COMPLETE: Final = 2

_BINDING = struct.Struct("<4Q")
_REPORT = struct.Struct("<3I3I3I4I")


def pack_binding(tmem: int, state: int, report: int, blocks: int) -> bytes:
    """The 32 bytes of `SYMBOL`: three device addresses and the number of blocks they serve."""
    return _BINDING.pack(tmem, state, report, blocks)


def decode_report(data: bytes, sites: Sequence[str]) -> str | None:
    """What a kernel reported, in words; None where it reported nothing.

    `data`: the report's bytes after a launch. `sites`: the strings of `SITES_ATTRIBUTE`. For
    example ``copy.mlir:12:5: 'nvvm.tcgen05.cp' op column origin must be a multiple of 4, got 2
    [F4], in block (0, 0, 0), thread (0, 0, 0)``.

    Raises ValueError for fewer than `REPORT_BYTES` bytes.
    """
    if len(data) < REPORT_BYTES:
        raise ValueError(f"'data' must have {REPORT_BYTES} bytes, got {len(data)}")
    state, site, check, *rest = _REPORT.unpack_from(data)
    if state == REPORT_EMPTY:
        return None
    if state != REPORT_COMPLETE:
        return "a check failed, and the kernel ended before its report was complete"
    block, thread, values = rest[:3], rest[3:6], rest[6:]
    what = _check_words(check, values)
    return f"{_site_words(site, sites)} {what}, in block {_triple(block)}, thread {_triple(thread)}"


def _check_words(number: int, values: Sequence[int]) -> str:
    for check in CHECKS:
        if check.number == number:
            a, b, c, d = values
            return check.message((a, b, c, d))
    return f"fails check {number}, unknown to this version, with {', '.join(map(hex, values))}"


def _site_words(site: int, sites: Sequence[str]) -> str:
    return sites[site] if site < len(sites) else f"operation {site} of the module"


def _triple(values: Sequence[int]) -> str:
    return f"({', '.join(map(str, values))})"
