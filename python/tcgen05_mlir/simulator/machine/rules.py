"""The ids of what the machine refuses, and what each rule says."""

from __future__ import annotations

from typing import Final

RULES: Final = {
    "C5": "a shared-memory descriptor has legal bits",
    "F4": "the column origin of a copy is a multiple of 4",
    "F5": "a copy stays inside lanes 0..127",
    "F6": "a copy stays inside the columns of one allocation",
    "F9": "the base of a copy's source buffer is aligned for the swizzle",
    "F10": "a copy reads inside its source buffer",
    "F11": "the eight-row block of a 4-row copy lies inside its source buffer",
    "F12": "no 256-bit row straddles a swizzle row",
    "P1": "one thread issues each copy and commit",
    "P2": "one cta_group in a kernel; pairs need clusters of an even size",
    "P3": "generic writes to a copy's source are fenced for the async proxy by their writers",
    "P4": "every copy is committed to an mbarrier that is waited for; arrivals fit its count",
    "P5": "tensor memory is read after wait and fence; wait::ld before use, reuse and dealloc",
    "P6": "tensor memory is allocated and given back in order, at most 512 columns",
    "P7": "a collective is reached by all lanes that it names",
    "P8": "alloc and dealloc of a pair are separated by synchronisation with the peer",
    "P9": "address slot, barriers and data do not overlap",
    "S1": "memory is written before it is read",
    "S2": "accesses stay inside the allocation, buffer or window",
    "S3": "addresses are aligned",
    "S4": "no deadlock",
    "S5": "an mbarrier is initialised, used within its limits, and waited for where it lies",
    "S6": "tensor-memory loads and stores agree among lanes and reach the warp's own lanes",
    "S7": "two accesses to one tensor-memory cell or source byte are ordered",
    "S8": "barriers have one count, an existing number, and arrive before wait",
    "S9": "read-only memory is not written",
    "S20": "no thread comes to llvm.unreachable or a trap, or assumes what is false",
}
"""Rule ids to statements. C, F, P are the compiler's rules at run time, S the simulator's own."""
