"""`run`: a kernel's grid on the CPU."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from math import prod
from os import PathLike
from typing import Any

from mlir import ir

from tcgen05_mlir.compiler.signature import Signature, find_kernel
from tcgen05_mlir.compiler.source import carries_target, is_emulated, load
from tcgen05_mlir.passes import run_pipeline, tcgen05_to_ptx
from tcgen05_mlir.passes.device_code import functions, gpu_modules, operations, symbol_name
from tcgen05_mlir.passes.diagnostics import PassFailure
from tcgen05_mlir.passes.pipeline import PipelineError
from tcgen05_mlir.passes.tcgen05_state_alignments import StateAlignments
from tcgen05_mlir.runtime.geometry import launch_sizes, shared_bytes
from tcgen05_mlir.simulator.arguments import bind
from tcgen05_mlir.simulator.emulated import bind_emulation
from tcgen05_mlir.simulator.engine.grid import Kernel, Launch, Progress, run_grid
from tcgen05_mlir.simulator.engine.registers import Geometry
from tcgen05_mlir.simulator.machine import Checks, GlobalMemory
from tcgen05_mlir.simulator.options import check_options
from tcgen05_mlir.simulator.translate.kernel import Program, translate
from tcgen05_mlir.simulator.variables import place_variables

_CHIP = "sm_100a"
_LOWERED = ("llvm.", "nvvm.")


def run(
    source: ir.Module | str | bytes | PathLike[str],
    kernel: str | None = None,
    *arguments: Any,
    grid: int | tuple[int, ...] | None = None,
    block: int | tuple[int, ...] | None = None,
    cluster: int | tuple[int, ...] | None = None,
    smem: int | None = None,
    seed: int = 0,
    allow: Iterable[str] = (),
    progress: Progress | None = None,
) -> tuple[Any, ...]:
    """Run a kernel on the CPU and return its arguments as it left them, one per argument.

    As `tcgen05_mlir.run`, whose arguments these are, without those that choose a device.
    `seed` decides the order of warps and when copies complete. `allow`: ids of rules that may be
    broken. `progress` is called with the number of clusters that have ended, and of all.

    `run("copy_readback.mlir", "copy", a, np.zeros_like(a))[1]` equals `a`.

    Code that `tcgen05-emulate` has rewritten runs too, with the tensor memory that it expects.

    Raises tcgen05_mlir.simulator.SimulationError for what hardware would punish, with the rule;
    MLIRError for code that cannot be compiled or simulated; ValueError and TypeError for
    arguments. Nothing here has run on Blackwell hardware.
    """
    checks = Checks(check_options(seed, allow, progress))
    module = load(source)
    signature = find_kernel(module, kernel)
    sizes = launch_sizes(signature, grid, block, cluster)
    memory = GlobalMemory()
    bound = bind(signature, arguments, memory)
    lowered = _lower(module)
    holder, program = _translate(lowered, signature)
    shared = shared_bytes(signature.shared_bytes, smem)
    variables = place_variables(holder, program.globals, shared, memory)
    geometry = Geometry(*sizes, variables.layout.size, shared)
    code = Kernel(program.run, bound.values, variables.elsewhere, variables.shared)
    launch = Launch(code, geometry, variables.layout, memory, checks, seed or 0)
    emulation = bind_emulation(holder, variables, memory, prod(sizes[0]))
    with emulation.judged() if emulation else nullcontext():
        run_grid(launch, progress)
    return bound.results()


def _lower(module: ir.Module) -> ir.Module:
    """A copy of the module, its device code down to the llvm and nvvm dialects.

    Code that is there already only has those nvvm operations expanded that are inline assembly:
    upstream's conversion of gpu refuses some operations of the llvm dialect.
    """
    inner = [op for holder in gpu_modules(module.operation) for op in operations(holder)]
    if all(op.name.startswith(_LOWERED) for op in inner):
        return run_pipeline(module, "gpu.module(convert-nvvm-to-llvm)")
    chip, emulated = "" if carries_target(module) else _CHIP, is_emulated(module)
    front = tcgen05_to_ptx.front(tcgen05_to_ptx.ToPtxOptions(chip=chip, emulate=emulated))
    lower = tcgen05_to_ptx.lower(emulate=emulated, chip=chip)
    stages = (*([] if emulated else [StateAlignments()]), front, lower)
    return run_pipeline(module, ",".join(map(str, stages)))


def _translate(lowered: ir.Module, signature: Signature) -> tuple[ir.Operation, Program]:
    """The gpu.module of the kernel and the kernel's code."""
    modules = gpu_modules(lowered.operation)
    holder = next(found for found in modules if symbol_name(found) == signature.module)
    try:
        return holder, translate(functions(holder)[signature.name], holder)
    except PassFailure as failure:
        message = f"kernel '{signature.name}' cannot be simulated"
        raise PipelineError(message, list(failure.diagnostics)) from None
