"""The numbers that the hardware fixes, each with its unit and source.

Every check and every printed limit of the project reads these names. Sources are anchors of
the PTX ISA document; its section numbers move between versions.
"""

from __future__ import annotations

from typing import Final

TMEM_LANES: Final = 128
"""Lanes of one CTA's tensor memory (PTX `tensor-memory-addressing`)."""

TMEM_COLUMNS: Final = 512
"""Columns of 32 bits in each lane (PTX `tensor-memory-addressing`)."""

ALLOCATION_UNIT: Final = 32
"""Columns: allocations are powers of two from it to TMEM_COLUMNS (PTX `tcgen05-instructions-tcgen05
-alloc-dealloc-relinquish-alloc-permit`)."""

TMEM_LANE_SHIFT: Final = 16
"""A TMEM address is `lane << 16 | column` (PTX `tensor-memory-addressing`)."""

COLUMN_ALIGNMENT: Final = 4
"""Columns, that is 128 bits: the column origin of a copy is a multiple of it (rule F4)."""

WORD_BYTES: Final = 4
"""Bytes in one tensor-memory cell."""

SMEM_BLOCK_BYTES: Final = 232448
"""Bytes: the 227 KiB that the largest block has on sm_90 and sm_100 (CUDA programming guide)."""

SMEM_ADDRESS_LIMIT: Final = 1 << 18
"""Bytes: shared addresses are below it, 14 bits in units of 16 (`tcgen05-shared-memory-desc`)."""

OFFSET_LIMIT: Final = 1 << 18
"""Bytes: LDO and SDO are below it, 14 bits in units of 16 (PTX `tcgen05-shared-memory-desc`)."""

DESCRIPTOR_UNIT: Final = 16
"""Bytes: start address, LDO and SDO are multiples of it (PTX `tcgen05-shared-memory-desc`)."""

CORE_MATRIX_ROWS: Final = 8
"""Rows of a core matrix: SDO is the distance between two groups of so many rows."""

CORE_MATRIX_WORDS: Final = 4
"""Words in a core matrix's row (16 bytes): LDO is the distance between two such columns."""
