"""An address in shared memory: an allocation and a distance from its start."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from math import gcd

from mlir import ir

from tcgen05_mlir.model.footprint import SharedBase
from tcgen05_mlir.passes.facts.sums import Sum, low_bit


@dataclass(frozen=True)
class Root:
    """An allocation in shared memory, or an address behind which nothing is known.

    ``key`` tells it from others; ``source`` names it in messages, ``location`` says where it is.
    ``alignment`` in bytes is what its start is known to be a multiple of; ``stated``: because
    the user says so. ``extent``: the bytes that it holds, None where unknown; ``address``: its
    start where that is a constant. ``is_argument``: of a function, so that it lies in a caller's.
    """

    key: Hashable
    source: str
    location: ir.Location
    alignment: int = 1
    extent: int | None = None
    address: int | None = None
    stated: bool = False
    is_argument: bool = False


@dataclass(frozen=True)
class Place:
    """``offset`` bytes behind the start of ``root``."""

    root: Root
    offset: Sum = field(default_factory=Sum)

    def moved(self, distance: Sum) -> Place:
        """The place so many bytes further on."""
        return Place(self.root, self.offset + distance)

    def is_at(self, other: Place) -> bool:
        """Whether both are known to be one address."""
        same = self.root.key == other.root.key
        return same and (self.offset - other.offset).known == 0

    def may_be(self, other: Place) -> bool:
        """Whether nothing says that they differ: one root, at distances not known to differ."""
        same = self.root.key == other.root.key
        return same and (self.offset - other.offset).known in (0, None)

    def residue(self) -> tuple[int, int]:
        """(r, 2^n): the address is known to be r more than a multiple of 2^n."""
        start = self.root.address or 0
        granule = low_bit(self.offset.factor)
        if self.root.address is None:
            granule = low_bit(gcd(granule, self.root.alignment))
        granule = granule or 1 << 17  # wholly known; no alignment is larger
        return (start + self.offset.constant) % granule, granule

    def aligned(self, alignment: int, key: Hashable) -> Place:
        """The place when its address is said to be a multiple of ``alignment``, a power of two.

        Where that tells nothing of the root, the place is a root of its own: ``key``. The word
        must not contradict `residue`.
        """
        rest, granule = self.residue()
        assert rest % min(granule, alignment) == 0, (self, alignment)
        if granule >= alignment:
            return self
        if self.offset.unit % alignment == 0:
            return Place(replace(self.root, alignment=alignment, stated=True), self.offset)
        return Place(replace(self._root_here(key), alignment=alignment, stated=True))

    def holding(self, size: int, key: Hashable) -> Place:
        """The place when so many bytes from here on are known to be in an unbounded root."""
        if self.root.extent is not None:
            return self
        if self.offset.known is not None:
            return Place(replace(self.root, extent=self.offset.known + size), self.offset)
        return Place(replace(self._root_here(key), extent=size))

    def shared_base(self) -> SharedBase:
        """The place as the model takes it: of an unknown alignment nothing is assumed."""
        root = self.root
        return SharedBase(
            alignment=root.alignment,
            alignment_source=root.source,
            alignment_stated=root.stated,
            extent=root.extent,
            offset=_wrapped(self.offset.constant),
            offset_factor=self.offset.factor,
            address=root.address,
        )

    def _root_here(self, key: Hashable) -> Root:
        """This place as a root; what lies before it does not count."""
        _, granule = self.residue()
        known = self.offset.known
        extent = None if self.root.extent is None or known is None else self.root.extent - known
        alignment = low_bit(gcd(granule, self.offset.constant))
        source = f"{self.root.source} and an offset"
        return replace(
            self.root,
            key=key,
            source=source,
            alignment=alignment,
            extent=None if extent is None or extent < 0 else extent,
            address=None,
        )


def _wrapped(value: int) -> int:
    """Modulo 2^32, which a descriptor's start does not see, and inside the model's bounds."""
    half = 1 << 31
    found = (value + half) % (2 * half) - half
    return found if found != -half else -half // 2
