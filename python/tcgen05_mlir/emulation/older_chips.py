"""What sm_80 to sm_89 lack of the protocol around a copy, in their own instructions.

Without clusters, a block is the only one of its cluster, so that cluster scope is block scope. Once
tcgen05 is emulated nothing runs in the async proxy, so that a fence between proxies has only to
order ordinary accesses. An mbarrier is there, without transaction counts, and is asked in a loop.
What needs a cluster or the async proxy itself (rule T11) is not rewritten here.
"""

from __future__ import annotations

from collections.abc import Callable

from mlir import ir

from tcgen05_mlir.emulation.functions import require_own_function
from tcgen05_mlir.emulation.names import taken_names
from tcgen05_mlir.emulation.older_elect import elect
from tcgen05_mlir.emulation.older_fences import block_scope, fence_block, fence_proxy
from tcgen05_mlir.emulation.older_mbarriers import WAIT, arrive, test_wait, wait, wait_symbol
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.diagnostics import Diagnostic, PassFailure

_REWRITES: dict[str, Callable[[ir.Operation], None]] = {
    "nvvm.elect.sync": elect,
    "nvvm.fence.mbarrier.init": fence_block,
    "nvvm.fence.proxy": fence_proxy,
    "nvvm.fence.proxy.acquire": fence_proxy,
    "nvvm.fence.proxy.release": fence_proxy,
    "nvvm.fence.proxy.sync_restrict": fence_block,
    "nvvm.fence.sc.cluster": fence_block,
    "nvvm.fence.sync_restrict": fence_block,
    "nvvm.memory.barrier": block_scope,
    "nvvm.mbarrier.arrive": arrive,
    "nvvm.mbarrier.arrive_drop": arrive,
    "nvvm.mbarrier.test.wait": test_wait,
    "nvvm.mbarrier.try_wait": test_wait,
    WAIT: wait,
}
"""What is rewritten, in place, and by what; `rewrite` adds atomics and fences of LLVM."""


def judge(gpu_module: ir.Operation) -> list[Diagnostic]:
    """What is in the way of the functions that `rewrite` adds (rule E1); nothing is changed."""
    waiting = [op for op in operations(gpu_module) if op.name == WAIT]
    problems = taken_names(gpu_module, {wait_symbol(op) for op in waiting})
    for op in waiting:
        try:
            require_own_function(op, gpu_module)
        except PassFailure as failure:
            problems += failure.diagnostics
    return problems


def rewrite(gpu_module: ir.Operation) -> None:
    """Puts instructions of sm_80 in the place of what only sm_90 has, in the llvm dialect.

    `nvvm.elect.sync` becomes the lowest lane of a ballot, for example. What cannot be rewritten
    stays as it is. Source: PTX `elect-sync`, `membar-fence`, `mbarrier-test-wait-try-wait`.
    """
    for op in list(operations(gpu_module)):
        handler = _REWRITES.get(op.name)
        if handler is not None:
            handler(op)
        elif op.name.startswith("llvm."):
            block_scope(op)


def is_rewritten(op: ir.Operation) -> bool:
    """`rewrite` has something for it: not for another block's mbarrier, nor for its counts."""
    if any(str(value.type) == "!llvm.ptr<7>" for value in op.operands):
        return False
    return op.name in _REWRITES or "syncscope" in op.attributes
