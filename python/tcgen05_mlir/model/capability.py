"""From a GPU's compute capability to the chip that code for it is compiled for."""

from __future__ import annotations

from .targets import TARGETS


def number_of(capability: tuple[int, int]) -> int:
    """As in a chip's name: `number_of((9, 0))` is 90."""
    major, minor = capability
    return 10 * major + minor


def chip_of(capability: tuple[int, int]) -> str:
    """The chip to compile for, so that a GPU of this compute capability runs the code.

    With the GPU's own instructions where the table has it: `chip_of((9, 0))` is sm_90a,
    `chip_of((10, 3))` sm_103a, `chip_of((8, 6))` sm_86. Else the last one before it whose PTX every
    later GPU runs: `chip_of((14, 0))` is sm_121. Raises ValueError for a compute capability before
    the first chip's. Source: PTX `target-directive`.
    """
    major, minor = capability
    exact = [f"sm_{major}{minor}a", f"sm_{major}{minor}"]
    before = [chip for chip in _PLAIN if TARGETS[chip].number < number_of(capability)]
    known = [chip for chip in (*exact, *reversed(before)) if chip in TARGETS]
    if not known:
        raise ValueError(
            f"there is no chip for compute capability {major}.{minor}: {_PLAIN[0]} is the first"
        )
    return known[0]


_PLAIN = sorted(
    (chip for chip in TARGETS if chip[-1].isdigit()), key=lambda chip: TARGETS[chip].number
)
"""The chips whose PTX later GPUs run."""
