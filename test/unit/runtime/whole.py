"""Messages that are tested whole."""

from __future__ import annotations

import re


def whole(message: str) -> str:
    """A pattern for `pytest.raises` that matches this message and no other."""
    return rf"\A{re.escape(message)}\Z"
