"""The tcgen05 dialect for MLIR: copies from shared to tensor memory, proved and lowered.

    import tcgen05_mlir                       # every Context made from here on has the dialect
    ptx = tcgen05_mlir.compile("kernel.mlir", chip="sm_100a", emit="ptx")

Where the MLIR bindings are not installed, `tcgen05_mlir.model` works all the same: it needs numpy
alone. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tcgen05_mlir.launching import run

if find_spec("mlir") is not None or TYPE_CHECKING:
    from mlir.ir import MLIRError

    from tcgen05_mlir.bindings import register_dialect
    from tcgen05_mlir.compiler import compile
    from tcgen05_mlir.passes import run_pipeline

    __all__ = ["MLIRError", "__version__", "compile", "register_dialect", "run", "run_pipeline"]

    def __getattr__(name: str) -> object:
        if name != "run":
            raise AttributeError(f"module 'tcgen05_mlir' has no attribute {name!r}")
        # When first wanted: compilers and tcgen05-opt start without it.
        from tcgen05_mlir.launching import run

        globals()["run"] = run
        return run
else:
    __all__ = ["__version__"]

    def __getattr__(name: str) -> object:
        if name in ("MLIRError", "compile", "register_dialect", "run", "run_pipeline"):
            raise ImportError(
                f"tcgen05_mlir.{name} needs the MLIR bindings, which are not installed: "
                "pip install tcgen05-mlir without --no-deps"
            )
        raise AttributeError(f"module 'tcgen05_mlir' has no attribute {name!r}")
