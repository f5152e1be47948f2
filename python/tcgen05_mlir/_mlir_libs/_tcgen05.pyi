"""The tcgen05 dialect and its driver on MLIR's Python bindings."""

from collections.abc import Callable, Sequence
from typing import Literal

from mlir import ir
from tcgen05_mlir.model import SmemLayout, TmemLayout

_Severity = Literal["error", "warning", "remark"]
_Note = tuple[Literal["note"], ir.Location, str, list["_Note"]]
_Collected = tuple[_Severity, ir.Location, str, list[_Note]]
_Option = tuple[str, str, str, str, bool]
"""Name, description, value name, default, whether it is a flag."""

llvm_version: str
"""The version of LLVM and MLIR that the extension was compiled against, ``22.1.8``."""

class TmemLayoutAttr(ir.Attribute):
    """``#tcgen05.tmem_layout``: where a memref's elements lie in tensor memory."""

    @classmethod
    def get(cls, layout: TmemLayout | str, context: ir.Context | None = None) -> TmemLayoutAttr:
        """The attribute of a model layout, or of its text; ValueError for a text that is none."""
    @property
    def layout(self) -> TmemLayout: ...

class SmemLayoutAttr(ir.Attribute):
    """``#tcgen05.smem_layout``: where a memref's elements lie in shared memory."""

    @classmethod
    def get(cls, layout: SmemLayout | str, context: ir.Context | None = None) -> SmemLayoutAttr:
        """The attribute of a model layout, or of its text; ValueError for a text that is none."""
    @property
    def layout(self) -> SmemLayout: ...

class SmemDescAttr(ir.Attribute):
    """``#tcgen05.smem_desc``: the fields of a shared memory descriptor."""

    @classmethod
    def get(
        cls,
        *,
        ldo: int | None = None,
        sdo: int | None = None,
        swizzle: int = 0,
        context: ir.Context | None = None,
    ) -> SmemDescAttr:
        """``ldo`` and ``sdo`` in bytes, ``swizzle`` 0..3; None leaves a field out [C5]."""
    @property
    def ldo(self) -> int | None: ...
    @property
    def sdo(self) -> int | None: ...
    @property
    def swizzle(self) -> int: ...

def insert_dialect(registry: ir.DialectRegistry) -> None:
    """Add the dialect to a registry; idempotent."""

def register_dialect(context: ir.Context, load: bool = True) -> None:
    """Register the dialect with a context, and load it; idempotent."""

def require_dialect(context: ir.Context) -> None:
    """Raise ValueError with the remedy where a context lacks the dialect."""

def emit(
    location: ir.Location,
    severity: _Severity,
    message: str,
    notes: Sequence[tuple[ir.Location, str]] = (),
) -> None:
    """Emit one diagnostic to the handlers of the location's context."""

def is_pass_registered(name: str) -> bool:
    """True when MLIR knows a pass or pipeline of this name."""

def register_pass(
    name: str,
    class_name: str,
    description: str,
    options: Sequence[_Option],
    dialects: Sequence[str],
    check: Callable[[list[str]], str | None],
    run: Callable[[list[str], ir.Operation], bool],
) -> None:
    """Register a pass for the rest of the process; the name must be free."""

def register_pipeline(
    name: str,
    description: str,
    options: Sequence[_Option],
    build: Callable[[list[str]], tuple[bool, str]],
) -> None:
    """Register a pipeline for the rest of the process; the name must be free."""

def run_pipeline(
    module: ir.Module, pipeline: str, verify: bool = True
) -> tuple[ir.Module, bool, list[_Collected]]:
    """Run a pipeline on a clone, without the interpreter lock.

    Returns the clone, whether it went well, and the diagnostics. ValueError with MLIR's text when
    the pipeline does not parse.
    """

def opt_main(arguments: Sequence[str]) -> int:
    """Run mlir-opt with our dialect and passes; returns the exit code.

    Once per process: RuntimeError after that.
    """

def lsp_server_main(arguments: Sequence[str]) -> int:
    """Run mlir-lsp-server with our dialect on stdin and stdout; returns the exit code.

    Once per process: RuntimeError after that.
    """
