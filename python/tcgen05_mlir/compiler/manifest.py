"""`compile_artifact`: kernels with the manifest that a host without MLIR launches them by."""

from __future__ import annotations

import hashlib
import importlib.metadata
from dataclasses import dataclass
from math import prod
from os import PathLike

from mlir import ir

import tcgen05_mlir
from tcgen05_mlir import cuda_tools
from tcgen05_mlir.compiler import ptx_text
from tcgen05_mlir.compiler.artifact import DeviceCode, compile_device
from tcgen05_mlir.compiler.emulated_code import emulation_sites, kernels_with_tensor_memory
from tcgen05_mlir.compiler.request import Request
from tcgen05_mlir.compiler.signature import Signature, kernels_of
from tcgen05_mlir.compiler.source import load
from tcgen05_mlir.passes.device_code import functions, gpu_modules, symbol_name
from tcgen05_mlir.passes.tcgen05_check_cta_group import reached
from tcgen05_mlir.passes.tcgen05_instructions import cta_groups
from tcgen05_mlir.runtime.artifact import Artifact
from tcgen05_mlir.runtime.manifest import EMITS, ArgumentInfo, KernelInfo, Manifest

_BINDINGS = "xtc-mlir-python-bindings"


def compile_artifact(
    source: ir.Module | str | bytes | PathLike[str],
    chip: str | None = "sm_100a",
    emit: str = "cubin",
    kernel: str | None = None,
    path: str = "nvvm",
    opt_level: int | None = 3,
    emulate: bool = False,
) -> Artifact:
    """Compile as `compile` does, to PTX or a cubin, with all that a host needs to launch it.

    The artifact holds every kernel of the gpu.module. `kernel` says which gpu.module that is, the
    other arguments are those of `compile`, `emit` is `ptx` or `cubin`. Where it says
    `gpu.func @copy(%A: memref<128x4xi32>)`, `artifact.manifest.kernel("copy").types` is
    `("memref<128x4xi32>",)`; `artifact.write("copy.cubin")` writes it with copy.cubin.json.

    Raises what `compile` raises.
    """
    if emit not in EMITS:
        raise ValueError(f"'emit' of an artifact must be one of {', '.join(EMITS)}, got {emit!r}")
    return make_artifact(load(source), Request(chip, emit, kernel, path, opt_level, emulate))


def make_artifact(module: ir.Module, request: Request) -> Artifact:
    """The same for a module that is parsed and a request that is checked."""
    request = request.for_module(module)
    device = compile_device(module, request)
    code, tools = device.ptx.encode(), _versions()
    if request.emit == "cubin":
        ptxas, target = cuda_tools.find_tool("ptxas"), device.target
        tools["ptxas"] = ptxas.version
        code = cuda_tools.assemble(device.ptx, target.chip, target.opt_level, ptxas)
    sites = emulation_sites(device.device_module)
    if sites is None and request.emulate:
        sites = ()  # Asked for, with nothing to do.
    manifest = Manifest(
        producer=f"tcgen05-mlir {tcgen05_mlir.__version__}",
        tools=tools,
        chip=device.target.chip,
        ptx_version=ptx_text.version(device.ptx),
        emit=request.emit,
        sha256=hashlib.sha256(code).hexdigest(),
        kernels=_kernels(module, device),
        emulated=sites is not None,
        emulation=sites,
    )
    return Artifact(code, manifest, f"{device.name}.{request.emit}")


def _versions() -> dict[str, str]:
    try:
        return {_BINDINGS: importlib.metadata.version(_BINDINGS)}
    except importlib.metadata.PackageNotFoundError:  # A build against MLIR from elsewhere.
        return {}


def _kernels(module: ir.Module, device: DeviceCode) -> tuple[KernelInfo, ...]:
    """From the source, which has the types as they were written, and the PTX."""
    holder = next(op for op in gpu_modules(module.operation) if symbol_name(op) == device.name)
    known = functions(holder)
    emulated = kernels_with_tensor_memory(device.device_module)
    return tuple(
        _kernel(
            signature,
            _Facts.read(op, known, signature.name in emulated),
            ptx_text.shared_memory(device.ptx, signature.name),
        )
        for signature, op in kernels_of(module, device.name).items()
    )


@dataclass(frozen=True)
class _Facts:
    """What a kernel's code says beside its signature."""

    needs_pair: bool
    max_threads: int | None
    tensor_memory: bool

    @staticmethod
    def read(op: ir.Operation, known: dict[str, ir.Operation], tensor_memory: bool) -> _Facts:
        pair = any(2 in cta_groups(inner) for inner in reached(op, known))
        limit = op.attributes.get("nvvm.maxntid", None)
        threads = None if limit is None else prod(ir.DenseI32ArrayAttr(limit))
        return _Facts(pair, threads, tensor_memory)


def _kernel(signature: Signature, facts: _Facts, shared: ptx_text.SharedMemory) -> KernelInfo:
    required = signature.required_block
    return KernelInfo(
        name=signature.name,
        arguments=tuple(map(ArgumentInfo, signature.types)),
        grid=signature.grid,
        block=signature.block,
        cluster=signature.cluster,
        required_block=required,
        required_cluster=signature.required_cluster,
        needs_pair=facts.needs_pair,
        tensor_memory=facts.tensor_memory,
        static_shared=shared.static,
        dynamic_shared=signature.shared_bytes or 0,
        dynamic_alignment=shared.dynamic_alignment,
        max_threads=prod(required) if required else facts.max_threads,
    )
