"""Who issues: a lane other than the first, alone or with its warp; device functions with copies."""

from __future__ import annotations

from functools import partial

from tcgen05_mlir.model import Instruction

from .case import Case
from .copies import Copy
from .expectation import maker
from .frame import BUFFER, Frame
from .loops import GROUPS, Bytes, Words

LANE = 21
STAGE = 1
COLUMNS = {"copy_twice_a": 4, "copy_twice_b": 32}
"""Where each kernel lets the one device function copy to."""


def _lane(frame: Frame, text: str) -> str:
    """Warp 0 of those that issue runs `text`, all lanes of it; `%chosen_lane` is one of them."""
    return f"""scf.if %issues {{
        {frame.choices}
        %lane_number = arith.constant {LANE} : index
        %chosen_lane = arith.cmpi eq, %tid, %lane_number : index
        nvvm.tcgen05.fence <after>
        {text}
      }}"""


def _issued(name: str, frame: Frame, copy: Copy, text: str) -> Case:
    kernel = frame.around("", issue=_lane(frame, text))
    make = maker(frame, partial(_run, copy), (STAGE,))
    return Case(name, "other issuers", kernel, make)


def _cases() -> list[Case]:
    cases = []
    for group in GROUPS:
        instruction = Instruction("128x256b", None, group)
        frame = Frame(f"issue_predicate_g{group}", group, blocks=group)
        copy = Copy(instruction, 1, predicate="%chosen_lane")
        commit = f"scf.if %chosen_lane {{\n          {frame.commit}\n        }}"
        text = f"{copy.text(0)}\n        {commit}"
        cases.append(_issued(f"issue-predicate-g{group}", frame, copy, text))
        frame = Frame(f"issue_branch_g{group}", group, blocks=group)
        copy = Copy(instruction, 3)
        text = f"""scf.if %chosen_lane {{
          {copy.text(0)}
          {frame.commit}
        }}"""
        cases.append(_issued(f"issue-branch-g{group}", frame, copy, text))
    return cases


def _function(copy: Copy) -> str:
    """A device function, to a column of the caller's."""
    return f"""func.func private @copy_for_both(%base: i32, %choice0: index,
      %image: {BUFFER} {{llvm.align = 1024 : i64}}) {{
    {copy.text(0)}
    return
  }}"""


def _shared_function() -> list[Case]:
    """Two kernels, which call the same function; in one module where both are compiled at once."""
    copy = Copy(Instruction("64x128b", "warpx2::01_23"), 2, column=0)
    cases = []
    for name, column in COLUMNS.items():
        frame = Frame(name, columns=64)
        kernel = frame.around(
            f"""%column = arith.constant {column} : i32
        %to = arith.addi %base, %column : i32
        func.call @copy_for_both(%to, %choice0, %image) : (i32, index, {BUFFER}) -> ()""",
            outside=(_function(copy),),
        )
        moved = Copy(copy.instruction, 2, column=column)
        make = maker(frame, partial(_run, moved), (STAGE,))
        cases.append(Case(name.replace("_", "-"), "device functions", kernel, make))
    return cases


def _run(copy: Copy, tensor: Words, shared: Bytes, block: int) -> None:
    copy.run(tensor, shared, STAGE)


CASES = [*_cases(), *_shared_function()]
