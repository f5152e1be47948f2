"""`SimulationError`, the place where it happened, and which rules are allowed to be broken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from .rules import RULES


class Site(Protocol):
    """An operation of the kernel: where it stands and what it is called.

    `location` is `file:line:col`, `name` the op's name such as `nvvm.tcgen05.cp`.
    """

    @property
    def location(self) -> str: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Place:
    """Who executed the op: `block` and `thread` are x, y, z; `thread` None for a whole block."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int] | None = None

    def __str__(self) -> str:
        block = f"block ({', '.join(map(str, self.block))})"
        if self.thread is None:
            return block
        return f"{block}, thread ({', '.join(map(str, self.thread))})"


class SimulationError(Exception):
    """A mistake that hardware would punish.

    `rule` is a key of `RULES`, `message` the sentence without op and place, `site` the op (None
    at a block's end), `place` who executed it, `address` the first address at fault in its own
    space or None, `notes` what to do and what else is known. `str` is, for example::

        k.mlir:61:9: 'nvvm.tcgen05.cp' op reads shared bytes ... [P3]
          at block (0, 0, 0), thread (0, 0, 0)
          note: put nvvm.fence.proxy ... behind the stores

    Goes through pickle, to another process.
    """

    def __init__(
        self,
        rule: str,
        message: str,
        *,
        site: Site | None,
        place: Place | None,
        address: int | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        assert rule in RULES, rule
        self.rule = rule
        self.message = message
        self.site = site
        self.place = place
        self.address = address
        self.notes = tuple(notes)
        super().__init__(self._text())

    def __reduce__(self) -> tuple[Any, ...]:
        # Its arguments have names, and those of the classes below are others.
        return _restored, (type(self), self.args), self.__dict__

    def _text(self) -> str:
        where = f"{self.site.location}: '{self.site.name}' op " if self.site else ""
        lines = [f"{where}{self.message} [{self.rule}]"]
        if self.place:
            lines.append(f"  at {self.place}")
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def _restored(kind: type[SimulationError], args: tuple[Any, ...]) -> SimulationError:
    """The error as it was before its fields are set."""
    return kind.__new__(kind, *args)


class Checks:
    """The rules that stop a run: all, but for those that are allowed.

    `Checks(allow={"P5"})` lets P5 pass. Raises ValueError for an id that is no rule.
    """

    def __init__(self, allow: Iterable[str] = ()) -> None:
        self.allow = frozenset(allow)
        unknown = sorted(self.allow - RULES.keys())
        if unknown:
            raise ValueError(
                f"'allow' must hold rule ids ({', '.join(RULES)}), got {', '.join(unknown)}"
            )

    def on(self, rule: str) -> bool:
        """Whether `rule` stops the run."""
        return rule not in self.allow

    def fail(
        self,
        rule: str,
        message: str,
        *,
        site: Site | None,
        place: Place | None,
        address: int | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        """Raises SimulationError unless `rule` is allowed."""
        if self.on(rule):
            raise SimulationError(
                rule, message, site=site, place=place, address=address, notes=notes
            )
