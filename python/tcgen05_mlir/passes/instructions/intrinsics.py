"""The LLVM intrinsics that an operation is translated to, found by translating it."""

from __future__ import annotations

import re

from mlir import ir
from mlir.dialects import llvm

from tcgen05_mlir.passes.texts import attributes_of

_CALLS = {"llvm.call_intrinsic": "intrin", "llvm.call": "callee"}
"""Operations that name an intrinsic in an attribute."""

ASSEMBLED = {
    "nvvm.barrier.arrive": "bar.arrive",
    "nvvm.fence.proxy.acquire": "fence.proxy.tensormap",
    "nvvm.inline_ptx": "",
    "nvvm.mbarrier.try_wait.parity": "mbarrier.try_wait",
    "nvvm.wgmma.mma_async": "wgmma.mma_async",
}
"""NVVM operations that upstream does not translate, as PTX spells them: they become assembly.

The translation of nvvm.fence.proxy.acquire ends the process where its size is no constant.
"""

_PREFIX = "llvm.nvvm."
_DECLARED = re.compile(r"^declare .*@(llvm\.nvvm\.[\w.]+)\(", re.MULTILINE)


class Intrinsics:
    """The intrinsics behind NVVM operations, each kind of operation translated once.

    `nvvm.redux.sync fmin` is `llvm.nvvm.redux.sync.fmin`, and no intrinsic with the kind `add` of
    an older chip: names, attributes and types decide, so upstream's own translation is asked.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, ...]] = {}

    def of(self, op: ir.Operation) -> tuple[str, ...]:
        """The names that begin with `llvm.nvvm.`, without those of other operations."""
        if op.name in _CALLS:
            name = str(op.attributes.get(_CALLS[op.name], "")).strip('"@')
            return (name,) if name.startswith(_PREFIX) else ()
        if not op.name.startswith("nvvm.") or op.name in ASSEMBLED:
            return ()
        attributes = {name: str(value) for name, value in attributes_of(op).items()}
        key = f"{op.name}{attributes}{_types(op.operands)}{_types(op.results)}{_constants(op)}"
        if key not in self._known:
            self._known[key] = _translated(op)
        return self._known[key]


def _types(values: ir.OpOperandList | ir.OpResultList) -> str:
    return str([str(value.type) for value in values])


def _constants(op: ir.Operation) -> str:
    # Not the operation's text: printing one numbers the values of its whole function.
    constants = [_is_constant(value) and value.owner.attributes["value"] for value in op.operands]
    return str(list(map(str, constants)))


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == "llvm.mlir.constant"


def _translated(op: ir.Operation) -> tuple[str, ...]:
    """Of a module that holds this one operation, with its constants."""
    module = ir.Module.create(op.location)
    with ir.InsertionPoint(module.body), op.location:
        function = _function([value.type for value in op.operands])
    entry = function.regions[0].blocks[0]
    with ir.InsertionPoint(entry), op.location:
        operands = [
            value.owner.clone().result if _is_constant(value) else argument
            for value, argument in zip(op.operands, entry.arguments, strict=True)
        ]
        ir.Operation.create(
            op.name,
            results=[result.type for result in op.results],
            operands=operands,
            attributes=attributes_of(op),
        )
        ir.Operation.create("llvm.return")
    translate = llvm.translate_module_to_llvmir  # pyright: ignore[reportAttributeAccessIssue]
    return tuple(_DECLARED.findall(translate(module.operation)))


def _function(types: list[ir.Type]) -> ir.Operation:
    inputs = ", ".join(map(str, types))
    function = ir.Operation.create(
        "llvm.func",
        attributes={
            "sym_name": ir.StringAttr.get("f"),
            "function_type": ir.Attribute.parse(f"!llvm.func<void ({inputs})>"),
            "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
            "CConv": ir.Attribute.parse("#llvm.cconv<ccc>"),
            "visibility_": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0),
        },
        regions=1,
    )
    locations = [function.location] * len(types)
    ir.Block.create_at_start(function.regions[0], types, locations)
    return function
