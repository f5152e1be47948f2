"""Passes of other packages and files, for ``tcgen05-opt``.

A package names a module that registers its passes in its ``pyproject.toml``::

    [project.entry-points."tcgen05_mlir.passes"]
    my-passes = "my_package.passes"
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path

from tcgen05_mlir.passes.diagnostics import describe_exception

ENTRY_POINT_GROUP = "tcgen05_mlir.passes"


class PluginError(Exception):
    """A module with passes that could not be loaded; ``__cause__`` is the reason."""


def load_entry_points() -> None:
    """Load the modules that installed packages name; PluginError for one that fails."""
    for entry_point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP):
        try:
            entry_point.load()
        except Exception as error:
            owner = entry_point.dist.name if entry_point.dist else "an unknown package"
            what = f"entry point '{entry_point.name}' = '{entry_point.value}' of '{owner}'"
            raise _failure(what, error) from error


def load_passes(source: str) -> None:
    """Import the module ``source``, or run the file if it ends in ``.py``; PluginError if it fails.

    ``load_passes("my_package.passes")``, ``load_passes("./my_passes.py")``.
    """
    try:
        if source.endswith(".py"):
            _run_file(Path(source))
        else:
            importlib.import_module(source)
    except Exception as error:
        raise _failure(f"'{source}'", error) from error


def _run_file(path: Path) -> None:
    name = f"_tcgen05_passes_{path.resolve()}"
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise


def _failure(what: str, error: Exception) -> PluginError:
    return PluginError(f"passes of {what} could not be loaded: {describe_exception(error)}")
