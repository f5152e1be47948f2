"""Exceptions by their whole text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def raises(kind: type[Exception], message: str) -> Iterator[None]:
    """The body raises ``kind`` with exactly this text."""
    with pytest.raises(kind) as caught:
        yield
    assert str(caught.value) == message
