"""Compiles the kernels that the recordings of the driver launch: needs MLIR and ptxas.

    python test/unit/runtime/make_driver_artifacts.py test/data/driver

writes `kernels.ptx` and `kernels.cubin` for sm_90, `native.cubin` for sm_100a, and `emulated.ptx`
for sm_90, each with its manifest. The recordings hold the digests of these files: after a change
record anew.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tcgen05_mlir import compile_artifact

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[2] / "examples/copy_readback.mlir"


def main(folder: Path) -> None:
    folder = folder.resolve()
    # Places in messages are then without the path of this machine.
    os.chdir(HERE)
    kernels = Path("driver_kernels.mlir")
    compile_artifact(kernels, "sm_90", "ptx").write(folder / "kernels.ptx")
    compile_artifact(kernels, "sm_90", "cubin").write(folder / "kernels.cubin")
    compile_artifact(EXAMPLE, "sm_100a", "cubin").write(folder / "native.cubin")
    emulated = Path("emulated_kernels.mlir")
    compile_artifact(emulated, "sm_90", "ptx", emulate=True).write(folder / "emulated.ptx")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
