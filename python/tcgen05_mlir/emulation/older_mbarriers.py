"""mbarriers on chips whose mbarriers know neither transactions, scopes, counts nor waiting."""

from __future__ import annotations

from mlir import ir
from mlir.dialects import llvm

from tcgen05_mlir.emulation.functions import module_of
from tcgen05_mlir.emulation.names import PREFIX
from tcgen05_mlir.passes.device_code import symbol_name

WAIT = "nvvm.mbarrier.try_wait.parity"
"""The operation that blocks until a phase is over."""

_SHARED, _GENERIC = "!llvm.ptr<3>", "!llvm.ptr"
_SUFFIX = {_SHARED: "shared", _GENERIC: ""}
"""What names say of the addresses that they take; mbarriers of other blocks need a cluster."""

_WAIT = """
llvm.func internal @{symbol}(%mbarrier: {pointer}, %parity: i32) attributes {{convergent}} {{
  llvm.br ^test
^test:
  %done = nvvm.mbarrier.test.wait %mbarrier, %parity : {pointer}, i32 -> i1
  llvm.cond_br %done, ^out, ^test
^out:
  llvm.return
}}
"""


def arrive(op: ir.Operation) -> None:
    """`arrive` and `arrive_drop` of block scope, one at a time.

    A constant count of 5 is an arrival of 4 that cannot complete the phase, since the fifth is
    still to come, and one more; the state is that before both. A weaker order becomes the default.
    An mbarrier of another block, or a count that is not constant, stays. Source: PTX
    `mbarrier-arrive`.
    """
    count = 1 if len(op.operands) == 1 else _constant(op.operands[1])
    if str(op.operands[0].type) not in _SUFFIX or count is None or count < 1:
        return
    with ir.InsertionPoint(op), op.location:
        states = [_arrive_before_others(op, count - 1)] if count > 1 else []
        states.append(_arrive_once(op))
    for result in op.results:
        result.replace_all_uses_with(states[0])
    op.erase()


def test_wait(op: ir.Operation) -> None:
    """One look at a phase, by state or by parity; a `try_wait` does not block meanwhile."""
    if str(op.operands[0].type) not in _SUFFIX:
        return
    with ir.InsertionPoint(op), op.location:
        done = ir.Operation.create(
            "nvvm.mbarrier.test.wait",
            results=[op.result.type],
            operands=[op.operands[0], op.operands[1]],
        )
    op.result.replace_all_uses_with(done.result)
    op.erase()


def wait(op: ir.Operation) -> None:
    """A call of a function that looks until the phase is over.

    A function, because the operation may stand anywhere in a block, and a loop needs its own.
    """
    pointer, parity = op.operands[0], op.operands[1]
    symbol = _wait_function(op)
    ir.Operation.create(
        "llvm.call",
        operands=[pointer, parity],
        attributes={
            "callee": ir.FlatSymbolRefAttr.get(symbol),
            "always_inline": ir.UnitAttr.get(),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([2, 0]),
            "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        },
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    op.erase()


def wait_symbol(op: ir.Operation) -> str:
    """The name of the function that `wait` calls in place of `op`."""
    return "_".join(filter(None, (f"{PREFIX}wait", _SUFFIX[str(op.operands[0].type)])))


def _wait_function(op: ir.Operation) -> str:
    """The symbol of the function in the gpu.module of `op`, which is made where it is missing."""
    symbol, pointer = wait_symbol(op), str(op.operands[0].type)
    block = module_of(op).regions[0].blocks[0]
    functions = [one.operation for one in block.operations if one.operation.name == "llvm.func"]
    if symbol not in map(symbol_name, functions):
        made = ir.Module.parse(_WAIT.format(symbol=symbol, pointer=pointer), op.context)
        made.body.operations[0].operation.clone(ip=ir.InsertionPoint(block))
    return symbol


def _arrive_before_others(op: ir.Operation, count: int) -> ir.Value:
    i32, i64 = (ir.IntegerType.get_signless(width) for width in (32, 64))
    number = llvm.ConstantOp(i32, ir.IntegerAttr.get(i32, count)).result
    operands = [op.operands[0], number]
    return ir.Operation.create(f"{op.name}.nocomplete", results=[i64], operands=operands).result


def _arrive_once(op: ir.Operation) -> ir.Value:
    """Without a scope; for `arrive_drop` without one NVVM has no operation."""
    i64, pointer = ir.IntegerType.get_signless(64), op.operands[0]
    if op.name == "nvvm.mbarrier.arrive":
        return ir.Operation.create(op.name, results=[i64], operands=[pointer]).result
    words = ("llvm.nvvm.mbarrier.arrive.drop", _SUFFIX[str(pointer.type)])
    name = ".".join(filter(None, words))
    return llvm.CallIntrinsicOp(i64, name, [pointer], [], []).operation.result


def _constant(value: ir.Value) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "llvm.mlir.constant":
        return None
    return ir.IntegerAttr(owner.attributes["value"]).value
