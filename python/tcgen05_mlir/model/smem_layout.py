"""`SmemLayout`: where each 32-bit word of a memref lies in shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .limits import CORE_MATRIX_ROWS, CORE_MATRIX_WORDS, WORD_BYTES
from .modes import Modes, Nest, format_nest, read_modes
from .scanner import Scanner
from .swizzle import check_swizzle, swizzle_address, swizzle_row_bytes
from .values import as_int, bounded


@dataclass(frozen=True)
class SmemLayout:
    """A map from indices to words of a root buffer in shared memory, one mode per dimension.

    `extents` and `strides` have the same nesting; inside a mode the last sub-mode is the fastest.
    Strides and `offset` are 32-bit words from the root's base. The first extent may be None, `?`
    in the text. `swizzle` 0 to 3 exchanges address bits on *absolute* addresses, after offset and
    strides; see `swizzle_address`.

    `SmemLayout(((16, 8), (2, 4)), ((64, 4), (32, 1)))` puts word (9, 5) at word 64+4+32+1 = 101.
    Its text is `#tcgen05.smem_layout<((16, 8), (2, 4)) : ((64, 4), (32, 1))>`.

    Raises ValueError for extents below 1, nestings that differ or an unknown swizzle, TypeError
    for wrong kinds. Alignment and bounds are judged where a copy uses the layout (F8 to F12).
    """

    extents: Nest
    strides: Nest
    offset: int = 0
    swizzle: int = 0

    def __post_init__(self) -> None:
        extents, strides = read_modes(self.extents, self.strides, _read_stride, dynamic=True)
        object.__setattr__(self, "extents", extents)
        object.__setattr__(self, "strides", strides)
        object.__setattr__(self, "offset", bounded(self.offset, "offset"))
        object.__setattr__(self, "swizzle", check_swizzle(self.swizzle))

    @classmethod
    def row_major(
        cls, shape: Sequence[int | None], *, offset: int = 0, swizzle: int = 0
    ) -> SmemLayout:
        """A dense row-major buffer: (3, 128, 4) has strides (512, 4, 1).

        The first extent may be None. Raises as the constructor.
        """
        strides: list[int] = []
        step = 1
        for extent in reversed(shape):
            strides.insert(0, step)
            step *= extent or 1
        return cls(tuple(shape), tuple(strides), offset, swizzle)

    @classmethod
    def core_matrices(
        cls,
        rows: int,
        words: int,
        *,
        ldo: int | None = None,
        sdo: int | None = None,
        offset: int = 0,
    ) -> SmemLayout:
        """An unswizzled K-major tile of core matrices, each eight rows of 16 bytes, dense.

        `ldo` and `sdo` are bytes as in the descriptor: from a core matrix to the next along the
        row (default 128) and down the rows (default: all of the row's core matrices). (128, 8) is
        `((16, 8), (2, 4)) : ((64, 4), (32, 1))`, the walk of ldo 128, sdo 256.

        Raises ValueError where rows, words are no multiples of 8, 4 or a distance is not one of 4.
        """
        groups = _divide("rows", rows, CORE_MATRIX_ROWS)
        columns = _divide("words", words, CORE_MATRIX_WORDS)
        matrix = CORE_MATRIX_ROWS * CORE_MATRIX_WORDS
        along = matrix if ldo is None else _divide("ldo", ldo, WORD_BYTES)
        down = matrix * columns if sdo is None else _divide("sdo", sdo, WORD_BYTES)
        return cls(
            ((groups, CORE_MATRIX_ROWS), (columns, CORE_MATRIX_WORDS)),
            ((down, CORE_MATRIX_WORDS), (along, 1)),
            offset,
        )

    @classmethod
    def swizzled_tile(cls, rows: int, words: int, swizzle: int, *, offset: int = 0) -> SmemLayout:
        """A dense swizzled K-major tile, cut along its row into copies of `words` words.

        A tile's row is 16 << swizzle bytes; the dimensions are (copies, rows, words). (128, 8)
        with swizzle 3 is `(4, 128, 8) : (8, 32, 1), swizzle = 3`: four copies per tile.

        Raises ValueError where `words` does not divide the row.
        """
        row_words = swizzle_row_bytes(check_swizzle(swizzle)) // WORD_BYTES
        if not 0 < as_int(words, "words") <= row_words or row_words % words:
            raise ValueError(
                f"'words' must divide the {row_words} words of a row with swizzle {swizzle}, "
                f"got {words}"
            )
        return cls((row_words // words, rows, words), (words, row_words, 1), offset, swizzle)

    @classmethod
    def parse(cls, text: str) -> SmemLayout:
        """The layout of an attribute's text, with or without `#tcgen05.smem_layout` and `<>`.

        Raises ValueError that says what was wanted and at which character.
        """
        scan = Scanner(text, "smem_layout")
        closed = scan.open()
        extents = scan.nest(lambda: None if scan.accept("?") else scan.integer())
        scan.expect(":")
        strides = scan.nest(scan.integer)
        readers = {"offset": scan.integer, "swizzle": scan.integer}
        return cls(extents, strides, **scan.fields(readers, closed))

    def __str__(self) -> str:
        text = f"{format_nest(self.extents)} : {format_nest(self.strides)}"
        for name in ("offset", "swizzle"):
            if getattr(self, name):
                text += f", {name} = {getattr(self, name)}"
        return f"#tcgen05.smem_layout<{text}>"

    @property
    def rank(self) -> int:
        """Dimensions of the memref."""
        return len(self.extents)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The memref's shape: (128, 8) for extents ((16, 8), (2, 4)); None is `?`."""
        return self._modes.shape

    def linear_bytes(self, index: Sequence[int] = ()) -> int:
        """Bytes from the root's base to a word *before* the XOR; trailing indices left out are 0.

        With one index per repeat dimension it is the start that a descriptor holds, less the
        base: index (3,) of the example of `swizzled_tile` is 96. Raises ValueError for an index
        outside its extent.
        """
        return WORD_BYTES * (self.offset + self._modes.offset(index))

    def offset_of(self, index: Sequence[int] = ()) -> int:
        """The affine map of the memref layout: words from a base aligned for the swizzle (F9)."""
        return swizzle_address(self.linear_bytes(index), self.swizzle) // WORD_BYTES

    def linear_addresses(self, base: int = 0, leading: int | None = None) -> NDArray[np.int64]:
        """The byte address of every word before the XOR, int64 in the layout's shape.

        `base` is the root's absolute shared address in bytes; `leading` the extent that `?`
        stands for. Raises ValueError where that is missing.
        """
        words = self.offset + self._modes.offsets(leading)
        return as_int(base, "base") + WORD_BYTES * words

    def addresses(self, base: int = 0, leading: int | None = None) -> NDArray[np.int64]:
        """The absolute byte address of every word, swizzled; arguments as `linear_addresses`."""
        return swizzle_address(self.linear_addresses(base, leading), self.swizzle)

    @cached_property
    def _modes(self) -> Modes:
        return Modes(self.extents, self.strides)


def _read_stride(value: Any) -> int:
    return bounded(value, "stride")


def _divide(name: str, value: int, unit: int) -> int:
    number = as_int(value, name)
    if number < 0 or number % unit:
        raise ValueError(f"'{name}' must be a multiple of {unit}, got {number}")
    return number // unit
