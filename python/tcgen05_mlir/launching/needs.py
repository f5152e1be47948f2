"""What a kernel needs of a GPU beyond tensor memory."""

from __future__ import annotations

from math import prod

from mlir import ir

from tcgen05_mlir.compiler.signature import Signature
from tcgen05_mlir.passes.device_code import gpu_modules, operations, symbol_name
from tcgen05_mlir.passes.tcgen05_instructions import cta_groups

_CLUSTER_OPS = ("nvvm.cluster.", "nvvm.mapa", "nvvm.read.ptx.sreg.cluster", "gpu.cluster_")


def needs_clusters(
    module: ir.Module, signature: Signature, cluster: int | tuple[int, ...] | None = None
) -> bool:
    """Whether a launch has clusters of several blocks, or the code asks for the block's cluster.

    `cluster`: the caller's. All of the kernel's gpu.module counts, since it is compiled as one.
    """
    sizes = (cluster,) if isinstance(cluster, int) else cluster or signature.cluster or ()
    if prod(sizes) > 1:
        return True
    holders = gpu_modules(module.operation)
    holder = next(found for found in holders if symbol_name(found) == signature.module)
    return any(_is_of_cluster(op) for op in operations(holder))


def _is_of_cluster(op: ir.Operation) -> bool:
    return op.name.startswith(_CLUSTER_OPS) or 2 in cta_groups(op)
