"""Passes in Python, by name: `Pass`, `option`, `register_pass`, `register_pipeline`.

Importing this package registers the project's own passes and pipelines. Those of other packages
are registered when their modules are imported; `load_entry_points` imports the installed ones.
"""

from __future__ import annotations

import importlib
import pkgutil

from tcgen05_mlir.passes.diagnostics import Diagnostic, Note, PassFailure, op_error
from tcgen05_mlir.passes.options import option
from tcgen05_mlir.passes.pipeline import PipelineError, run_pipeline
from tcgen05_mlir.passes.plugins import PluginError, load_entry_points, load_passes
from tcgen05_mlir.passes.registry import Pass, register_pass, register_pipeline

__all__ = [
    "Diagnostic",
    "Note",
    "Pass",
    "PassFailure",
    "PipelineError",
    "PluginError",
    "load_entry_points",
    "load_passes",
    "op_error",
    "option",
    "register_pass",
    "register_pipeline",
    "run_pipeline",
]

# One file per pass: each registers itself.
for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
