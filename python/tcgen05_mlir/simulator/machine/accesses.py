"""What the memories share: one access of some lanes, and its checks of alignment and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import Site

if TYPE_CHECKING:
    from .warp_state import WarpState

    pass

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Access:
    """`lanes` (k,) of `warp` touch `width` bytes each at `offsets` (k,) of one memory."""

    warp: WarpState
    site: Site
    lanes: NDArray[np.int64]
    offsets: NDArray[np.int64]
    width: int
    verb: str

    @cached_property
    def bytes(self) -> NDArray[np.int64]:
        """The index of every byte, (k, width)."""
        return self.offsets[:, None] + np.arange(self.width)

    def fail(self, rule: str, at: int, message: str, *notes: str, address: int) -> None:
        """Reports `message` for the access of entry `at`."""
        place = self.warp.place(int(self.lanes[at]))
        self.warp.checks.fail(
            rule, message, site=self.site, place=place, address=address, notes=notes
        )

    def check_alignment(self, alignment: int, addresses: NDArray[np.int64], space: str) -> None:
        """S3 for the first address that is no multiple of `alignment`."""
        wrong = addresses & (alignment - 1)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            address = int(addresses[at])
            self.fail(
                "S3",
                at,
                f"{self.verb} {self.width} bytes at {space} address {address:#x}, which must be a "
                f"multiple of {alignment}, got remainder {address % alignment}",
                address=address,
            )

    @cached_property
    def span(self) -> tuple[int, int]:
        """The first byte and the one behind the last that any lane touches."""
        return int(self.offsets.min()), int(self.offsets.max()) + self.width

    def first(self, wrong: NDArray[np.bool_]) -> tuple[int, int] | None:
        """Entry and byte of the first True in a (k, width) array."""
        found = np.argwhere(wrong)
        return (int(found[0][0]), int(found[0][1])) if found.size else None

    def read(self, storage: Bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Elements (k, count) of `storage`; what lies outside reads 0."""
        low, high = self.span
        if low >= 0 and high <= storage.size:
            unit = self._unit(low)
            return storage.view(f"u{unit}")[self._units(unit)].view(dtype)
        index = self.bytes
        data = storage[index % max(storage.size, 1)] if storage.size else index.astype(np.uint8)
        data[(index < 0) | (index >= storage.size)] = 0
        return data.view(dtype)

    def write(self, storage: Bytes, values: NDArray[Any]) -> None:
        """Writes elements (k, count); what lies outside is dropped."""
        data = np.ascontiguousarray(values)
        low, high = self.span
        if low >= 0 and high <= storage.size:
            unit = self._unit(low)
            storage.view(f"u{unit}")[self._units(unit)] = data.view(f"u{unit}")
            return
        index = self.bytes
        inside = (index >= 0) & (index < storage.size)
        storage[index[inside]] = data.view(np.uint8)[inside]

    def _unit(self, low: int) -> int:
        """The widest unit, 4 bytes or 1, in which all lanes' bytes are whole."""
        whole = self.width % 4 == 0 and low % 4 == 0 and not (self.offsets & 3).any()
        return 4 if whole else 1

    def _units(self, unit: int) -> NDArray[np.int64]:
        return (self.offsets // unit)[:, None] + np.arange(self.width // unit)


def distinct(numbers: NDArray[Any]) -> list[int]:
    """The different values in ascending order; quick where there is one."""
    if not numbers.size:
        return []
    low, high = int(numbers.min()), int(numbers.max())
    return [low] if low == high else [int(number) for number in np.unique(numbers)]
