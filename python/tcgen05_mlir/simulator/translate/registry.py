"""Which operations can be translated, and by what.

A rule is a function of the emitter that writes the code of `emitter.op`. A waiting rule is for an
operation at which lanes or warps wait: it returns a `Meeting`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from mlir import ir

from tcgen05_mlir.simulator.translate.emitter import Emitter


@dataclass(frozen=True)
class Meeting:
    """An operation that lanes do together, or at which they wait.

    `call`: Python of a function's body over `h`, `m` and the names `a0`, `a1`, ... of `operands`;
    its value is the result, or a Wait when `blocks`, and then `result` is the code of the result.
    `members`: the code of the member mask that
    the lanes name; None for all lanes of the warp; `alone` where each lane comes for itself.
    """

    call: str
    operands: list[str] = field(default_factory=list)
    members: str | None = None
    alone: bool = False
    blocks: bool = False
    result: str | None = None


Rule = Callable[[Emitter], None]
WaitingRule = Callable[[Emitter], Meeting]

RULES: dict[str, Rule] = {}
WAITING: dict[str, WaitingRule] = {}
SELDOM_WAITING: dict[str, Callable[[ir.Operation], bool]] = {}
"""Names of WAITING that only wait in some forms: others have a rule of RULES as well."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers a translation for operations of these names."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def waiting_rule(*names: str) -> Callable[[WaitingRule], WaitingRule]:
    """Registers a translation for operations of these names, which wait."""

    def register(function: WaitingRule) -> WaitingRule:
        WAITING.update(dict.fromkeys(names, function))
        return function

    return register


def waits(op: ir.Operation) -> bool:
    applies = SELDOM_WAITING.get(op.name)
    return op.name in WAITING and (applies is None or applies(op))
