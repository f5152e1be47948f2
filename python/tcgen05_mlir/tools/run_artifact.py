"""`tcgen05 run copy.cubin`: what `tcgen05 compile` wrote, on a GPU, without MLIR."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from tcgen05_mlir.file_kinds import file_kind, shown
from tcgen05_mlir.tools.errors import UsageError
from tcgen05_mlir.tools.output import STDIN
from tcgen05_mlir.tools.values import check_values

if TYPE_CHECKING:
    from tcgen05_mlir.runtime import Manifest


def is_artifact(file: str) -> bool:
    """Whether the file is PTX or a cubin; ValueError where it is one without its manifest."""
    kind = "MLIR" if file == STDIN else file_kind(file)
    if kind == "MLIR":
        return False
    name, what = shown(file), "PTX" if kind == "PTX" else "a cubin"
    if not os.path.exists(f"{file}.json"):
        raise ValueError(
            f"'{name}' is {what} without its manifest '{name}.json', which `tcgen05 compile -o` "
            "writes beside it"
        )
    return True


def manifest_of(file: str) -> tuple[str, ...]:
    """The second file that is read where the first is PTX or a cubin."""
    return () if file == STDIN or file_kind(file) == "MLIR" else (f"{file}.json",)


def run_artifact(
    arguments: argparse.Namespace, values: list[Any], sizes: dict[str, Any], only: list[str]
) -> Any:
    """The arguments as the kernel left them. `only`: options that were given and a GPU lacks."""
    from tcgen05_mlir import runtime

    artifact = runtime.Artifact.read(arguments.file)
    device = "emulate" if artifact.manifest.emulated else "native"
    if arguments.device not in ("auto", device):
        raise UsageError(
            f"argument --device: '{arguments.file}' is compiled for {device}, "
            f"got {arguments.device}"
        )
    for option in only:
        raise UsageError(f"argument --{option}: only the simulator has it, which runs MLIR")
    kernel = artifact.manifest.kernel(_kernel_name(arguments))
    check_values(kernel.name, kernel.types, values)
    ordinal = arguments.gpu or 0
    with runtime.load(artifact, device=ordinal) as module:
        if arguments.device == "auto":
            print(f"device: {device} ({_reason(artifact.manifest, ordinal)})", file=sys.stderr)
        return module.kernel(kernel.name).launch(*values, **sizes, smem=arguments.smem)


def _kernel_name(arguments: argparse.Namespace) -> str | None:
    """Raises UsageError for one in a module: the manifest does not have the module's name."""
    if "::" in (arguments.kernel or ""):
        raise UsageError(
            f"argument --kernel: '{shown(arguments.file)}' has the kernels of one gpu.module: "
            f"expected KERNEL, got '{arguments.kernel}'"
        )
    return arguments.kernel


def _reason(manifest: Manifest, ordinal: int) -> str:
    from tcgen05_mlir.runtime.devices import device

    kind = "PTX" if manifest.emit == "ptx" else "a cubin"
    gpu = device(ordinal)
    return f"{kind} for {manifest.chip}; GPU {ordinal}, {gpu.name}, {gpu.chip}"
