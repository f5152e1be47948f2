"""Hypothesis without its stopwatch: a slow machine fails no test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
