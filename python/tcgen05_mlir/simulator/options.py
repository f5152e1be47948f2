"""The options that only the simulator has, checked before it runs anything."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def check_options(seed: Any, allow: Any, progress: Any) -> tuple[str, ...]:
    """The ids in `allow`; TypeError for an option of another kind.

    `seed`: an int or None; `allow`: several texts, `["P5"]`, and no text by itself, whose letters
    would be taken for ids; `progress`: what can be called, or None.
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise TypeError(f"'seed' must be an int, got {type(seed).__name__} {seed!r}")
    if isinstance(allow, str) or not isinstance(allow, Iterable):
        raise TypeError(
            "'allow' must be a list of rule ids, such as ['P5'], got "
            f"{type(allow).__name__} {allow!r}"
        )
    ids = tuple(allow)
    for rule in ids:
        if not isinstance(rule, str):
            raise TypeError(f"'allow' must hold texts, got {type(rule).__name__} {rule!r}")
    if progress is not None and not callable(progress):
        raise TypeError(f"'progress' must be callable, got {type(progress).__name__} {progress!r}")
    return ids
