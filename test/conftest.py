"""What all tests share: Hypothesis without its stopwatch, since a slow machine fails no test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
