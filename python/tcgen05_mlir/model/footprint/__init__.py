"""The proof of a copy: every byte that it reads and every cell that it writes, rules F1 to F12.

`prove` compares what the types of a copy say with what its instructions do and returns a
`CopyPlan`, or raises `FootprintError` with all that is wrong. `infer_descriptor` finds the
descriptor that reads a layout. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from .facts import SharedBase, TensorBase
from .infer import InferenceError, ModeFailure, infer_descriptor
from .plan import Assumption, CopyPlan, Step
from .prove import prove
from .violation import FootprintError, Place, Violation

__all__ = [
    "Assumption",
    "CopyPlan",
    "FootprintError",
    "InferenceError",
    "ModeFailure",
    "Place",
    "SharedBase",
    "Step",
    "TensorBase",
    "Violation",
    "infer_descriptor",
    "prove",
]
