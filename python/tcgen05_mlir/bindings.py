"""The dialect inside the stock `mlir` package: one MLIR per process.

Importing this module checks that the bindings are those that the extension was built against,
loads the extension, and adds the dialect to the registry that every new Context starts from.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from mlir import ir  # before the extension: it loads the MLIR library that both share
from mlir._mlir_libs import get_dialect_registry

from tcgen05_mlir._build_info import BINDINGS_VERSION, LLVM_VERSION

_BINDINGS = "xtc-mlir-python-bindings"


def _check_version() -> None:
    """Refuse bindings of another version before their library is linked to ours."""
    try:
        found = version(_BINDINGS)
    except PackageNotFoundError:
        return  # An MLIR of the user's own; the loader judges it.
    if found != BINDINGS_VERSION:
        raise ImportError(
            f"tcgen05_mlir was built against MLIR {LLVM_VERSION} ({_BINDINGS} {BINDINGS_VERSION}), "
            f"but version {found} is installed: pip install {_BINDINGS}=={BINDINGS_VERSION}"
        )


_check_version()

from tcgen05_mlir._mlir_libs import _tcgen05  # noqa: E402

_tcgen05.insert_dialect(get_dialect_registry())
ir._globals.append_dialect_search_prefix("tcgen05_mlir.dialects")


def register_dialect(context: ir.Context) -> None:
    """Register and load the dialect in a Context made before the import of this package.

    Contexts made afterwards have it already. Idempotent; any number of Contexts and threads.
    Raises TypeError for anything but a Context.
    """
    if not isinstance(context, ir.Context):
        raise TypeError(f"'context' must be a Context, got {type(context).__name__}")
    _tcgen05.register_dialect(context)
