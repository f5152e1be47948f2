"""An error's whole message, not a part of it."""

from __future__ import annotations

import re
from typing import Any

import pytest


def raises(kind: type[Exception], message: str) -> Any:
    """Expects an exception whose text is exactly `message`."""
    return pytest.raises(kind, match=rf"\A{re.escape(message)}\Z")
