"""Fixtures of the tests of launching, which use the model of a driver of the runtime's."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "runtime"))

from machines import machine

__all__ = ["machine"]
