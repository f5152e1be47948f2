"""Arguments and expected arrays of a kernel that `Frame.around` made."""

from __future__ import annotations

from collections.abc import Callable

from .case import Arrays
from .frame import Frame
from .inputs import arguments, images
from .loops import Bytes, Words

Change = Callable[[Words, Bytes, int], None]
"""(tensor memory, shared memory, block) -> None: what the block's copies do, in place."""


def maker(
    frame: Frame,
    change: Change,
    choices: tuple[int, ...] = (),
    image: Callable[[int], Words] = images,
) -> Callable[[], tuple[Arrays, Arrays]]:
    """`Case.make` of a launch: every block starts from the pattern and is changed by itself."""

    def make() -> tuple[Arrays, Arrays]:
        given = arguments(frame, image(frame.blocks), choices)
        out = given[-1].copy()
        for block in range(frame.blocks):
            out[block] = given[3]
            change(out[block], given[2][block].view("u1"), block)
        return given, (*given[:-1], out)

    return make
