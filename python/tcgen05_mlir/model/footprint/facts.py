"""What a caller knows of the two base addresses of a copy. What is not known is assumed.

Both are frozen and hashable. An assumption that a proof rests on is listed in its plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..limits import SMEM_ADDRESS_LIMIT, TMEM_COLUMNS, TMEM_LANES
from ..values import as_int, bounded


@dataclass(frozen=True)
class TensorBase:
    """The tensor-memory address that a layout's lanes and columns are counted from.

    The address is a root plus `lane` lanes and `column` columns. The root is, by default, the
    start of an allocation: lane 0, a column that is a multiple of 32. `columns` is what that
    allocation got; None: nobody knows where the root comes from, and both are assumed. With
    `absolute` the root is lane 0, column 0 of tensor memory: the whole address is a constant.
    `lane_factor`, `column_factor`: an unknown multiple of so many lanes or columns is added as
    well; 0 for none. The range of that addend is assumed.

    `TensorBase(column=2, columns=32)` is an allocation of 32 columns plus 2.

    Raises ValueError for a factor or a number of columns that is negative or too large, and for
    `absolute` with `columns`; TypeError for what is no integer.
    """

    lane: int = 0
    column: int = 0
    columns: int | None = None
    absolute: bool = False
    lane_factor: int = 0
    column_factor: int = 0

    def __post_init__(self) -> None:
        _read(self, ("lane", "column"), bounded)
        _read(self, ("lane_factor", "column_factor"), _natural)
        if self.columns is None:
            return
        _read(self, ("columns",), _natural)
        if self.absolute:
            raise ValueError("'columns' must be left out where 'absolute' is given")
        if not 0 < self.columns <= TMEM_COLUMNS:
            raise ValueError(f"'columns' must be in 1..{TMEM_COLUMNS}, got {self.columns}")

    @property
    def lane_limit(self) -> int:
        """Lanes that a copy may use, counted from the root: 128."""
        return TMEM_LANES

    @property
    def column_limit(self) -> int:
        """Columns that a copy may use, counted from the root: those of the allocation, or 512."""
        return TMEM_COLUMNS if self.columns is None else self.columns


@dataclass(frozen=True)
class SharedBase:
    """The shared address that a layout's words are counted from, before the swizzle.

    The address is a root allocation plus `offset` bytes, plus, where `offset_factor` is not 0, an
    unknown multiple of that many bytes whose range is assumed.

    `alignment`: bytes that the root is a multiple of; None: as much as the copy needs is assumed.
    `alignment_source` says in messages where it is from ("memref.global @tile");
    `alignment_stated`: it is the user's word, so that the plan lists it as an assumption.
    `extent`: bytes that the root holds; None: unknown, and the copy's range is assumed.
    `address`: the root's own shared address, where it is a constant.

    `SharedBase(alignment=1024, extent=16384, offset=2048)` starts 2048 bytes into an aligned
    buffer of 16 KiB.

    Raises ValueError for values that no buffer has, TypeError for what is no integer.
    """

    alignment: int | None = None
    alignment_source: str = ""
    alignment_stated: bool = False
    extent: int | None = None
    offset: int = 0
    offset_factor: int = 0
    address: int | None = None

    def __post_init__(self) -> None:
        _read(self, ("offset",), bounded)
        _read(self, ("offset_factor",), _natural)
        for name in ("alignment", "extent", "address"):
            if getattr(self, name) is not None:
                _read(self, (name,), _natural)
        if self.alignment == 0:
            raise ValueError("'alignment' must be at least 1, got 0")
        if self.address is not None and self.address >= SMEM_ADDRESS_LIMIT:
            raise ValueError(f"'address' must be below {SMEM_ADDRESS_LIMIT}, got {self.address}")

    def anonymous(self) -> SharedBase:
        """The same without `alignment_source`, which changes nothing but messages: what is proved
        for one buffer is proved for all others like it."""
        return replace(self, alignment_source="") if self.alignment_source else self


def _natural(value: Any, name: str) -> int:
    number = as_int(value, name)
    if number < 0:
        raise ValueError(f"'{name}' must be at least 0, got {number}")
    return number


def _read(facts: Any, names: tuple[str, ...], read: Any) -> None:
    for name in names:
        object.__setattr__(facts, name, read(getattr(facts, name), name))
