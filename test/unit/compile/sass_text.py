"""What a test wants to know about SASS as nvdisasm prints it."""

from __future__ import annotations

import re

_COPY = re.compile(r"\bUTCCP(\.\S+)")
_LABEL = re.compile(r"^(\.L_\w+):", re.MULTILINE)
_LOOP_BACK = re.compile(r"\bBRA\.U\.ANY `\((\.L_\w+)\)")


def copies(sass: str) -> list[str]:
    """The form of every UTCCP, in order: `.T.S.128dp128bit`."""
    return _COPY.findall(sass)


def copies_in_loops(sass: str) -> list[str]:
    """The forms of those copies around which ptxas made a loop over the active threads."""
    labels = {match[1]: match.end() for match in _LABEL.finditer(sass)}
    bodies = [
        sass[labels[match[1]] : match.start()]
        for match in _LOOP_BACK.finditer(sass)
        if labels[match[1]] < match.start()
    ]
    return [form for body in bodies for form in copies(body)]
