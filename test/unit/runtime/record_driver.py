"""Records the scenarios on this machine's GPU: needs numpy and cuda-bindings, no MLIR.

    PYTHONPATH=python python test/unit/runtime/record_driver.py --out test/data/driver/h200

writes one recording for each scenario (`copy.jsonl`), with its messages beside it (`copy.txt`), and
prints a table. `--artifacts`: where `make_driver_artifacts.py` wrote to, by default
`test/data/driver`. `--only`: some scenarios. `--model`: of the model of a GPU, to have the same
files without one; they say so. Exit code 1 where a scenario fails.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import re
import subprocess
import sys
import time
from pathlib import Path

from model_driver import model_gpu
from scenarios import SCENARIOS
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.driver import Backend, using
from tcgen05_mlir.runtime.recording import Recorder

DATA = Path(__file__).parents[2] / "data/driver"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--artifacts", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=list(SCENARIOS), choices=list(SCENARIOS))
    parser.add_argument("--model", action="store_true", help="of the model, not of a GPU")
    parser.add_argument("--here", action="store_true", help="in this process: for one scenario")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.here:
        record(options.only[0], options)
        return 0
    print(about(options.model))
    return max([child(name, options) for name in options.only], default=1)


def child(name: str, options: argparse.Namespace) -> int:
    """One scenario in a process of its own, since some ruin it; a row of the table."""
    command = [sys.executable, __file__, "--here", "--only", name, "--out", str(options.out)]
    command += ["--artifacts", str(options.artifacts), *(["--model"] if options.model else [])]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    recording = options.out / f"{name}.jsonl"
    lines = len(recording.read_text().splitlines()) if recording.exists() else 0
    verdict = "ok" if done.returncode == 0 else f"FAILED ({done.returncode})"
    print(f"{name:24} {verdict:12} {lines:5} lines {time.monotonic() - start:6.1f} s", flush=True)
    if done.returncode:
        print(done.stdout + done.stderr)
    return int(done.returncode != 0)


def record(name: str, options: argparse.Namespace) -> None:
    recorder = Recorder(backend(options.model), options.out / f"{name}.jsonl", about(options.model))
    with using(recorder):
        messages = SCENARIOS[name](options.artifacts)
    (options.out / f"{name}.txt").write_text(as_text(messages))


def as_text(messages: list[str]) -> str:
    """The messages, one below the other, without the names of files that were made just now."""
    text = "\n\n".join(messages)
    return re.sub(r"'[^']*tcgen05-\w+\.ptx'", "'KEPT.ptx'", text) + "\n"


def backend(model: bool) -> Backend:
    if model:
        return model_gpu()
    from tcgen05_mlir.runtime.bindings import Bindings

    return Bindings()


def about(model: bool) -> str:
    """What is recorded where: `NVIDIA H200, driver for CUDA 13.0, cuda-bindings 13.0.3, 2026-..."""
    if model:
        return "made by model_driver.py, which is no GPU: replace by a recording of one"
    found = runtime.devices()
    if not found:
        sys.exit(f"nothing to record: {runtime.why_no_device()}")
    version = ".".join(map(str, found[0].driver_version))
    bindings = importlib.metadata.version("cuda-bindings")
    today = datetime.date.today()
    return f"{found[0].name}, driver for CUDA {version}, cuda-bindings {bindings}, {today}"


if __name__ == "__main__":
    sys.exit(main())
