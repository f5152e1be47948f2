"""`tcgen05 run copy.cubin`: what `tcgen05 compile` wrote, on a GPU, without MLIR."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from tcgen05_mlir.tools.errors import UsageError

if TYPE_CHECKING:
    from tcgen05_mlir.runtime import Manifest


def is_artifact(file: str) -> bool:
    """A manifest lies beside the file."""
    return os.path.exists(f"{file}.json")


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
    ordinal = arguments.gpu or 0
    with runtime.load(artifact, device=ordinal) as module:
        if arguments.device == "auto":
            print(f"device: {device} ({_reason(artifact.manifest, ordinal)})", file=sys.stderr)
        name = (arguments.kernel or "").rpartition("::")[2] or None
        return module.kernel(name).launch(*values, **sizes, smem=arguments.smem)


def _reason(manifest: Manifest, ordinal: int) -> str:
    from tcgen05_mlir.runtime.devices import device

    kind = "PTX" if manifest.emit == "ptx" else "a cubin"
    gpu = device(ordinal)
    return f"{kind} for {manifest.chip}; GPU {ordinal}, {gpu.name}, {gpu.chip}"
