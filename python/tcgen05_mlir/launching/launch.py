"""`run`: a kernel on the best device there is, or the one that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any

from mlir import ir

from tcgen05_mlir import runtime
from tcgen05_mlir.compiler.signature import find_kernel
from tcgen05_mlir.compiler.source import load
from tcgen05_mlir.launching.choose import Choice, choose
from tcgen05_mlir.launching.needs import needs_clusters

Sizes = int | tuple[int, ...] | None


def choose_for(
    module: ir.Module,
    kernel: str | None = None,
    *,
    device: str = "auto",
    gpu: int | None = None,
    cluster: Sizes = None,
    simulator_options: Iterable[str] = (),
) -> Choice:
    """The device for a kernel of a module, launched in clusters of this size: see `choose`."""
    signature = find_kernel(module, kernel)
    clusters = needs_clusters(module, signature, cluster)
    return choose(device, gpu=gpu, clusters=clusters, simulator_options=simulator_options)


def run(
    source: ir.Module | str | bytes | PathLike[str],
    kernel: str | None = None,
    *arguments: Any,
    grid: Sizes = None,
    block: Sizes = None,
    cluster: Sizes = None,
    smem: int | None = None,
    device: str | Choice = "auto",
    gpu: int | None = None,
    seed: int | None = None,
    allow: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Any, ...]:
    """Run a kernel and return its arguments as it left them, one per argument.

    `source`: as for `compile`. `kernel`: its name, as `KERNEL`, or `MODULE::KERNEL` where several
    have one of that name; None where there is only one. `arguments`: an array for each memref or
    pointer, a number for each scalar; they stay as they were. `grid`, `block`, `cluster`: blocks,
    threads, blocks, as x or (x, y, z); what is left out comes from the kernel (`nvvm.reqntid`,
    `nvvm.cluster_dim`) or from the gpu.launch_func of the host code; a grid that nobody states is
    one cluster. `smem`: bytes of dynamic shared memory.

    `device`: `native`, a GPU with tcgen05; `emulate`, a GPU of sm_80 or later; `simulator`, the
    CPU; `auto`, the first of them that there is; or what `tcgen05_mlir.launching.choose` made.
    `gpu`: its number, as the CUDA driver counts.
    Of the simulator alone: `seed` decides the order of warps and when copies complete; `allow`:
    ids of rules that may be broken; `progress` is called with the number of clusters that have
    ended, and of all. With one of these `auto` is the simulator.

    `run("copy_readback.mlir", "copy", a, np.zeros_like(a))[1]` equals `a` on each device.

    Raises ValueError and TypeError for arguments, MLIRError for code that cannot be compiled, and
    for what goes wrong in the kernel tcgen05_mlir.simulator.SimulationError, with the rule,
    tcgen05_mlir.runtime.EmulationError or tcgen05_mlir.runtime.CudaError;
    tcgen05_mlir.runtime.DriverMissing where a GPU was asked for and there is none.
    Nothing here has run on Blackwell hardware.
    """
    allow = _checked_options(seed, allow, progress)
    given = {"seed": seed is not None, "allow": bool(allow), "progress": progress is not None}
    used = [name for name, is_used in given.items() if is_used]
    module = load(source)
    if isinstance(device, Choice):
        _check_choice(device, gpu, used)
    else:
        _check_device(device)
        device = choose_for(
            module, kernel, device=device, gpu=gpu, cluster=cluster, simulator_options=used
        )
    signature = find_kernel(module, kernel)
    name = f"{signature.module}::{signature.name}"
    sizes: dict[str, Any] = {"grid": grid, "block": block, "cluster": cluster, "smem": smem}
    if device.gpu is not None:
        return _on_gpu(module, name, arguments, sizes, device)
    from tcgen05_mlir import simulator

    return simulator.run(
        module, name, *arguments, **sizes, seed=seed or 0, allow=allow, progress=progress
    )


def _checked_options(seed: Any, allow: Any, progress: Any) -> tuple[str, ...]:
    """The ids in `allow`; the simulator, which takes a while, is imported for what is given."""
    if seed is None and progress is None and isinstance(allow, tuple) and not allow:
        return ()
    from tcgen05_mlir.simulator.options import check_options

    return check_options(seed, allow, progress)


def _check_device(device: object) -> None:
    if not isinstance(device, str):
        raise TypeError(
            f"'device' must be a str or a Choice, got {type(device).__name__} {device!r}"
        )


def _check_choice(choice: Choice, gpu: int | None, used: list[str]) -> None:
    """ValueError for what a choice that is made already leaves no room for."""
    if gpu is not None:
        raise ValueError(f"'gpu' chooses a device, and 'device' is a Choice already: {choice}")
    if choice.gpu is not None and used:
        options = " and ".join(f"'{name}'" for name in used)
        raise ValueError(f"only the simulator has {options}, got device '{choice.device}'")


def _on_gpu(
    module: ir.Module, kernel: str, arguments: tuple[Any, ...], sizes: dict[str, Any], on: Choice
) -> tuple[Any, ...]:
    """As PTX, which the driver assembles: no other CUDA tool is needed."""
    from tcgen05_mlir.compiler.manifest import compile_artifact

    emulate = on.device == "emulate"
    artifact = compile_artifact(module, chip=on.chip, emit="ptx", kernel=kernel, emulate=emulate)
    assert on.gpu is not None
    with runtime.load(artifact, device=on.gpu.ordinal) as loaded:
        return loaded.kernel(kernel.rpartition("::")[2]).launch(*arguments, **sizes)
