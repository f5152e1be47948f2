"""`CopyPlan`: a copy that is proved, instruction by instruction, and what the proof rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..descriptor import SmemDescriptor
from ..instruction import Instruction

Kind = Literal["allocation", "columns", "alignment", "extent", "block", "range"]


class Step(NamedTuple):
    """One instruction of a copy: its repeat index and how far its operands lie from the bases.

    `lane_offset` and `column_offset` are counted from the address that the tensor-memory layout
    is relative to, `start_offset` in bytes from where the shared-memory layout starts, before the
    swizzle. They hold the layouts' own offsets and constant indices; a dynamic index counts as 0
    and adds its strides to all steps alike.
    """

    repeat: tuple[int, ...]
    lane_offset: int
    column_offset: int
    start_offset: int


@dataclass(frozen=True)
class Assumption:
    """What a proof takes for granted, in words and in numbers.

    | kind | operand | value |
    |---|---|---|
    | `allocation` | dst | the root is lane 0 of an allocation, its column a multiple of this |
    | `columns` | dst | (first, last) column from the root that must be allocated |
    | `alignment` | src | the root's address is a multiple of so many bytes |
    | `extent` | src | (first, last) byte from the root that must be allocated |
    | `block` | src | (first, last) byte of 4-row copies: their eight-row blocks are allocated |
    | `range` | dst, src | what only the run time knows keeps the copy in bounds: of dst the (first, last) column, of src the (first, last) byte, where that part is 0 |

    The root of a constant TMEM address is lane 0, column 0 of tensor memory.
    """  # noqa: E501

    rule: str
    kind: Kind
    operand: str
    value: int | tuple[int, int]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class CopyPlan:
    """A proved copy: one step per instruction, row-major over the repeats.

    `descriptor` is canonical, with start 0: `replace(plan.descriptor, start=base +
    step.start_offset)` is a step's. `bounded`: every start, whatever the dynamic indices, is known
    to lie in the root allocation (F10 is proved, not assumed), so that an offset can be added to
    a descriptor that holds a start already, without a carry out of bit 13.
    """

    instruction: Instruction
    descriptor: SmemDescriptor
    steps: tuple[Step, ...]
    bounded: bool
    assumptions: tuple[Assumption, ...]
