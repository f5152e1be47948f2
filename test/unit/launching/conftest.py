"""Fixtures of the tests of launching."""

from __future__ import annotations

from machines import machine

__all__ = ["machine"]
