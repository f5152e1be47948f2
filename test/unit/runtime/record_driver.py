"""Records the scenarios on this machine's GPU: needs numpy and cuda-bindings, no MLIR.

    PYTHONPATH=python python test/unit/runtime/record_driver.py --out DIR

writes one recording for each scenario to DIR (`copy.jsonl`), with the messages beside it
(`copy.txt`), and prints a table. `--artifacts`: where `make_driver_artifacts.py` wrote to, by
default `test/data/driver`. `--only`: some scenarios. Exit code 1 where one fails.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import subprocess
import sys
import time
from pathlib import Path

from scenarios import SCENARIOS
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.bindings import Bindings
from tcgen05_mlir.runtime.driver import using
from tcgen05_mlir.runtime.recording import Recorder

DATA = Path(__file__).parents[2] / "data/driver"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--artifacts", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=list(SCENARIOS), choices=list(SCENARIOS))
    parser.add_argument("--here", action="store_true", help="in this process: for one scenario")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.here:
        record(options.only[0], options.artifacts, options.out)
        return 0
    print(about())
    return max([child(name, options.artifacts, options.out) for name in options.only], default=1)


def child(name: str, artifacts: Path, out: Path) -> int:
    """One scenario in a process of its own; a row of the table."""
    command = [sys.executable, __file__, "--here", "--only", name]
    start = time.monotonic()
    done = subprocess.run(
        [*command, "--artifacts", str(artifacts), "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    recording = out / f"{name}.jsonl"
    calls = len(recording.read_text().splitlines()) if recording.exists() else 0
    verdict = "ok" if done.returncode == 0 else f"FAILED ({done.returncode})"
    print(f"{name:24} {verdict:12} {calls:5} lines {time.monotonic() - start:6.1f} s", flush=True)
    if done.returncode:
        print(done.stdout + done.stderr)
    return int(done.returncode != 0)


def record(name: str, artifacts: Path, out: Path) -> None:
    recorder = Recorder(Bindings(), out / f"{name}.jsonl", about())
    with using(recorder):
        messages = SCENARIOS[name](artifacts)
    (out / f"{name}.txt").write_text("\n\n".join(messages) + "\n")


def about() -> str:
    """What is recorded where: `NVIDIA H200, driver for CUDA 13.0, cuda-bindings 13.0.3, 2026-..."""
    found = runtime.devices()
    if not found:
        sys.exit(f"nothing to record: {runtime.why_no_device()}")
    version = ".".join(map(str, found[0].driver_version))
    bindings = importlib.metadata.version("cuda-bindings")
    today = datetime.date.today()
    return f"{found[0].name}, driver for CUDA {version}, cuda-bindings {bindings}, {today}"


if __name__ == "__main__":
    sys.exit(main())
