"""What the generated op classes import: upstream's, so that there is one registry of ops."""

from __future__ import annotations

from mlir import ir
from mlir.dialects._ods_common import (
    _cext,
    equally_sized_accessor,
    get_op_result_or_op_results,
    get_op_result_or_value,
    get_op_results_or_values,
    segmented_accessor,
)
from mlir.dialects._ods_common import get_default_loc_context as _get_default_loc_context

from tcgen05_mlir._mlir_libs._tcgen05 import require_dialect

__all__ = [
    "_cext",
    "equally_sized_accessor",
    "get_default_loc_context",
    "get_op_result_or_op_results",
    "get_op_result_or_value",
    "get_op_results_or_values",
    "segmented_accessor",
]


def get_default_loc_context(location: ir.Location | None = None) -> ir.Context | None:
    """The context that an op is about to be created in, which must have the dialect.

    Every op class asks for it first. Raises ValueError that names the remedy where the context
    was made before the dialect was there: MLIR would end the process.
    """
    context = _get_default_loc_context(location)
    if context is not None:
        require_dialect(context)
    return context
