"""What emulated code checks while it runs: one `Check` for each, with its rule and its words.

A failed check leaves its number and up to four 32-bit values in the report (see `abi`); the words
are made here, on the host. Numbers are those of the binary interface: append, never renumber.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tcgen05_mlir.model.descriptor import SmemDescriptor
from tcgen05_mlir.model.limits import ALLOCATION_UNIT, COLUMN_ALIGNMENT, TMEM_COLUMNS, TMEM_LANES

from .columns_state import describe_columns

WARP_LANES: Final = 32
"""Lanes of tensor memory that a warp reaches, from 32 * (warp % 4) on."""


@dataclass(frozen=True)
class Check:
    """Check `number`, known to the kernels' code as `name`.

    `template` is a format, its rule's id last, of the values a, b, c, d found, of `ab`, two of them
    as one 64-bit number (the low half first), and of `live`, the allocations that c and d describe.
    """

    number: int
    name: str
    template: str

    def message(self, values: tuple[int, int, int, int]) -> str:
        """The message of four unsigned 32-bit values."""
        a, b, c, d = values
        low, high = a | b << 32, c | d << 32
        if self.name == "descriptor":
            return _descriptor_fault(low)
        live = describe_columns(high)
        return self.template.format(a=a, b=b, c=c, d=d, ab=low, live=live)


def _descriptor_fault(bits: int) -> str:
    """What the model says about an illegal descriptor."""
    try:
        SmemDescriptor.decode(bits)
    except ValueError as error:
        return f"must have a legal descriptor, got {error}"
    return f"must have a legal descriptor, got {bits:#018x} [C5]"


_LAST_LANE = TMEM_LANES - 1

CHECKS: Final = (
    Check(1, "descriptor", "descriptor {ab:#018x} is not legal [C5]"),
    Check(
        2,
        "column_origin",
        f"column origin must be a multiple of {COLUMN_ALIGNMENT}, got {{a}} [F4]",
    ),
    Check(
        3,
        "lanes",
        f"must keep the footprint inside lanes 0..{_LAST_LANE}, got lanes {{a}} to {{b}} [F5]",
    ),
    Check(
        4,
        "columns",
        "must stay inside one allocation, got columns {a} to {b}; live are {live} [F6]",
    ),
    Check(
        5,
        "peer_columns",
        "must stay inside one allocation of the pair's other block too, got columns {a} to {b}; "
        "live are {live} there [F6]",
    ),
    Check(
        6,
        "walk",
        "must read inside the block's shared memory, bytes {c:#x} to {d:#x}, got 16 bytes at "
        "{a:#x} for row {b} [F10]",
    ),
    Check(
        7,
        "straddle",
        "must keep each row inside a {c}-byte swizzle row, got row {a} at byte {b} of one [F12]",
    ),
    Check(
        8,
        "shift_lane",
        f"must shift from a multiple of {WARP_LANES} lanes below {TMEM_LANES}, got lane {{a}} [S3]",
    ),
    Check(
        9,
        "warp_lanes",
        "must stay inside the lanes of its warp, {c} to {d}, got lanes {a} to {b} [S6]",
    ),
    Check(
        10,
        "one_address",
        "must get one address in all threads of its warp, got {a:#x} and {b:#x} [S6]",
    ),
    Check(
        11,
        "access_columns",
        "must stay inside allocated columns, got columns {a} to {b}; live are {live} [S2]",
    ),
    Check(
        12,
        "alloc_count",
        f"must allocate a power of two columns in {ALLOCATION_UNIT}..{TMEM_COLUMNS}, "
        "got {a} [P6]",
    ),
    Check(
        13,
        "alloc_increase",
        "must not allocate more columns than an earlier alloc of its block, got {a} after {b} [P6]",
    ),
    Check(
        14,
        "alloc_relinquished",
        "must not allocate after relinquish_alloc_permit, got {a} columns [P6]",
    ),
    Check(
        15,
        "alloc_sum",
        f"must keep at most {TMEM_COLUMNS} columns live, got {{a}} more with {{b}} live; live are "
        "{live} [P6]",
    ),
    Check(
        16,
        "alloc_stuck",
        "waits for {a} columns in a row, which nobody gives back; live are {live} [P6]",
    ),
    Check(
        17,
        "dealloc_start",
        "must give back an allocation from its start, got lane {a}, column {b}; live are "
        "{live} [P6]",
    ),
    Check(
        18,
        "dealloc_count",
        "must give back all columns of an allocation, {b}, got {a}; live are {live} [P6]",
    ),
    Check(
        19,
        "pair_alloc",
        "waits for the pair's other block, which has come to {a} allocs, wanted {b} [P6]",
    ),
    Check(
        20,
        "pair_dealloc",
        "waits for the pair's other block, which has come to {a} deallocs, wanted {b} [P6]",
    ),
    Check(21, "cluster", "must be in a cluster of an even size with cta_group::2, got {a} [P2]"),
    Check(
        22,
        "bound",
        "must run in a block that has tensor memory: bound are {b} blocks, got number {a} [E2]",
    ),
    Check(
        23,
        "alignment",
        "must be aligned to {c} bytes, as the kernel assumes, got address {ab:#x} [F9]",
    ),
    Check(
        24,
        "commit_mask",
        "must send arrivals to ranks of its cluster of {b} blocks, got the mask {a:#x} [S2]",
    ),
    Check(
        25,
        "pair_columns",
        "must get the same columns in both blocks of the pair, got columns {a} to {b}; live in the "
        "other block are {live} [P6]",
    ),
)

NUMBER: Final = {check.name: check.number for check in CHECKS}
"""The number of a check by its name."""
