"""One case on a GPU, in this process: `python run_case.py CASE --artifacts DIR --device emulate`.

CASE is of the table of cases, or of that of refusals, which are always emulated. Prints `pass`
with the seconds that it took, or what differs, and exits 0 or 1. Needs numpy, the driver's bindings
and the pure-Python part of the package. As a command it is what compute-sanitizer runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from batches import EMITS, HOME, Build
from cases import CASES, PATHS, REFUSALS, Case, Refusal
from cases.compare import difference
from run_refusal import run_refusal
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.chips import runs


def artifact_of(
    folder: Path,
    case: Case | Refusal,
    device: str,
    path: str,
    gpu: runtime.Device,
    chip: str = "*",
) -> runtime.Artifact:
    """The case's artifact that this GPU runs: a cubin, where there is one, else PTX.

    `chip`: of the artifact. Raises FileNotFoundError, with what there is, for none.
    """
    batch = HOME[case.kernel.name]
    path = path if path in batch.paths else batch.paths[0]
    found = []
    for emit in EMITS:
        files = sorted(folder.glob(Build(batch, chip, device, path, emit).file.name))
        for file in files:
            if runs(file.name.partition("-")[0], emit, gpu.capability):
                return runtime.Artifact.read(file)
        found += files
    there = ", ".join(file.name for file in found) or "none at all"
    raise FileNotFoundError(
        f"'{folder}' holds no artifact of kernel '{case.kernel.name}' ({device}, {path}) for "
        f"{gpu}; for other chips it holds {there}"
    )


def run_case(folder: Path, name: str, device: str, path: str, chip: str = "*") -> str | None:
    """What differs after a launch; None where every element is as it must be."""
    gpu = runtime.devices()[0]
    if name in REFUSALS:
        refusal = REFUSALS[name]
        artifact = artifact_of(folder, refusal, "emulate", path, gpu, chip)
        return run_refusal(artifact, refusal)
    case = CASES[name]
    given, wanted = case.make()
    with runtime.load(artifact_of(folder, case, device, path, gpu, chip)) as module:
        return difference(module.kernel(case.kernel.name).launch(*given, **case.sizes), wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("case", choices=[*CASES, *REFUSALS], metavar="CASE")
    parser.add_argument("--artifacts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--device", choices=("native", "emulate"), default="emulate")
    parser.add_argument("--path", choices=PATHS, default=PATHS[0])
    parser.add_argument("--chip", default="*", help="of the artifact; default: of any")
    options = parser.parse_args()
    start = time.perf_counter()
    words = run_case(options.artifacts, options.case, options.device, options.path, options.chip)
    print(words or f"pass {time.perf_counter() - start:.3f}")
    return 1 if words else 0


if __name__ == "__main__":
    sys.exit(main())
