"""Inline assembly read as PTX instructions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Instruction:
    """`@!P1 mbarrier.init.shared.b64 [$0], $1` has the guard `!P1` and two operands.

    `label` where it is a label and nothing else. `name` keeps its suffixes.
    """

    name: str
    operands: tuple[str, ...] = ()
    guard: str = ""
    label: str = ""

    def has(self, suffix: str) -> bool:
        return suffix in self.name.split(".")


@dataclass(frozen=True)
class Assembly:
    """Instructions in order, without declarations. `outputs`: the number of results."""

    instructions: tuple[Instruction, ...]
    outputs: int
    ties: tuple[int | None, ...]
    """For each input the output that it is the first value of."""

    @property
    def wait_loop(self) -> Instruction | None:
        """The try_wait of a loop that does nothing but try until it succeeds; None for the rest."""
        names = [one.name for one in self.instructions]
        if len(names) != 5 or not names[1].startswith(("mbarrier.try_wait", "mbarrier.test_wait")):
            return None
        start, test, leave, again, done = self.instructions
        loops = leave.name.startswith("bra") and again.name.startswith("bra") and not again.guard
        back = again.operands == (start.label,) and leave.operands == (done.label,)
        return test if loops and back and leave.guard == test.operands[0] else None

    @property
    def branches(self) -> bool:
        return any(one.label or one.name.startswith("bra") for one in self.instructions)


@cache
def parse_assembly(text: str, constraints: str) -> Assembly:
    """The instructions of a template and what its constraints say."""
    kinds = [kind for kind in constraints.split(",") if kind and not kind.startswith("~")]
    outputs = sum(kind.startswith("=") for kind in kinds)
    ties = tuple(int(kind) if kind.isdigit() else None for kind in kinds[outputs:])
    return Assembly(tuple(_instructions(text)), outputs, ties)


def _instructions(text: str) -> list[Instruction]:
    found: list[Instruction] = []
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL).replace("$$", "")
    # Braces around all are a scope; those inside an instruction hold several registers.
    text = re.sub(r"^\s*\{(.*)\}\s*$", r"\1", text, flags=re.DOTALL)
    for part in text.split(";"):
        while match := re.match(r"\s*([\w$]+):(?!:)\s*", part):
            found.append(Instruction("", label=match[1]))
            part = part[match.end() :]
        if part.strip() and not part.strip().startswith(".reg"):
            found.append(_instruction(part.strip()))
    return found


def _instruction(text: str) -> Instruction:
    guard = ""
    if text.startswith("@"):
        guard, text = text[1:].split(None, 1)
    name, _, rest = text.partition(" ") if " " in text else (text, "", "")
    name, rest = name.strip(), " ".join(rest.split())
    operands = re.findall(r"\[[^\]]*\]|\{[^}]*\}|[^,\s][^,]*", rest)
    return Instruction(name, tuple(operand.strip() for operand in operands), guard)
