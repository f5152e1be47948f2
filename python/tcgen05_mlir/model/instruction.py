"""`Instruction`: one legal `tcgen05.cp`, its atom, lanes and names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .forms import (
    CTA_GROUPS,
    FORMS,
    LEGAL_FORMS,
    SOURCE_FORMATS,
    Form,
    find_form,
    find_source_format,
)
from .limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, WORD_BYTES
from .spelling import NvvmSpelling, read_cta_group, read_multicast, read_shape, read_src_format
from .values import as_int


@dataclass(frozen=True, init=False)
class Instruction:
    """One legal `tcgen05.cp`.

    Takes NVVM's spelling or PTX's and keeps PTX's, so that equal instructions compare equal:
    `Instruction("shape_64x128b", "warpx2_02_13")` is `Instruction("64x128b", "warpx2::02_13")`.
    `cta_group` is 1 or 2; `src_format` is None, `b4x16_p64` or `b6x16_p32`.

    Raises ValueError with the legal forms for a combination that has no encoding [C1], TypeError
    for a part of the wrong kind. Source: PTX `tcgen05-cp`.
    """

    shape: str
    multicast: str | None = None
    cta_group: int = 1
    src_format: str | None = None

    def __init__(
        self,
        shape: str,
        multicast: str | None = None,
        cta_group: int | str = 1,
        src_format: str | None = None,
    ) -> None:
        object.__setattr__(self, "shape", read_shape(shape))
        object.__setattr__(self, "multicast", read_multicast(multicast))
        object.__setattr__(self, "cta_group", read_cta_group(cta_group))
        object.__setattr__(self, "src_format", read_src_format(src_format))
        find_form(self.shape, self.multicast)
        if self.src_format is not None:
            find_source_format(self.src_format)

    @classmethod
    def from_ptx(cls, mnemonic: str) -> Instruction:
        """The instruction that `ptx` names: the inverse of that property.

        Raises ValueError for a mnemonic that is none of the legal ones [C1].
        """
        for instruction in legal_instructions():
            if instruction.ptx == mnemonic.strip():
                return instruction
        raise ValueError(
            f"'mnemonic' must be tcgen05.cp.cta_group::{{1,2}}.FORM{{.b8x16.SRC_FORMAT}}, "
            f"got {mnemonic}; {LEGAL_FORMS} [C1]"
        )

    @property
    def form(self) -> Form:
        """The row of the table that this instruction is."""
        return find_form(self.shape, self.multicast)

    @property
    def rows(self) -> int:
        """Rows of the atom: 64 for 64x128b."""
        return self.form.rows

    @property
    def words(self) -> int:
        """32-bit words, that is tensor-memory columns, in a row: 4 or 8."""
        return self.form.words

    @property
    def bytes_read(self) -> int:
        """Bytes of shared memory that one issue reads: 2048 for 128x128b, packed or not."""
        return self.rows * self.words * WORD_BYTES

    @property
    def replicas(self) -> tuple[int, ...]:
        """Lane distances at which the atom is written: (0, 32, 64, 96) for warpx4, else (0,)."""
        return self.form.replicas

    def row_lane(self, row: int) -> int:
        """Lane of a row's first replica, relative to the origin.

        Row 33 of 64x128b.warpx2::01_23 lies in lane 65. Raises ValueError for a row outside the
        atom.
        """
        if not 0 <= as_int(row, "row") < self.rows:
            raise ValueError(f"'row' must be at least 0 and below {self.rows}, got {row}")
        return int(self.row_lanes()[row])

    def lanes(self, row: int) -> tuple[int, ...]:
        """Every lane that gets a row, replicas included, relative to the origin.

        Row 5 of 32x128b.warpx4 lies in (5, 37, 69, 101).
        """
        first = self.row_lane(row)
        return tuple(first + distance for distance in self.replicas)

    def row_lanes(self) -> NDArray[np.int64]:
        """`row_lane` of every row, int64 (rows,)."""
        lanes = np.zeros(1, np.int64)
        for extent, stride in zip(self.form.row_extents, self.form.row_lanes, strict=True):
            lanes = np.add.outer(lanes, np.arange(extent) * stride).reshape(-1)
        return lanes

    def reads_ldo(self, swizzle: int) -> bool:
        """Whether the hardware reads LDO: in 256-bit rows without swizzle, nowhere else."""
        return swizzle == 0 and self.words > CORE_MATRIX_WORDS

    @property
    def reads_sdo(self) -> bool:
        """Whether the hardware reads SDO: not in 4-row copies, which stay in one group of eight."""
        return self.rows > CORE_MATRIX_ROWS

    @property
    def ptx(self) -> str:
        """The PTX mnemonic: `tcgen05.cp.cta_group::2.32x128b.warpx4.b8x16.b4x16_p64`."""
        suffix = "" if self.src_format is None else f".b8x16.{self.src_format}"
        return f"tcgen05.cp.cta_group::{self.cta_group}.{self.form.name}{suffix}"

    @property
    def sass(self) -> str:
        """The SASS mnemonic: `UTCCP.T.S.2CTA.4x32dp128bit.U4x16P64` (ptxas 13.0.88)."""
        pair = ".2CTA" if self.cta_group == 2 else ""
        unpack = "" if self.src_format is None else find_source_format(self.src_format).sass
        return f"UTCCP.T.S{pair}{self.form.sass}{unpack}"

    @property
    def nvvm(self) -> NvvmSpelling:
        """The parts as cases of upstream's `#nvvm.*` enums."""
        multicast = (self.multicast or "none").replace("::", "_")
        return NvvmSpelling(
            f"shape_{self.shape}", multicast, f"cta_{self.cta_group}", self.src_format
        )

    def __str__(self) -> str:
        return self.ptx


def legal_instructions() -> Iterator[Instruction]:
    """Every instruction that PTX has: six forms, two groups, three formats, 36 in all."""
    formats: tuple[Any, ...] = (None, *(source_format.name for source_format in SOURCE_FORMATS))
    for form in FORMS:
        for cta_group in CTA_GROUPS:
            for src_format in formats:
                yield Instruction(form.shape, form.multicast, cta_group, src_format)
