"""Words of PTX text."""

from __future__ import annotations

import re
from typing import Final

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_JOINT: Final = re.compile(r"\s*(\.|::)\s*")
"""Where PTX lets a name be written with spaces, `tcgen05 . cp . cta_group :: 2`."""

_NAME: Final = re.compile(r"(?<![\w.:%])%?[a-z]\w*(?:(?:\.|::)\w+)*")


def joined(text: str) -> str:
    """`text` without comments, and names in it without spaces: `elect.sync` for `elect . sync`."""
    return _JOINT.sub(r"\1", _COMMENT.sub(" ", text))


def instructions(text: str) -> list[str]:
    """The names in `text` that may be instructions, registers or labels, in order.

    `instructions("@p elect.sync _|q, -1; // all")` is `["p", "elect.sync", "q"]`.
    """
    return _NAME.findall(joined(text))
