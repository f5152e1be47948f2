"""The six forms of `tcgen05.cp` as frozen data: the project's only table of them.

What varies between forms is the atom, the lane of each row and the replicas. Source: PTX anchor
`tcgen05-cp`; the SASS names were measured with ptxas 13.0.88. Nothing here has run on Blackwell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Form:
    """One legal pair of shape and multicast.

    `rows` x `words` is the atom in rows and 32-bit words. `row_extents` and `row_lanes` are the
    row's nested mode: row r of 64x128b.warpx2::01_23 lies in lane 64*(r//32) + r%32, so its
    extents are (2, 32) and its lane strides (64, 1). `replicas` are the lane distances at which
    the atom is written, 0 included.
    """

    shape: str
    multicast: str | None
    rows: int
    words: int
    row_extents: tuple[int, ...]
    row_lanes: tuple[int, ...]
    replicas: tuple[int, ...]
    sass: str

    @property
    def name(self) -> str:
        """PTX's name of the form: `64x128b.warpx2::02_13`."""
        return self.shape if self.multicast is None else f"{self.shape}.{self.multicast}"


@dataclass(frozen=True)
class SourceFormat:
    """A packed source: `bits` per value, sixteen values in a 16-byte block, then padding."""

    name: str
    bits: int
    sass: str


FORMS: Final = (
    Form("128x256b", None, 128, 8, (128,), (1,), (0,), ""),
    Form("128x128b", None, 128, 4, (128,), (1,), (0,), ".128dp128bit"),
    Form("4x256b", None, 4, 8, (4,), (32,), (0,), ".4dp256bit"),
    Form("64x128b", "warpx2::02_13", 64, 4, (64,), (1,), (0, 64), ".2x64dp128bit_lw02_lw13"),
    Form("64x128b", "warpx2::01_23", 64, 4, (2, 32), (64, 1), (0, 32), ".2x64dp128bit_lw01_lw23"),
    Form("32x128b", "warpx4", 32, 4, (32,), (1,), (0, 32, 64, 96), ".4x32dp128bit"),
)

SOURCE_FORMATS: Final = (
    SourceFormat("b4x16_p64", 4, ".U4x16P64"),
    SourceFormat("b6x16_p32", 6, ".U6x16P32"),
)

CTA_GROUPS: Final = (1, 2)

LEGAL_FORMS: Final = "legal forms are " + ", ".join(form.name for form in FORMS)


def find_form(shape: str, multicast: str | None) -> Form:
    """The form of this shape and multicast in PTX's spelling.

    Raises ValueError with the legal forms where there is none [C1].
    """
    for form in FORMS:
        if (form.shape, form.multicast) == (shape, multicast):
            return form
    wanted = [form.multicast or "none" for form in FORMS if form.shape == shape]
    if not wanted:
        raise ValueError(f"'shape' must be that of a legal form, got {shape}; {LEGAL_FORMS} [C1]")
    raise ValueError(
        f"'multicast' must be {' or '.join(wanted)} with {shape}, got {multicast or 'none'}; "
        f"{LEGAL_FORMS} [C1]"
    )


def find_source_format(name: str) -> SourceFormat:
    """The source format of this name. Raises ValueError with the legal ones [C1]."""
    for source_format in SOURCE_FORMATS:
        if source_format.name == name:
            return source_format
    legal = " or ".join(["none", *(source_format.name for source_format in SOURCE_FORMATS)])
    raise ValueError(f"'src_format' must be {legal}, got {name} [C1]")
