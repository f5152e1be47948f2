"""One gpu.module in the form that was asked for."""

from __future__ import annotations

from typing import NamedTuple

from mlir import ir
from mlir.dialects import gpu, llvm

from tcgen05_mlir import cuda_tools
from tcgen05_mlir.compiler.request import Request
from tcgen05_mlir.passes import run_pipeline, tcgen05_to_ptx
from tcgen05_mlir.passes.device_code import gpu_modules, kernel_names, symbol_name
from tcgen05_mlir.passes.nvvm_target import NvvmTarget


class DeviceCode(NamedTuple):
    """One gpu.module, compiled. `name`: its name; `lowered`: the module of which it is a part, in
    the llvm dialect; `target`, `ptx`: of that part."""

    name: str
    lowered: ir.Module
    target: NvvmTarget
    ptx: str

    @property
    def device_module(self) -> ir.Operation:
        """The gpu.module, in the llvm dialect."""
        return _named(self.lowered, "gpu.module", self.name)


def compile_device(module: ir.Module, request: Request) -> DeviceCode:
    """The PTX of the gpu.module that is wanted, whatever form is; the module stays as it is."""
    name, lowered = _lower(module, request)
    target, ptx = _only_object(run_pipeline(lowered, tcgen05_to_ptx.emit()), name)
    return DeviceCode(name, lowered, target, ptx)


def write_artifact(module: ir.Module, request: Request) -> str | bytes:
    """What `compile` returns for a parsed module; the module itself stays as it is."""
    request = request.for_module(module)
    if request.emit == "mlir":
        _check_kernel(module, request.kernel)
        return str(run_pipeline(module, tcgen05_to_ptx.front(request.options)))
    if request.emit == "llvm":
        name, lowered = _lower(module, request)
        device = _named(lowered, "gpu.module", name)
        return llvm.translate_module_to_llvmir(device)  # pyright: ignore[reportAttributeAccessIssue]
    code = compile_device(module, request)
    if request.emit == "ptx":
        return code.ptx
    cubin = cuda_tools.assemble(code.ptx, code.target.chip, code.target.opt_level)
    return cubin if request.emit == "cubin" else cuda_tools.disassemble(cubin)


def _lower(module: ir.Module, request: Request) -> tuple[str, ir.Module]:
    """The name of the gpu.module that is wanted, and all of them in the llvm dialect."""
    name = _module_name(module, request.kernel)
    front = tcgen05_to_ptx.front(request.options)
    options = request.options
    lower = tcgen05_to_ptx.lower(emulate=options.emulate, chip=options.chip, ptx=options.ptx)
    return name, run_pipeline(module, f"{front},{lower}")


def _module_name(module: ir.Module, kernel: str | None) -> str:
    """The gpu.module that holds `kernel`, or the only one; ValueError where that is none."""
    _check_kernel(module, kernel)
    modules = gpu_modules(module.operation)
    if kernel is not None:
        modules = _holders(module, kernel)
    if not modules:
        raise ValueError("there is no gpu.module, so there is nothing to compile")
    if len(modules) > 1:
        what = "MODULE::KERNEL" if kernel is not None else "KERNEL or MODULE::KERNEL"
        raise ValueError(
            f"'kernel' must say, as {what}, which gpu.module is wanted where there are several; "
            f"{_kernels_there_are(module)}"
        )
    return symbol_name(modules[0])


def _check_kernel(module: ir.Module, kernel: str | None) -> None:
    if kernel is not None and not _holders(module, kernel):
        raise ValueError(f"kernel '{kernel}' is not there; {_kernels_there_are(module)}")


def _holders(module: ir.Module, kernel: str) -> list[ir.Operation]:
    """The gpu.modules with that kernel: one where it is written MODULE::KERNEL."""
    holder, _, name = kernel.rpartition("::")
    return [
        found
        for found in gpu_modules(module.operation)
        if name in kernel_names(found) and holder in ("", symbol_name(found))
    ]


def _kernels_there_are(module: ir.Module) -> str:
    known = [
        f"'{name}' in gpu.module @{symbol_name(found)}"
        for found in gpu_modules(module.operation)
        for name in kernel_names(found)
    ]
    return f"the kernels are {', '.join(known)}" if known else "there is no kernel"


def _named(module: ir.Module, kind: str, name: str) -> ir.Operation:
    """The operation that this name had in the source, whatever it has become since."""
    operations = (op.operation for op in module.body.operations)
    found = [op for op in operations if op.name == kind and symbol_name(op) == name]
    assert len(found) == 1, f"{kind} @{name} is gone"
    return found[0]


def _only_object(module: ir.Module, name: str) -> tuple[NvvmTarget, str]:
    """The target and the PTX of a gpu.binary that was made for one target."""
    objects = ir.ArrayAttr(_named(module, "gpu.binary", name).attributes["objects"])
    compiled = [
        gpu.ObjectAttr(attribute)  # pyright: ignore[reportAttributeAccessIssue]
        for attribute in objects
    ]
    chips = [NvvmTarget.read(one.target) for one in compiled]
    if len(compiled) != 1:
        names = ", ".join(target.chip for target in chips)
        raise ValueError(f"gpu.module @{name} is for several chips, {names}: 'chip' must say which")
    return chips[0], compiled[0].object.decode()
