"""What the memories share: one access of some lanes, and its checks of alignment and bounds."""

from __future__ import annotations

from dataclasses import dataclass
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
        wrong = np.flatnonzero(addresses % alignment)
        if wrong.size:
            at = int(wrong[0])
            address = int(addresses[at])
            self.fail(
                "S3",
                at,
                f"{self.verb} {self.width} bytes at {space} address {address:#x}, which must be a "
                f"multiple of {alignment}, got remainder {address % alignment}",
                address=address,
            )

    def first(self, wrong: NDArray[np.bool_]) -> tuple[int, int] | None:
        """Entry and byte of the first True in a (k, width) array."""
        found = np.argwhere(wrong)
        return (int(found[0][0]), int(found[0][1])) if found.size else None


def gather(storage: Bytes, index: NDArray[np.int64], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Elements (k, count) from the bytes that `index` (k, width) names; outside reads 0."""
    inside = np.minimum(np.maximum(index, 0), storage.size - 1) if storage.size else index * 0
    data = storage[inside] if storage.size else np.zeros(index.shape, np.uint8)
    if not np.array_equal(inside, index):
        data[inside != index] = 0
    return data.view(dtype)


def scatter(storage: Bytes, index: NDArray[np.int64], values: NDArray[Any]) -> None:
    """Writes (k, count) elements to the bytes `index` (k, width) names; outside is dropped."""
    data = np.ascontiguousarray(values).view(np.uint8)
    inside = (index >= 0) & (index < storage.size)
    if inside.all():
        storage[index] = data
    else:
        storage[index[inside]] = data[inside]
