"""Copies in a loop, as many as the launch says, and plain ones of as many bytes beside them.

The table runs a few of each; `bench/emulation.py` runs many, and takes their time.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from tcgen05_mlir.model import Instruction

from .case import Arrays, Case, Kernel
from .copies import Copy
from .expectation import maker
from .frame import BUFFER, CHOICES, IMAGE, WORDS, Frame
from .inputs import images
from .loops import FORMS, Bytes, Words, short

BLOCKS = 132
"""For which there is room; the grid may be smaller."""
SPREAD = 4
"""Places that a plain copy writes to by turns, so that no compiler leaves one out."""
SPREAD_WORDS = 1024
"""Words of such a place: the largest copy's."""
STAGE = 1


def _copy(shape: str, multicast: str | None) -> Copy:
    return Copy(Instruction(shape, multicast), 0)


def _kernel(frame: Frame, copy: Copy) -> Kernel:
    """`%choice3` times the copy's two instructions, always to the same columns."""
    loop = f"""scf.for %i = %c0 to %choice3 step %c1 {{
          {copy.text(0)}
        }}"""
    return frame.around(loop, paths=("nvvm",))


def _plain() -> Kernel:
    """`%choice3` times `%choice2` units of 16 bytes from shared to global memory, by all."""
    frame = Frame("plain_copies", blocks=BLOCKS)
    place = f"memref<{BLOCKS}x{SPREAD}x{SPREAD_WORDS}xi32>"
    function = f"""  gpu.func @{frame.name}(%units: index, %A: memref<{BLOCKS}x{WORDS}xi32>,
      %choices: memref<{CHOICES}xi32>, %out: {place}) {frame.attributes} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %spread = arith.constant {SPREAD} : index
    %tid = gpu.thread_id x
    %block = gpu.block_id x
    {frame.fill_shared}
    gpu.barrier
    {frame.choices}
    scf.for %i = %c0 to %choice3 step %c1 {{
      %turn_of = arith.remui %i, %spread : index
      %shift = arith.muli %turn_of, %c4 : index
      scf.for %unit = %tid to %choice2 step %c128 {{
        %w = arith.muli %unit, %c4 : index
        %from = arith.addi %w, %shift : index
        %words = vector.load %image[%from] : {BUFFER}, vector<4xi32>
        vector.store %words, %out[%block, %turn_of, %w] : {place}, vector<4xi32>
      }}
    }}
    gpu.return
  }}"""
    return Kernel(frame.name, function, (IMAGE,), paths=("nvvm",))


def _make_plain(units: int, count: int) -> tuple[Arrays, Arrays]:
    image, chosen = images(BLOCKS), np.array([0, 0, units, count], np.int32)
    given = (WORDS // 512, image, chosen, np.zeros((BLOCKS, SPREAD, SPREAD_WORDS), np.uint32))
    out = given[-1].copy()
    for turn in range(min(count, SPREAD)):
        out[0, turn, : 4 * units] = image[0, 4 * turn : 4 * (turn + units)]
    return given, (*given[:-1], out)


def _run(copy: Copy, tensor: Words, shared: Bytes, block: int) -> None:
    if block == 0:
        copy.run(tensor, shared, STAGE)
    else:
        tensor[:] = 0


def _cases() -> list[Case]:
    cases = []
    for form in FORMS:
        frame = Frame(f"repeated_{short(*form)}", blocks=BLOCKS)
        copy = _copy(*form)
        make = maker(frame, partial(_run, copy), (STAGE, 0, 0, 1))
        name = f"repeated-{short(*form)}"
        cases.append(Case(name, "loops of copies", _kernel(frame, copy), make, grid=1))
    plain = Case("plain-copies", "loops of copies", _plain(), partial(_make_plain, 200, 3), grid=1)
    return [*cases, plain]


CASES = _cases()
