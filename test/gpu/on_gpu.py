"""Everything that a GPU machine can show, from a folder of artifacts: one command.

    python test/gpu/build_artifacts.py --out DIR --chips sm_90a
    python test/gpu/build_artifacts.py --out DIR --chips sm_80 --emit ptx
    python test/gpu/build_artifacts.py --out DIR --chips sm_100a --cases 'example-*'
    python test/gpu/on_gpu.py --artifacts DIR --out LOGS [--only suite bench ...]

The first three need MLIR, the last needs a GPU, numpy, cuda-bindings, pytest and the pure-Python
part of the package on PYTHONPATH; compute-sanitizer for the step of that name. Each step prints
what it does, and keeps it in LOGS; the last thing printed is a table of the steps. Exit code 1
where one failed. This process never asks the driver: its children do. Nothing here has run on
Blackwell hardware.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from ask_gpus import gpus
from cases import CASES
from cases.loops import FORMS, short
from run_case import artifact_of

ROOT = Path(__file__).parents[2]
RUN_CASE = Path(__file__).with_name("run_case.py")
SCENARIOS = ROOT / "test" / "unit" / "runtime"
ERRORS = ("d01_syntax_error", "d01_other_target", "d01_long_log", "d07_trap")
"""PTX wrong in line 9; PTX for another chip; a log over 8 KiB; a trap, a copy, a good kernel."""
SANITIZER = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
LAUNCHES = 10_000
SIDE_BY_SIDE = 4
"""Processes under compute-sanitizer at a time."""
LAUNCHES_OF_TABLES = ("test/gpu/test_gpu_launch.py", "test/gpu/test_gpu_refusals.py")
SHOWN = 40
"""Lines of a message that are shown whole; a longer one is in LOGS."""


@dataclass(frozen=True)
class Step:
    """What a step came to: one cell of the table."""

    passed: bool
    words: str


@dataclass(frozen=True)
class Machine:
    """Where the artifacts are and the logs go, and what `--device` the cases get."""

    artifacts: Path
    logs: Path
    device: str

    def python(self, *arguments: object, log: str, timeout_s: int = 280) -> tuple[int, str]:
        """Exit code and output of a Python program; the output is printed and kept."""
        return self.run(sys.executable, *arguments, log=log, timeout_s=timeout_s)

    def run(self, *words: object, log: str, timeout_s: int = 280) -> tuple[int, str]:
        try:
            done = subprocess.run(
                [str(word) for word in words],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=timeout_s,
            )
            code, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired:
            code, output = -1, f"did not end within {timeout_s} s"
        except OSError as error:
            code, output = -1, str(error)
        (self.logs / f"{log}.txt").write_text(output)
        return code, output


def suite(machine: Machine) -> Step:
    """All cases against numpy's arrays and all refusals, each in a child process."""
    return _pytest(machine, "suite")


def older(machine: Machine) -> Step:
    """The same from PTX for sm_80, but for clusters: what older chips get instead runs here."""
    return _pytest(machine, "older", "--chip", "sm_80")


def _pytest(machine: Machine, log: str, *more: str) -> Step:
    code, output = machine.python(
        *("-m", "pytest", "-q", *LAUNCHES_OF_TABLES, "-p", "no:cacheprovider"),
        *("--require-gpu", "--device", machine.device, "--artifacts", machine.artifacts, *more),
        log=log,
    )
    print(output[-6000:])
    return Step(code == 0, output.strip().rpartition("\n")[2])


def sanitizer(machine: Machine) -> Step:
    """memcheck and racecheck of one kernel per form, and of a pair."""
    names = [f"cp-{short(*form)}-g1-s3-b32" for form in FORMS] + ["cp-128x128b-g2-s3-b4x16_p64"]
    runs = [(tool, name) for tool in ("memcheck", "racecheck") for name in names]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        clean = [*pool.map(lambda run: _sanitized(machine, *run), runs)]
    return Step(all(clean), f"{sum(clean)} of {len(clean)} clean")


def _sanitized(machine: Machine, tool: str, name: str) -> bool:
    code, output = machine.run(
        *(SANITIZER, "--tool", tool, "--error-exitcode", "9", sys.executable, RUN_CASE),
        *(name, "--artifacts", machine.artifacts, "--device", machine.device),
        log=f"{tool}-{name}",
    )
    clean = code == 0 and (" 0 errors" in output or " 0 hazards" in output) and "pass " in output
    summary = [line for line in output.splitlines() if "SUMMARY" in line]
    print(f"{tool} {name}: {' '.join(summary) if clean else output}", flush=True)
    return clean


def examples(machine: Machine) -> Step:
    """The examples' outputs: equal to the arrays that the simulator gives too."""
    names = [name for name in CASES if name.startswith("example-")]
    codes = []
    for name in names:
        arguments = (RUN_CASE, name, "--artifacts", machine.artifacts, "--device", machine.device)
        code, output = machine.python(*arguments, log=name)
        print(f"{name}: {output.strip()}", flush=True)
        codes.append(code)
    return Step(not any(codes), f"{codes.count(0)} of {len(codes)} equal")


