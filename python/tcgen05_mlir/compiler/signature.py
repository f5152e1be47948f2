"""What a kernel takes: its arguments' types, and the sizes that it or its host code states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mlir import ir

from tcgen05_mlir.passes.device_code import (
    functions,
    gpu_modules,
    is_kernel,
    operations,
    symbol_name,
)
from tcgen05_mlir.runtime.geometry import Triple


@dataclass(frozen=True)
class Signature:
    """A kernel of a module as it was written.

    `types`: of its arguments, as text; memrefs where the source has them. `module`: the name of its
    gpu.module. The sizes are those that the kernel states, else those of the one gpu.launch_func
    that launches it with constants, else None.
    """

    name: str
    module: str
    types: tuple[str, ...]
    grid: Triple | None = None
    block: Triple | None = None
    cluster: Triple | None = None
    required_block: Triple | None = None
    required_cluster: Triple | None = None
    shared_bytes: int | None = None


def find_kernel(module: ir.Module, name: str | None) -> Signature:
    """The kernel `KERNEL` or `MODULE::KERNEL`, or the only one; ValueError for none or several.

    TypeError for a name that is no text: the kernel comes before its arguments.
    """
    if not isinstance(name, str | None):
        raise TypeError(
            f"'kernel' must be a str or None, got {type(name).__name__}: the kernel comes before "
            "its arguments"
        )
    kernels = list(_kernels(module))
    if name is not None:
        inside, _, own = name.rpartition("::")
        kernels = [
            (holder, op)
            for holder, op in kernels
            if symbol_name(op) == own and inside in ("", symbol_name(holder))
        ]
    if len(kernels) == 1:
        return _signature(module, *kernels[0])
    known = [f"'{symbol_name(op)}' in gpu.module @{symbol_name(h)}" for h, op in _kernels(module)]
    there = f"the kernels are {', '.join(known)}" if known else "there is no kernel"
    if name is None and len(kernels) > 1:
        raise ValueError(f"'kernel' must say which kernel is wanted; {there}")
    what = "is there more than once: say MODULE::KERNEL" if kernels else "is not there"
    raise ValueError(f"kernel '{name}' {what}; {there}" if name is not None else there)


def kernels_of(module: ir.Module, holder: str) -> dict[Signature, ir.Operation]:
    """The kernels of the gpu.module of this name, in source order."""
    found = [pair for pair in _kernels(module) if symbol_name(pair[0]) == holder]
    return {_signature(module, *pair): pair[1] for pair in found}


def _kernels(module: ir.Module) -> Iterator[tuple[ir.Operation, ir.Operation]]:
    for holder in gpu_modules(module.operation):
        for op in functions(holder).values():
            if is_kernel(op):
                yield holder, op


def _signature(module: ir.Module, holder: ir.Operation, op: ir.Operation) -> Signature:
    block = _triple(op, "nvvm.reqntid", "gpu.known_block_size", "known_block_size")
    cluster = _triple(op, "nvvm.cluster_dim", "gpu.known_cluster_size", "known_cluster_size")
    launch = _launch(module, symbol_name(holder), symbol_name(op))
    entry = next(iter(op.regions[0]))
    return Signature(
        symbol_name(op),
        symbol_name(holder),
        tuple(str(argument.type) for argument in list(entry.arguments)[: _count(op)]),
        grid=launch.grid or _triple(op, "gpu.known_grid_size", "known_grid_size"),
        block=block or launch.block,
        cluster=cluster or launch.cluster,
        required_block=block,
        required_cluster=cluster,
        shared_bytes=launch.shared_bytes,
    )


def _count(op: ir.Operation) -> int:
    """Arguments without gpu.func's workgroup and private attributions, which come behind."""
    type_ = ir.TypeAttr(op.attributes["function_type"]).value
    if isinstance(type_, ir.FunctionType):
        return len(ir.FunctionType(type_).inputs)
    return len(next(iter(op.regions[0])).arguments)


def _triple(op: ir.Operation, *names: str) -> Triple | None:
    for name in names:
        if name in op.attributes:
            sizes = [*ir.DenseI32ArrayAttr(op.attributes[name]), 1, 1][:3]
            return (sizes[0], sizes[1], sizes[2])
    return None


@dataclass
class _Launch:
    """The sizes that all launches of a kernel agree on."""

    grid: Triple | None = None
    block: Triple | None = None
    cluster: Triple | None = None
    shared_bytes: int | None = None


def _launch(module: ir.Module, holder: str, kernel: str) -> _Launch:
    found = [
        op
        for op in operations(module.operation)
        if op.name == "gpu.launch_func" and str(op.attributes["kernel"]) == f"@{holder}::@{kernel}"
    ]
    sizes = [_sizes(op) for op in found]
    if not sizes or any(size != sizes[0] for size in sizes):
        return _Launch()
    return sizes[0]


def _sizes(op: ir.Operation) -> _Launch:
    """The operands of a gpu.launch_func that are constants."""
    segments = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    groups, at = [], 0
    for size in segments:
        groups.append([_constant(value) for value in list(op.operands)[at : at + size]])
        at += size
    # asyncDependencies, grid x, y, z, block x, y, z, cluster x, y, z, dynamic shared memory, ...
    grid, block, cluster = (_known(groups[first : first + 3]) for first in (1, 4, 7))
    shared = groups[10][0] if groups[10] else 0
    return _Launch(grid, block, cluster, shared)


def _known(groups: list[list[int | None]]) -> Triple | None:
    numbers = [number for group in groups for number in group]
    x, y, z = numbers if len(numbers) == 3 else (None, None, None)
    if x is None or y is None or z is None:
        return None
    return (x, y, z)


def _constant(value: ir.Value) -> int | None:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name not in ("arith.constant", "llvm.mlir.constant"):
        return None
    attribute = owner.attributes["value"]
    return ir.IntegerAttr(attribute).value if isinstance(attribute, ir.IntegerAttr) else None
