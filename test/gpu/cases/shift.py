"""tcgen05.shift: eight columns of 32 lanes, moved down by a lane."""

from __future__ import annotations

from itertools import product

from .case import Case
from .expectation import maker
from .frame import Frame
from .loops import GROUPS, Bytes, Words

LACKING = ("sm_100f", "sm_101f", "sm_103f", "sm_110f")
COLUMN = 12


def _cases() -> list[Case]:
    cases = []
    for group in GROUPS:
        frame = Frame(f"shift_g{group}", group, blocks=group)
        kernel = frame.around(
            f"""%place = arith.addi %base, %chosen0 : i32
        %pointer = llvm.inttoptr %place : i32 to !llvm.ptr<6>
        nvvm.tcgen05.shift %pointer {frame.attribute} : !llvm.ptr<6>""",
            paths=("nvvm",),
            lacking=LACKING,
        )
        for warp in range(4):
            make = maker(frame, _shifted(32 * warp), (32 * warp << 16 | COLUMN,))
            cases.append(Case(f"shift-g{group}-lane{32 * warp}", "shift", kernel, make))
    return cases


def _shifted(first: int):
    """The last of the 32 lanes keeps what it has."""

    def change(tensor: Words, shared: Bytes, block: int) -> None:
        for lane, column in product(range(first, first + 31), range(COLUMN, COLUMN + 8)):
            tensor[lane, column] = tensor[lane + 1, column]

    return change


CASES = _cases()
