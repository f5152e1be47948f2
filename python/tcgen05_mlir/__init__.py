"""The tcgen05 dialect for MLIR: copies from shared to tensor memory, proved and lowered.

    import tcgen05_mlir                       # every Context made from here on has the dialect
    ptx = tcgen05_mlir.compile("kernel.mlir", chip="sm_100a", emit="ptx")

Where the MLIR bindings are not installed, `tcgen05_mlir.model` works all the same, which needs
numpy alone, and `tcgen05_mlir.runtime`, which launches what was compiled elsewhere. Nothing here
has run on Blackwell hardware.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_LATE = {"compile_artifact": "tcgen05_mlir.compiler.manifest", "run": "tcgen05_mlir.launching"}
"""Loaded when first wanted, and from where: compilers and tcgen05-opt start without them."""

if TYPE_CHECKING:
    from tcgen05_mlir.compiler.manifest import compile_artifact
    from tcgen05_mlir.launching import run

if find_spec("mlir") is not None or TYPE_CHECKING:
    from mlir.ir import MLIRError

    from tcgen05_mlir.bindings import register_dialect
    from tcgen05_mlir.compiler import compile
    from tcgen05_mlir.passes import run_pipeline

    __all__ = [
        "MLIRError",
        "__version__",
        "compile",
        "compile_artifact",
        "register_dialect",
        "run",
        "run_pipeline",
    ]

    def __getattr__(name: str) -> object:
        if name not in _LATE:
            raise AttributeError(f"module 'tcgen05_mlir' has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(_LATE[name]), name)
        return value
else:
    __all__ = ["__version__"]

    def __getattr__(name: str) -> object:
        if name in (*_LATE, "MLIRError", "compile", "register_dialect", "run_pipeline"):
            raise ImportError(
                f"tcgen05_mlir.{name} needs the MLIR bindings, which are not installed: "
                "pip install tcgen05-mlir without --no-deps"
            )
        raise AttributeError(f"module 'tcgen05_mlir' has no attribute {name!r}")
