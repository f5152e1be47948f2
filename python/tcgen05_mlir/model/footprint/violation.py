"""What is wrong with a copy: a rule, the first place, what was found, what was wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """One word of a copy: which instruction, which row and word of its atom.

    `index` holds the leading indices of the operand, chosen ones and, for those that the run time
    chooses, the value at fault. `moved` is a distance by which a base is unknown, in bytes of
    shared memory or in columns. `str(Place((1,), 8))` is `repeat (1), row 8, word 0`.
    """

    repeat: tuple[int, ...] = ()
    row: int = 0
    word: int = 0
    index: tuple[int, ...] = ()
    moved: int = 0

    def __str__(self) -> str:
        return ", ".join([*self._issue_parts(), f"row {self.row}, word {self.word}"])

    @property
    def issue(self) -> str:
        """The instruction alone: `index (2), repeat (1)`; empty where there is just one."""
        return ", ".join(self._issue_parts())

    def _issue_parts(self) -> list[str]:
        parts = [f"base moved by {self.moved}"] if self.moved else []
        for name, value in (("index", self.index), ("repeat", self.repeat)):
            if value:
                parts.append(f"{name} {format_index(value)}")
        return parts


@dataclass(frozen=True)
class Violation:
    """A rule that a copy breaks, and its first place.

    `message` names the operand in single quotes, the value wanted, the value found and the rule:
    `'dst' column origin must be a multiple of 4, got 2 [F4]`. It lacks the op's name, which only
    the caller knows. `remedy` says what to do. `found` and `wanted` are the message's values.
    `place` is None where the whole operand is at fault.
    """

    rule: str
    operand: str
    message: str
    remedy: str
    found: Any = None
    wanted: Any = None
    place: Place | None = None

    def __str__(self) -> str:
        return self.message


class FootprintError(ValueError):
    """A copy that is not what its types say; `violations` holds everything, in order of rules."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__(*violations)
        self.violations = violations

    def __str__(self) -> str:
        return "\n".join(f"{v.message}\n  {v.remedy}" for v in self.violations)


def format_index(index: Sequence[int | None]) -> str:
    """An index as messages write it: `(1)`, `(0, 2)`."""
    return f"({', '.join(map(str, index))})"


def of_place(text: str, place: Place) -> str:
    """`text`, followed by the instruction that it is said of where there are several."""
    return f"{text} of {place.issue}" if place.issue else text
