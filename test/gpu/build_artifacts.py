"""Compiles the tables to cubins or PTX with manifests, for a machine that has a GPU and no MLIR.

    python test/gpu/build_artifacts.py --out DIR [--chips sm_90a ...] [--emulate | --native]
        [--cases 'cp-*' ...] [--emit ptx] [--jobs 2]

One file per batch, chip and way of lowering; `pytest test/gpu --artifacts DIR` runs them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatch
from multiprocessing import get_context
from pathlib import Path

from batches import EMITS, Build, builds
from cases import CASES, REFUSALS
from tcgen05_mlir.compiler.manifest import compile_artifact
from tcgen05_mlir.model.targets import TCGEN05_CHIPS
from tcgen05_mlir.runtime import Device


def build(
    folder: Path,
    chips: Iterable[str],
    devices: Iterable[str],
    cases: Iterable[str] = ("*",),
    jobs: int = 2,
    emit: str = "cubin",
) -> list[Path]:
    """Compile what the cases that match need; the files written. `devices`: native, emulate."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {
        case.kernel.name
        for case in (*CASES.values(), *REFUSALS.values())
        if any(fnmatch(case.name, pattern) for pattern in cases)
    }
    work = [
        (folder, one)
        for chip in chips
        for device in devices
        for one in builds(chip, device, emit=emit)
        if any(kernel.name in wanted for kernel in one.batch.kernels)
    ]
    # Processes of their own: LLVM ends the process where it finds a fault.
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return list(pool.map(_write, work))


def native_chip(device: Device) -> str:
    """The chip whose code a GPU with tcgen05 runs natively: `sm_100a` on an sm_100."""
    return f"{device.chip}a"


def _write(work: tuple[Path, Build]) -> Path:
    folder, one = work
    artifact = compile_artifact(
        one.batch.text,
        chip=one.chip,
        emit=one.emit,
        path=one.path,
        emulate=one.device == "emulate",
    )
    artifact.write(folder / one.file)
    return folder / one.file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--chips", nargs="+", default=["sm_90a"], metavar="CHIP")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--emulate", action="store_true", help="code for GPUs without tcgen05")
    kinds.add_argument("--native", action="store_true", help="default for chips with tcgen05")
    parser.add_argument(
        "--cases", nargs="+", default=["*"], metavar="PATTERN", help="such as 'cp-*'"
    )
    parser.add_argument(
        "--emit", choices=EMITS, default=EMITS[0], help="PTX also runs on GPUs newer than CHIP"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    written: list[Path] = []
    for chip in options.chips:
        native = options.native or (chip in TCGEN05_CHIPS and not options.emulate)
        device = "native" if native else "emulate"
        written += build(options.out, [chip], [device], options.cases, options.jobs, options.emit)
    size = sum(path.stat().st_size for path in written)
    print(f"{len(written)} artifacts, {size / 2**20:.1f} MiB, in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
