"""The layout of a block's shared memory: named buffers, static ones first, dynamic last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

SYSTEM_BYTES: Final = 1024
"""Bytes at the start that the system keeps on sm_90 and later: offsets begin behind them [C]."""


@dataclass(frozen=True)
class SharedBuffer:
    """One buffer: `offset` (from shared address 0), `size` and `alignment` in bytes.

    `dynamic`: the part that the launch sizes; programs lay it out themselves, so F9 does not judge
    its base.
    """

    name: str
    offset: int
    size: int
    alignment: int = 1
    dynamic: bool = False

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True, eq=False)
class SharedLayout:
    """The buffers of a block, in ascending order of offset, none overlapping.

    The dynamic part is one more buffer, by custom the last and named `dynamic`. Put the first at
    `SYSTEM_BYTES`, where hardware has it. `SharedLayout([SharedBuffer("tile", 1024, 2048)]).size`
    is 3072. Raises ValueError for buffers that overlap or are out of order, or an offset that is no
    multiple of the buffer's alignment.
    """

    buffers: Sequence[SharedBuffer] = ()
    _offsets: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "buffers", tuple(self.buffers))
        object.__setattr__(self, "_offsets", [buffer.offset for buffer in self.buffers])
        for buffer in self.buffers:
            if buffer.offset % buffer.alignment:
                raise ValueError(
                    f"buffer '{buffer.name}' must lie at a multiple of {buffer.alignment} bytes, "
                    f"got offset {buffer.offset}"
                )
        for first, second in zip(self.buffers, self.buffers[1:], strict=False):
            if second.offset < first.end:
                raise ValueError(
                    f"buffer '{second.name}' must start behind '{first.name}', which ends at "
                    f"{first.end}, got offset {second.offset}"
                )

    @property
    def size(self) -> int:
        """Bytes from shared address 0 to the end of the last buffer."""
        return self.buffers[-1].end if self.buffers else 0

    def find(self, offset: int) -> SharedBuffer | None:
        """The buffer that holds the byte at `offset`, None where there is none."""
        at = bisect_right(self._offsets, offset) - 1
        if at >= 0 and offset < self.buffers[at].end:
            return self.buffers[at]
        return None
