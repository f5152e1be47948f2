"""Launches again and again on this machine's GPU, and says whether anything stayed behind.

    PYTHONPATH=python python test/unit/runtime/launch_many.py --launches 10000

Prints the memory that is free on the GPU and that the process has, before and after; exit code 1
where a launch gave a wrong result or memory went. Needs numpy and cuda-bindings, no MLIR.
"""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path

import numpy as np
from scenarios import kernels, words
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime.context import context_of
from tcgen05_mlir.runtime.driver import current

DATA = Path(__file__).parents[2] / "data/driver"
SLACK = 4 << 20
"""Bytes that may differ: allocators keep some for later."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launches", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    if not runtime.devices():
        sys.exit(f"nothing to launch on: {runtime.why_no_device()}")
    print(*map(str, runtime.devices()), sep="\n")
    each = options.launches // options.threads
    launch_all(options.threads, 50)
    before = memory()
    wrong = launch_all(options.threads, each)
    after = memory()
    print(f"{each * options.threads} launches in {options.threads} threads, {wrong} wrong")
    print(f"free on the GPU: {before[0]} bytes before, {after[0]} after")
    print(f"of the process: {before[1]} bytes before, {after[1]} after")
    lost = before[0] - after[0] > SLACK or after[1] - before[1] > 4 * SLACK
    return int(wrong > 0 or lost)


def launch_all(threads: int, each: int) -> int:
    """Native and emulated kernels by turns, a module for each thread; the number of wrong ones."""
    wrong: list[int] = []
    workers = [threading.Thread(target=work, args=(n, each, wrong)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(wrong) if len(wrong) == threads else threads * each


def work(number: int, count: int, wrong: list[int]) -> None:
    bad = 0
    out = np.zeros((3, 32, 2), np.int32)
    with (
        runtime.load(kernels(DATA)) as plain,
        runtime.load(kernels(DATA, "emulated.ptx")) as emulated,
    ):
        copy, columns = plain.kernel("copy"), emulated.kernel("columns")
        for turn in range(count):
            if turn % 2:
                found = columns.launch(turn % 30, out, grid=3)[1]
                bad += bool((found[:, :, 0] != range(32)).any())
            else:
                a = words(256) + np.uint32(number * count + turn)
                bad += bool((copy.launch(a, np.zeros_like(a), grid=2)[1] != a).any())
    wrong.append(bad)


def memory() -> tuple[int, int]:
    """Bytes: free on the GPU, and resident of this process."""
    context = context_of(current(), 0)
    with context.current("asking for memory"):
        free, _ = context.call("asking for memory", "cuMemGetInfo")
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return free, pages * 4096


if __name__ == "__main__":
    sys.exit(main())
