"""The table of refusals: for each check of emulated code, launches that it must end."""

from __future__ import annotations

from . import refused_accesses, refused_allocations, refused_copies, refused_pairs
from .refusal import Refusal

REFUSALS: dict[str, Refusal] = {}
for _part in (refused_copies, refused_accesses, refused_allocations, refused_pairs):
    for _refusal in _part.CASES:
        assert _refusal.name not in REFUSALS, f"two refusals are called {_refusal.name}"
        REFUSALS[_refusal.name] = _refusal
