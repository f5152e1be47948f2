"""What an instruction needs of the chip and of the PTX version (rule T11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .targets import TARGETS, Target, ptx_text


@dataclass(frozen=True)
class Needs:
    """The chips and the PTX versions that have an instruction.

    `ptx`: the first version. `first`: the number of the first chip, where all later ones have it
    too. `only`: the names of the chips, where it is one of the features that a chip need not keep.

    `Needs(80, 90).problem(lookup("sm_80"), 80)` is `needs sm_90 or later, got chip 'sm_80'`.
    """

    ptx: int
    first: int = 0
    only: tuple[str, ...] = ()

    def problem(self, target: Target, ptx: int) -> str:
        """What is missing, as the end of an error without its rule; empty where nothing is."""
        if target.number < self.first:
            return f"needs sm_{self.first} or later, got chip '{target.chip}'"
        if self.only and target.chip not in self.only:
            wanted = self.only[0] if len(self.only) == 1 else f"one of {', '.join(self.only)}"
            return f"needs {wanted}, got chip '{target.chip}'"
        if ptx < self.ptx:
            return f"needs PTX version {ptx_text(self.ptx)} or later, got {ptx_text(ptx)}"
        return ""


def features_of(numbers: Iterable[int], suffixes: str = "af") -> tuple[str, ...]:
    """The chips with these numbers that have features of their own.

    `features_of((100, 103))` is `("sm_100a", "sm_100f", "sm_103a", "sm_103f")`. Chip 110 was 101
    once, and goes by both names.
    """
    wanted = {101 if number == 110 else number for number in numbers} | set(numbers)
    return tuple(
        target.chip
        for target in TARGETS.values()
        if target.number in wanted and target.chip[-1] in suffixes
    )
