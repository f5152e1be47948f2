"""`Library`: the functions that a gpu.module needs in place of tcgen05 operations, each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlir import ir

from . import abi
from .code import Code
from .names import PREFIX
from .values import Value

Writer = Callable[[Code], None]

_INTERNAL = "#llvm.linkage<internal>"


class Library:
    """What emulation adds at the end of one gpu.module: functions on demand, and the variable.

    `pairs`: some operation of the module is of cta_group::2, so that a block's tensor memory is
    written by two. `chip`: the number of the chip, 90 for sm_90a.
    """

    def __init__(self, module: ir.Operation, chip: int, pairs: bool) -> None:
        self.chip = chip
        self.pairs = pairs
        self._block = module.regions[0].blocks[0]
        self._names: set[str] = set()
        self._unknown = ir.Location.unknown(module.context)

    @property
    def scope(self) -> str:
        """Who shares a block's tensor memory, as the scope of fences."""
        return "cluster" if self.pairs else "block"

    def function(
        self,
        name: str,
        arguments: Sequence[ir.Type],
        result: ir.Type | None,
        write: Writer,
        *flags: str,
    ) -> str:
        """The symbol of the function `name`, which `write` writes when it is first wanted.

        `flags` are unit attributes of llvm.func, such as `no_inline`. All are convergent.
        """
        symbol = PREFIX + name
        if symbol not in self._names:
            self._names.add(symbol)
            function = self._declare(symbol, arguments, result, flags)
            write(Code(function.regions[0].blocks[0], self._unknown))
        return symbol

    def add_variable(self) -> None:
        """The variable that the host fills."""
        size = f"!llvm.array<{abi.BINDING_BYTES // 8} x i64>"
        text = (
            f"llvm.mlir.global external @{abi.SYMBOL}() {{addr_space = 1 : i32, "
            f"alignment = {abi.BINDING_ALIGNMENT} : i64, externally_initialized}} : {size} {{\n"
            f"  %0 = llvm.mlir.zero : {size}\n  llvm.return %0 : {size}\n}}"
        )
        module = ir.Module.parse(text, self._unknown.context)
        module.body.operations[0].operation.clone(ip=ir.InsertionPoint(self._block))

    def _declare(
        self,
        symbol: str,
        arguments: Sequence[ir.Type],
        result: ir.Type | None,
        flags: Sequence[str],
    ) -> ir.Operation:
        inputs = ", ".join(map(str, arguments))
        attributes = {
            "sym_name": ir.StringAttr.get(symbol),
            "function_type": ir.Attribute.parse(f"!llvm.func<{result or 'void'} ({inputs})>"),
            "linkage": ir.Attribute.parse(_INTERNAL),
            "CConv": ir.Attribute.parse("#llvm.cconv<ccc>"),
            "visibility_": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0),
            **{flag: ir.UnitAttr.get() for flag in ("convergent", *flags)},
        }
        function = ir.Operation.create(
            "llvm.func",
            attributes=attributes,
            regions=1,
            loc=self._unknown,
            ip=ir.InsertionPoint(self._block),
        )
        locations = [self._unknown] * len(arguments)
        ir.Block.create_at_start(function.regions[0], list(arguments), locations)
        return function


def call(
    code: Code, symbol: str, operands: Sequence[Value], result: ir.Type | None
) -> ir.Operation:
    """Calls a function of the library."""
    return code.operation(
        "llvm.call",
        operands,
        [] if result is None else [result],
        callee=ir.FlatSymbolRefAttr.get(symbol),
        operandSegmentSizes=ir.DenseI32ArrayAttr.get([len(operands), 0]),
        op_bundle_sizes=ir.DenseI32ArrayAttr.get([]),
    )
