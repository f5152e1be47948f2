"""One case on a GPU, in this process: `python run_case.py CASE --artifacts DIR --device emulate`.

Prints `pass` with the seconds that the launch took, or what differs, and exits 0 or 1. Needs
numpy, the driver's bindings and the pure-Python part of the package. As a command it is what
compute-sanitizer runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from batches import HOME, Build
from cases import CASES, PATHS, Case
from cases.compare import difference
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.chips import runs


def artifact_of(
    folder: Path, case: Case, device: str, path: str, gpu: runtime.Device
) -> runtime.Artifact:
    """The case's artifact that this GPU runs; FileNotFoundError, with what there is, for none."""
    batch = HOME[case.kernel.name]
    path = path if path in batch.paths else batch.paths[0]
    found = sorted(folder.glob(Build(batch, "*", device, path).file.name))
    for file in found:
        if runs(file.name.partition("-")[0], "cubin", gpu.capability):
            return runtime.Artifact.read(file)
    there = ", ".join(file.name for file in found) or "none at all"
    raise FileNotFoundError(
        f"'{folder}' holds no artifact of kernel '{case.kernel.name}' ({device}, {path}) for "
        f"{gpu}; for other chips it holds {there}"
    )


def run_case(folder: Path, name: str, device: str, path: str, ordinal: int = 0) -> str | None:
    """What differs after a launch; None where every element is as it must be."""
    case, gpu = CASES[name], runtime.devices()[ordinal]
    given, wanted = case.make()
    with runtime.load(artifact_of(folder, case, device, path, gpu), ordinal) as module:
        return difference(module.kernel(case.kernel.name).launch(*given, **case.sizes), wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("case", choices=CASES, metavar="CASE")
    parser.add_argument("--artifacts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--device", choices=("native", "emulate"), default="emulate")
    parser.add_argument("--path", choices=PATHS, default=PATHS[0])
    options = parser.parse_args()
    start = time.perf_counter()
    words = run_case(options.artifacts, options.case, options.device, options.path)
    print(words or f"pass {time.perf_counter() - start:.3f}")
    return 1 if words else 0


if __name__ == "__main__":
    sys.exit(main())
