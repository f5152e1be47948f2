"""What device code says of its emulation: where its operations stood, which kernels need memory."""

from __future__ import annotations

from mlir import ir

from tcgen05_mlir.emulation import abi
from tcgen05_mlir.passes.device_code import kernel_names, operations, symbol_name
from tcgen05_mlir.passes.texts import string_text, symbol_text

_REFERENCES = {"llvm.call": "callee", "llvm.mlir.addressof": "global_name"}
"""The operations of the llvm dialect that lead from one symbol to another."""


def emulation_sites(module: ir.Operation) -> tuple[str, ...] | None:
    """The places of the operations that were emulated in a gpu.module; None where none were.

    They are gone where a pass between dropped the attribute that holds them. Raises ValueError for
    an attribute that is no array of strings.
    """
    attribute = module.attributes.get(abi.SITES_ATTRIBUTE, None)
    if attribute is None:
        return () if abi.SYMBOL in _symbols(module) else None
    if isinstance(attribute, ir.ArrayAttr):
        texts = list(ir.ArrayAttr(attribute))
        if all(isinstance(text, ir.StringAttr) for text in texts):
            return tuple(map(string_text, texts))
    raise ValueError(
        f"'{abi.SITES_ATTRIBUTE}' of gpu.module @{symbol_name(module)} must be an array of "
        f"strings, which tcgen05-emulate writes, got {attribute}"
    )


def kernels_with_tensor_memory(module: ir.Operation) -> frozenset[str]:
    """The kernels of an emulated gpu.module, in the llvm dialect, that reach its variable."""
    symbols = _symbols(module)
    known: dict[str, set[str]] = {}
    return frozenset(
        name for name in kernel_names(module) if abi.SYMBOL in _reached(name, symbols, known)
    )


def _symbols(module: ir.Operation) -> dict[str, ir.Operation]:
    return {
        symbol_name(op.operation): op.operation
        for op in module.regions[0].blocks[0].operations
        if "sym_name" in op.operation.attributes
    }


def _reached(start: str, symbols: dict[str, ir.Operation], known: dict[str, set[str]]) -> set[str]:
    """All that a symbol leads to. `known`: what each leads to by itself, found once."""
    pending, seen = [start], {start}
    for name in pending:
        if name not in known:
            known[name] = _references(symbols[name]) & symbols.keys()
        pending += known[name] - seen
        seen |= known[name]
    return seen


def _references(symbol: ir.Operation) -> set[str]:
    leading = (op for op in operations(symbol) if op.name in _REFERENCES)
    # A call of an address names nothing.
    found = (op.attributes.get(_REFERENCES[op.name], None) for op in leading)
    return {symbol_text(attribute) for attribute in found if attribute is not None}
