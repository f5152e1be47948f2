"""What `tcgen05.cp` does, without MLIR and without CUDA: tables, layouts, descriptor, reference.

Needs numpy alone. Compilers that cannot load the dialect call it directly; everything else in
this project reads its tables and limits. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from .axis import COL, LANE, Axis, Stride
from .descriptor import SmemDescriptor
from .footprint import (
    Assumption,
    CopyPlan,
    FootprintError,
    InferenceError,
    ModeFailure,
    Place,
    SharedBase,
    Step,
    TensorBase,
    Violation,
    infer_descriptor,
    prove,
)
from .instruction import Instruction, legal_instructions
from .reference import execute_cp
from .smem_layout import SmemLayout
from .swizzle import base_alignment, swizzle_address
from .tmem_layout import TmemLayout

__all__ = [
    "COL",
    "LANE",
    "Assumption",
    "Axis",
    "CopyPlan",
    "FootprintError",
    "InferenceError",
    "Instruction",
    "ModeFailure",
    "Place",
    "SharedBase",
    "SmemDescriptor",
    "SmemLayout",
    "Step",
    "Stride",
    "TensorBase",
    "TmemLayout",
    "Violation",
    "base_alignment",
    "execute_cp",
    "infer_descriptor",
    "legal_instructions",
    "prove",
    "swizzle_address",
]