def command(machine: Machine) -> Step:
    """The examples' artifacts by `tcgen05 run`, which says what equals what, as a user would."""
    names = [name for name in CASES if name.startswith("example-")]
    codes = [_by_command(machine, name) for name in names]
    return Step(not any(codes), f"{codes.count(0)} of {len(codes)} equal by the command")


def _by_command(machine: Machine, name: str) -> int:
    case, (gpu, *_) = CASES[name], gpus()[0]
    artifact = artifact_of(machine.artifacts, case, machine.device, "nvvm", gpu)
    given, wanted = case.make()
    words: list[object] = []
    for number, array in enumerate(given):
        np.save(machine.logs / f"{name}-{number}.npy", array)
        words += ["--arg", machine.logs / f"{name}-{number}.npy"]
    for number, array in enumerate(wanted):
        np.save(machine.logs / f"{name}-wanted-{number}.npy", array)
        words += ["--equal", f"{number}:{machine.logs / f'{name}-wanted-{number}.npy'}"]
    program = ("-m", "tcgen05_mlir.tools.main", "run", artifact.name)
    code, output = machine.python(*program, *words, log=f"command-{name}")
    print(f"tcgen05 run {Path(artifact.name).name}\n{output.strip()}", flush=True)
    return code


def refused(machine: Machine) -> Step:
    """Artifacts for a chip that this GPU is not: one line, before any launch."""
    files = sorted(machine.artifacts.glob("sm_100a-native-*.cubin"))
    program = Path(__file__).with_name("load_artifacts.py")
    code, output = machine.python(program, *files, log="refused")
    lines = output.splitlines()
    print(*lines[:3], sep="\n")
    said = all(line.startswith("ValueError: ") for line in lines)
    good = code == 0 and bool(files) and said and len(lines) == len(files)
    return Step(good, f"{len(lines)} of {len(files)} for sm_100a refused in one line")


def errors(machine: Machine) -> Step:
    """What the driver refuses or a kernel ruins, as it reads; and everything else recorded."""
    folder = machine.logs / "driver"
    program = SCENARIOS / "record_driver.py"
    code, output = machine.python(program, "--out", folder, log="driver")
    print(output)
    for name in ERRORS:
        kept = folder / f"{name}.txt"
        text = kept.read_text() if kept.exists() else "nothing was said"
        lines = text.splitlines()
        print(f"\n--- {name}\n" + "\n".join(lines[:SHOWN]))
        if len(lines) > SHOWN:
            print(f"... and {len(lines) - SHOWN} more lines in {kept.name}; the last: {lines[-1]}")
    return Step(code == 0, f"{len(ERRORS)} shown, exit code {code} of all scenarios")


def launches(machine: Machine) -> Step:
    """Ten thousand launches, and the memory before and after."""
    program = SCENARIOS / "launch_many.py"
    code, output = machine.python(program, "--launches", LAUNCHES, log="launches")
    print(output)
    return Step(code == 0, f"{LAUNCHES} launches, exit code {code}")


def bench(machine: Machine) -> Step:
    """Time per emulated copy beside a plain copy."""
    program = ROOT / "bench" / "emulation.py"
    arguments = ("--artifacts", machine.artifacts, "--device", machine.device)
    code, output = machine.python(program, *arguments, log="bench")
    print(output)
    return Step(code == 0, f"exit code {code}")


_ALL = (suite, older, examples, command, refused, errors, launches, bench, sanitizer)
STEPS: dict[str, Callable[[Machine], Step]] = {step.__name__: step for step in _ALL}


def about() -> str:
    """Date, GPU, driver and versions, in lines."""
    lines = [time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())]
    for gpu in gpus()[0]:
        lines.append(f"{gpu}, CUDA driver {'.'.join(map(str, gpu.driver_version))}")
    lines.append(f"Python {platform.python_version()}, {platform.platform()}")
    for package in ("numpy", "cuda-bindings", "pytest"):
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} is not installed")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--artifacts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path, required=True, metavar="LOGS")
    parser.add_argument("--device", choices=("native", "emulate"), default="emulate")
    parser.add_argument("--only", nargs="+", choices=STEPS, default=[*STEPS], metavar="STEP")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    there, why = gpus()
    if not there:
        sys.exit(f"needs a CUDA GPU; found none: {why}")
    machine = Machine(options.artifacts.resolve(), options.out.resolve(), options.device)
    print(about())
    rows = []
    for name in options.only:
        print(f"\n== {name}: {STEPS[name].__doc__}", flush=True)
        start = time.monotonic()
        step = STEPS[name](machine)
        rows.append((name, step, time.monotonic() - start))
    print(f"\n{about()}\n| step | | seconds | |\n|---|---|---|---|")
    for name, step, seconds in rows:
        print(f"| {name} | {'ok' if step.passed else 'FAILED'} | {seconds:.1f} | {step.words} |")
    return int(not all(step.passed for _, step, _ in rows))


if __name__ == "__main__":
    sys.exit(main())
