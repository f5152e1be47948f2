"""From a kernel to PTX, a cubin or SASS: `compile`."""

from __future__ import annotations

from os import PathLike

from mlir import ir

from tcgen05_mlir.compiler.artifact import write_artifact
from tcgen05_mlir.compiler.request import EMITS, Request
from tcgen05_mlir.compiler.source import carries_target, load

__all__ = ["EMITS", "carries_target", "compile", "load"]


def compile(
    source: ir.Module | str | bytes | PathLike[str],
    chip: str | None = "sm_100a",
    emit: str = "ptx",
    kernel: str | None = None,
    path: str = "nvvm",
    opt_level: int | None = 3,
    emulate: bool = False,
) -> str | bytes:
    """Compile the device code of a module and return it in one of five forms.

    `source`: a module, which is not changed; MLIR text or bytecode; or a file's path (a str with
    neither a newline nor a brace is one). `chip`: a chip of `tcgen05_mlir.model.targets`, for every
    gpu.module; None keeps the targets that the source carries. The PTX version is the first that
    knows the chip and has the instructions, unless a target that is kept states another.
    `opt_level`: 0 to 3, for LLVM and ptxas; None keeps the target's. `path`: copies go through
    `nvvm.tcgen05.cp` (`nvvm`) or inline assembly (`inline-asm`). `kernel`: which gpu.module is
    wanted, by a kernel in it, as `KERNEL`, or `MODULE::KERNEL` where several have one of that name;
    needed where there are several. `emulate`: tcgen05 becomes code for `chip`, which is sm_80 or
    later and may have none; kernels with clusters need sm_90 or later. What `mlir` with `emulate`
    returned is a source too, and stays emulated. `emit`:

    - `mlir`: the whole module after this project's passes, before upstream's, as text;
    - `llvm`: the gpu.module's LLVM IR as MLIR translates it, before LLVM optimizes, as text;
    - `ptx`: what LLVM's backend writes; no CUDA tool is needed;
    - `cubin`: bytes, by ptxas from that PTX;
    - `sass`: the cubin's code by nvdisasm, as text.

    `compile("copy.mlir", chip="sm_103a")` is PTX that says `.target sm_103a`.

    Raises ValueError for an argument that is none of its legal values ([T1] for a chip) and for a
    kernel that is not there, TypeError for one of another kind, OSError for a file that cannot be
    read, mlir.ir.MLIRError with all diagnostics for code that does not parse, verify or lower (the
    rules' ids included), tcgen05_mlir.cuda_tools.ToolError for a CUDA tool that is missing or
    fails.

    What is known to make LLVM end the process is refused first, by the T rules. LLVM 22.1.8 has
    more assertions and fatal errors than are known: a source that reaches one ends the process, so
    compile sources that nobody has looked at in a process of their own.
    """
    request = Request(chip, emit, kernel, path, opt_level, emulate)
    return write_artifact(load(source), request)
