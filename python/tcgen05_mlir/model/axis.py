"""Strides of tensor memory: a distance along lanes or along columns.

`64 @ LANE` and `1 @ COL` in Python are `64@lane` and `1@col` in the attribute's text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from .values import bounded


class Axis(Enum):
    """The two coordinates of tensor memory."""

    LANE = "lane"
    COL = "col"

    def __rmatmul__(self, value: int) -> Stride:
        return Stride(value, self)


LANE = Axis.LANE
COL = Axis.COL


@dataclass(frozen=True)
class Stride:
    """`value` lanes or `value` columns of 32 bits. Zero has no direction: it is `0 @ COL`."""

    value: int
    axis: Axis

    def __post_init__(self) -> None:
        value = bounded(self.value, "stride")
        object.__setattr__(self, "value", value)
        if value == 0:
            object.__setattr__(self, "axis", COL)

    def along(self, axis: Axis) -> int:
        """The distance along an axis: `64 @ LANE` is 64 along LANE and 0 along COL."""
        return self.value if self.axis is axis else 0

    def __str__(self) -> str:
        return f"{self.value}@{self.axis.value}"

    def __repr__(self) -> str:
        return f"{self.value} @ {self.axis.name}"


def read_stride(value: Any) -> Stride:
    """`value` if it is a Stride, else TypeError that shows how to write one."""
    if isinstance(value, Stride):
        return value
    raise TypeError(
        f"a tensor-memory stride must be written '1 @ LANE' or '1 @ COL', "
        f"got {type(value).__name__} {value!r}"
    )
