"""What a caller asks of the compiler, checked before MLIR or LLVM hears of it.

LLVM ends the process over some of the values that are refused here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mlir import ir

from tcgen05_mlir.compiler.source import is_emulated
from tcgen05_mlir.model.targets import lookup, require_emulation
from tcgen05_mlir.passes.tcgen05_to_ptx import ToPtxOptions

EMITS = ("mlir", "llvm", "ptx", "cubin", "sass")
"""What can be asked for, in the order in which they are made."""

PATHS = ("nvvm", "inline-asm")
"""How a copy gets from this dialect to the backend."""

OPT_LEVELS = (0, 1, 2, 3)
"""LLVM's and ptxas's `-O`."""


@dataclass(frozen=True)
class Request:
    """The arguments of `compile` but the source; constructing one checks them."""

    chip: str | None
    emit: str
    kernel: str | None
    path: str
    opt_level: int | None
    emulate: bool = False

    def __post_init__(self) -> None:
        for name in ("chip", "kernel"):
            _check_text(name, getattr(self, name), optional=True)
        _check_choice("emit", self.emit, EMITS)
        _check_choice("path", self.path, PATHS)
        _check_opt_level(self.opt_level)
        if not isinstance(self.emulate, bool):
            raise TypeError(f"'emulate' must be a bool, got {self.emulate!r}")
        target = lookup(self.chip) if self.chip is not None else None
        if target is not None and self.emulate:
            require_emulation(target)

    def for_module(self, module: ir.Module) -> Request:
        """The same, with `emulate` where the module is what `tcgen05-emulate` has left.

        What follows emulation is then done for its chip, and its manifest says that it is emulated.
        """
        return replace(self, emulate=True) if is_emulated(module) else self

    @property
    def options(self) -> ToPtxOptions:
        """The same as options of the pipeline."""
        level = "" if self.opt_level is None else str(self.opt_level)
        return ToPtxOptions(
            chip=self.chip or "", opt_level=level, path=self.path, emulate=self.emulate
        )


def _check_text(name: str, value: object, *, optional: bool = False) -> None:
    if not (isinstance(value, str) or (optional and value is None)):
        raise TypeError(f"'{name}' must be a str, got {type(value).__name__} {value!r}")


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    _check_text(name, value)
    if value not in choices:
        raise ValueError(f"'{name}' must be one of {', '.join(choices)}, got '{value}'")


def _check_opt_level(value: object) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"'opt_level' must be an int, got {type(value).__name__} {value!r}")
    if value not in OPT_LEVELS:
        raise ValueError(f"'opt_level' must be 0, 1, 2 or 3, got {value}")
