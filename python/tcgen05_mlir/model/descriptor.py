"""`SmemDescriptor`: the 64-bit word that tells `tcgen05.cp` where its rows lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .instruction import Instruction
from .limits import (
    CORE_MATRIX_ROWS,
    CORE_MATRIX_WORDS,
    DESCRIPTOR_UNIT,
    OFFSET_LIMIT,
    SMEM_ADDRESS_LIMIT,
    TMEM_LANES,
    WORD_BYTES,
)
from .swizzle import check_swizzle, swizzle_address, swizzle_row_bytes
from .values import as_int, in_range

FIXED_BITS = 0b001 << 46
"""Bits 46-48 always hold 0b001."""

SWIZZLE_SHIFT = 61

SWIZZLE_FIELD = (0, 6, 4, 2)
"""Bits 61-63 by swizzle mode; 1 is '128 bytes with 32-byte atoms', which cp does not take."""

MAX_ROWS = TMEM_LANES
MAX_WORDS = 8
"""The largest atom, (128, 8): what a walk is asked about lies inside it."""

_FIELD_MASK = 0x3FFF

FIXED_FIELDS = (
    (14, 2, "reserved bits 14-15", 0),
    (30, 2, "reserved bits 30-31", 0),
    (46, 3, "fixed bits 46-48", 0b001),
    (49, 3, "matrix base offset, bits 49-51,", 0),
    (52, 1, "leading-dimension mode, bit 52,", 0),
    (53, 8, "fixed bits 53-60", 0),
)
"""(first bit, bits, name, the only legal value) of what a user does not choose."""


@dataclass(frozen=True)
class SmemDescriptor:
    """Start address, two byte distances and the swizzle of a copy's source in shared memory.

    `start`: byte address of row 0, word 0 before swizzling, a multiple of 16 below 2^18.
    `sdo`: bytes from one group of eight rows to the next. `ldo`: bytes from the first four words
    of an unswizzled 256-bit row to the next four. Both are multiples of 16 below 2^18; None where
    the hardware does not read them, and 0 in the encoding. `swizzle`: 0 to 3.

    `hex(SmemDescriptor(0x400, ldo=16, sdo=128).encode())` is `0x400800010040`.

    Raises ValueError for a value out of range [C5], TypeError for one that is no integer. No
    value is ever masked to fit. Source: PTX `tcgen05-shared-memory-desc`.
    """

    start: int = 0
    ldo: int | None = None
    sdo: int | None = None
    swizzle: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", _check_bytes("start", self.start, SMEM_ADDRESS_LIMIT))
        for name in ("ldo", "sdo"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _check_bytes(name, value, OFFSET_LIMIT))
        object.__setattr__(self, "swizzle", check_swizzle(self.swizzle))

    def require(self, instruction: Instruction) -> None:
        """Raises ValueError where a field that `instruction` reads was left out [C5].

        128x256b without swizzle reads `ldo`; every form but 4x256b reads `sdo`.
        """
        needed = {"ldo": instruction.reads_ldo(self.swizzle), "sdo": instruction.reads_sdo}
        for name, reads in needed.items():
            if reads and getattr(self, name) is None:
                when = " when unswizzled" if name == "ldo" else ""
                raise ValueError(
                    f"'{name}' must be given: {instruction.form.name} reads it{when} [C5]"
                )

    def canonical(self, instruction: Instruction) -> SmemDescriptor:
        """The same walk with fixed values in the fields that `instruction` does not read.

        Equal walks then have equal bits: `ldo` becomes 16 and `sdo` that of dense rows, 128 bytes
        unswizzled. Raises ValueError where a field that is read was left out [C5].
        """
        self.require(instruction)
        dense = CORE_MATRIX_ROWS * swizzle_row_bytes(self.swizzle)
        return replace(
            self,
            ldo=self.ldo if instruction.reads_ldo(self.swizzle) else DESCRIPTOR_UNIT,
            sdo=self.sdo if instruction.reads_sdo else dense,
        )

    def encode(self) -> int:
        """The 64-bit descriptor. Fields that were left out are 0."""
        return (
            self.start // DESCRIPTOR_UNIT  # bits 0-13
            | (self.ldo or 0) // DESCRIPTOR_UNIT << 16  # bits 16-29
            | (self.sdo or 0) // DESCRIPTOR_UNIT << 32  # bits 32-45
            | FIXED_BITS  # bits 46-48
            | SWIZZLE_FIELD[self.swizzle] << SWIZZLE_SHIFT  # bits 61-63
        )

    @classmethod
    def decode(cls, value: int) -> SmemDescriptor:
        """The descriptor that `value` encodes; `ldo` and `sdo` are never None.

        Raises ValueError, naming the field, for bits that no legal descriptor of this instruction
        has [C5].
        """
        bits = in_range(value, "descriptor", 1 << 64)
        for first, width, name, wanted in FIXED_FIELDS:
            found = bits >> first & ((1 << width) - 1)
            if found != wanted:
                raise ValueError(
                    f"descriptor {bits:#018x}: {name} must be {wanted:#b}, got {found:#b} [C5]"
                )
        field = bits >> SWIZZLE_SHIFT
        if field not in SWIZZLE_FIELD:
            raise ValueError(
                f"descriptor {bits:#018x}: swizzle field, bits 61-63, must be 0, 2, 4 or 6, "
                f"got {field} [C5]"
            )
        return cls(
            start=(bits & _FIELD_MASK) * DESCRIPTOR_UNIT,
            ldo=(bits >> 16 & _FIELD_MASK) * DESCRIPTOR_UNIT,
            sdo=(bits >> 32 & _FIELD_MASK) * DESCRIPTOR_UNIT,
            swizzle=SWIZZLE_FIELD.index(field),
        )

    def address(self, row: int, word: int) -> int:
        """Absolute byte address that the hardware reads for a 32-bit word of the atom.

        With ldo 128, sdo 256: row 0, word 4 is 128; row 8, word 0 is 256. With swizzle 3 and sdo
        1024 row 1, word 0 is 144. Raises ValueError for a row or word outside the largest atom
        (128, 8), or where the walk needs a field that was left out [C5].
        """
        row = in_range(row, "row", MAX_ROWS)
        word = in_range(word, "word", MAX_WORDS)
        return int(self.addresses(row, word))

    def addresses(self, rows: ArrayLike, words: ArrayLike) -> NDArray[np.int64]:
        """`address` of many rows and words at once, broadcast together, int64.

        No bound is checked; ValueError where a field that was left out is needed [C5].
        """
        return swizzle_address(self.linear_addresses(rows, words), self.swizzle)

    def walk(self, instruction: Instruction) -> NDArray[np.int64]:
        """The address of every word of the atom, int64 (rows, words); swizzled, absolute.

        Raises ValueError where `instruction` reads a field that was left out [C5].
        """
        self.require(instruction)
        return self.addresses(np.arange(instruction.rows)[:, None], np.arange(instruction.words))

    def linear_addresses(self, rows: ArrayLike, words: ArrayLike) -> NDArray[np.int64]:
        """`addresses` before the XOR."""
        row = np.asarray(rows, dtype=np.int64)
        word = np.asarray(words, dtype=np.int64)
        group, in_group = np.divmod(row, CORE_MATRIX_ROWS)
        column, in_column = np.divmod(word, CORE_MATRIX_WORDS)
        if self.swizzle:
            along_row = word * WORD_BYTES
        else:
            along_row = column * self._stride("ldo", column) + in_column * WORD_BYTES
        return (
            self.start
            + group * self._stride("sdo", group)
            + in_group * swizzle_row_bytes(self.swizzle)
            + along_row
        )

    def _stride(self, name: str, factor: NDArray[np.int64]) -> int:
        value = getattr(self, name)
        if value is None and np.any(factor):
            raise ValueError(f"'{name}' must be given: the walk reads it here [C5]")
        return value or 0


def _check_bytes(name: str, value: Any, limit: int) -> int:
    number = as_int(value, name)
    if number % DESCRIPTOR_UNIT or not 0 <= number < limit:
        raise ValueError(
            f"'{name}' must be a multiple of {DESCRIPTOR_UNIT} in 0..{limit - DESCRIPTOR_UNIT} "
            f"bytes, got {number} [C5]"
        )
    return number
