"""Time of an emulated tcgen05.cp on this machine's GPU, beside a plain copy of as many bytes.

    python test/gpu/build_artifacts.py --out DIR --cases 'repeated-*' plain-copies
    python bench/emulation.py --artifacts DIR

The first needs MLIR, the second a GPU. Both copies are loops in kernels of the GPU tests' table,
and their results are checked after the timing. A copy's time is marginal: that of 2N copies less
that of N, by CUDA events, over N. The emulated copy is issued by one thread, as hardware wants it,
so one lane does its work; the plain one moves 16 bytes at a time from shared to global memory by
all 128 threads of the block. Nothing here has run on Blackwell hardware.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from tcgen05_mlir import runtime

sys.path.insert(0, str(Path(__file__).parents[1] / "test" / "gpu"))

from cases import CASES
from cases.copies import REPEATS
from cases.loops import FORMS, short
from run_case import artifact_of

BLOCKS = (1, 132)
BYTES = {"128x256b": 4096, "128x128b": 2048, "4x256b": 128, "64x128b": 1024, "32x128b": 512}
PLAIN = "plain-copies"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--artifacts", type=Path, required=True, metavar="DIR")
    parser.add_argument("--device", choices=("native", "emulate"), default="emulate")
    parser.add_argument("--copies", type=int, default=128, help="N, of one launch")
    options = parser.parse_args()
    if not runtime.devices():
        sys.exit(f"nothing to measure on: {runtime.why_no_device()}")
    bench = Bench(options.artifacts, options.device, options.copies)
    print(f"{bench.gpu}, {options.device}, N = {options.copies}")
    print("| form | bytes | blocks | tcgen05.cp, us | plain copy, us | ratio |")
    print("|---|---|---|---|---|---|")
    for shape, multicast in FORMS:
        size = BYTES[shape]
        for blocks in BLOCKS:
            copy = bench.marginal(f"repeated-{short(shape, multicast)}", blocks) / REPEATS
            plain = bench.marginal(PLAIN, blocks, units=size // 16)
            name = short(shape, multicast)
            row = f"{copy * 1e6:.3f} | {plain * 1e6:.3f} | {copy / plain:.1f}"
            print(f"| {name} | {size} | {blocks} | {row} |", flush=True)


class Bench:
    """Times kernels of the table on the first GPU."""

    def __init__(self, folder: Path, device: str, count: int) -> None:
        self.gpu = runtime.devices()[0]
        self._folder, self._device, self._count = folder, device, count

    def marginal(self, name: str, blocks: int, units: int = 0) -> float:
        """Seconds of one turn of the loop."""
        case = CASES[name]
        artifact = artifact_of(self._folder, case, self._device, "nvvm", self.gpu)
        with runtime.load(artifact) as module:
            kernel = module.kernel(case.kernel.name)
            # A plain copy is short: more of them, so that the clock can tell.
            count = self._count * (16 if name == PLAIN else 1)
            once, twice = (
                self._seconds(kernel, name, blocks, units, turns) for turns in (count, 2 * count)
            )
        return (twice - once) / count

    def _seconds(
        self, kernel: runtime.Kernel, name: str, blocks: int, units: int, turns: int
    ) -> float:
        given, wanted = CASES[name].make()
        *arguments, choices, out = given
        choices = np.array([*choices[:2], units, turns], np.int32)
        with kernel.prepare(*arguments, choices, out, grid=blocks) as launch:
            launch.launch()
            seconds = launch.time(10)
            if name != PLAIN:
                assert np.array_equal(launch.results()[-1][0], wanted[-1][0]), name
        return seconds


if __name__ == "__main__":
    main()
