"""`tcgen05 run` and `run` by way of the driver's interface, with a model of a driver behind it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from model_driver import Grid, ModelDriver
from tcgen05_mlir import compile_artifact, run
from tcgen05_mlir.runtime.driver import using
from tcgen05_mlir.tools import main

EXAMPLE = Path(__file__).parents[3] / "examples" / "copy_readback.mlir"
ARGUMENTS = ["--arg=range:128x4xi32", "--arg=new:128x4xi32", "--equal=1:0"]
EQUAL = "argument 1 equals argument 0 as given: 128x4xi32\n"
A = np.arange(512, dtype=np.int32).reshape(128, 4)


def copy(grid: Grid) -> None:
    grid.array(1, np.int32)[:] = grid.array(0, np.int32)


@pytest.fixture
def driver() -> Iterator[ModelDriver]:
    """A GPU of compute capability 9.0, whose kernel `copy` copies."""
    model = ModelDriver({"copy": copy})
    with using(model):
        yield model
    assert not +model.live


def tcgen05(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main.main(["run", *map(str, arguments), *ARGUMENTS])
    return code, *capfd.readouterr()


def test_the_only_gpu_emulates(driver: ModelDriver, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = "device: emulate (GPU 0, Model GPU, sm_90, has no tcgen05)\n"
    assert tcgen05(capfd, EXAMPLE) == (0, "", chosen + EQUAL)
    assert tcgen05(capfd, EXAMPLE, "--gpu=0") == (0, "", chosen + EQUAL)
    assert tcgen05(capfd, EXAMPLE, "--device=emulate", "--grid=2") == (0, "", EQUAL)
    assert [launch.grid for launch in driver.launches] == [(1, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert {launch.block for launch in driver.launches} == {(128, 1, 1)}
    # The variable of each module was bound.
    assert driver.calls["cuModuleGetGlobal"] == 3


def test_from_python(driver: ModelDriver) -> None:
    a, out = run(EXAMPLE, "copy", A, np.zeros_like(A))
    assert (a == A).all()
    assert (out == A).all()


def test_native_where_the_gpu_has_it(
    driver: ModelDriver, capfd: pytest.CaptureFixture[str]
) -> None:
    driver.attributes["COMPUTE_CAPABILITY_MAJOR"] = 10
    chosen = "device: native (GPU 0, Model GPU, sm_100, has tcgen05)\n"
    assert tcgen05(capfd, EXAMPLE) == (0, "", chosen + EQUAL)
    assert driver.calls["cuModuleGetGlobal"] == 0


@pytest.mark.parametrize(
    ("emit", "chip", "what"), [("ptx", "sm_90", "PTX"), ("cubin", "sm_90a", "a cubin")]
)
@pytest.mark.usefixtures("driver", "ptxas")
def test_what_was_compiled_before(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, emit: str, chip: str, what: str
) -> None:
    file = tmp_path / f"copy.{emit}"
    compile_artifact(EXAMPLE, chip=chip, emit=emit, emulate=True).write(file)
    chosen = f"device: emulate ({what} for {chip}; GPU 0, Model GPU, sm_90)\n"
    assert tcgen05(capfd, file) == (0, "", chosen + EQUAL)
    assert tcgen05(capfd, file, "--device=emulate", "--kernel=copy") == (0, "", EQUAL)
    assert tcgen05(capfd, file, "--kernel=other")[0] == 1
    for flags, message in (
        (["--device=native"], f"argument --device: '{file}' is compiled for emulate, got native"),
        (["--seed=1"], "argument --seed: only the simulator has it, which runs MLIR"),
        (
            ["--kernel=wrong::copy"],
            f"argument --kernel: '{file}' has the kernels of one gpu.module: expected KERNEL, got "
            "'wrong::copy'",
        ),
    ):
        with pytest.raises(SystemExit) as caught:
            tcgen05(capfd, file, *flags)
        assert caught.value.code == 2
        assert capfd.readouterr() == ("", f"tcgen05: error: {message}\n")


ALONE = """
import sys

class Hiding:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] == "mlir"
        return None if hidden else self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
sys.path.insert(0, sys.argv[1])
import numpy as np
from model_driver import ModelDriver
from tcgen05_mlir.runtime.driver import using
from tcgen05_mlir.tools import main

def copy(grid):
    grid.array(1, np.int32)[:] = grid.array(0, np.int32)

with using(ModelDriver({"copy": copy})):
    sys.exit(main.main(["run", *sys.argv[2:]]))
"""


def test_without_mlir(tmp_path: Path) -> None:
    file = tmp_path / "copy.ptx"
    compile_artifact(EXAMPLE, chip="sm_90", emit="ptx", emulate=True).write(file)
    models = Path(__file__).parents[1] / "runtime"
    command = [sys.executable, "-c", ALONE, str(models), str(file), "--device=emulate", *ARGUMENTS]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", EQUAL)


def test_code_for_another_gpu(
    driver: ModelDriver, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "copy.ptx"
    compile_artifact(EXAMPLE, chip="sm_100a", emit="ptx").write(file)
    code, output, error = tcgen05(capfd, file)
    assert (code, output) == (1, "")
    assert error.startswith(f"tcgen05: error: '{file}' is PTX for sm_100a, which runs on ")
    assert error.count("\n") == 1
    assert not driver.launches
