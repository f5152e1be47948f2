"""The dialect in a C++ program: test/embed, built against the installed package and the wheels."""

from __future__ import annotations

import subprocess
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest
from repository import ROOT
from tcgen05_mlir._build_info import LLVM_VERSION
from tcgen05_mlir.tools.installed import installed_path

SCRIPTS = Path(sysconfig.get_path("scripts"))
EXAMPLE = ROOT / "examples/copy_readback.mlir"
FAKE_MLIR = 'set(LLVM_PACKAGE_VERSION "21.1.0")\nset(MLIR_FOUND TRUE)\n'


def _cmake(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPTS / "cmake", *arguments], capture_output=True, text=True, check=False
    )


def _configure(
    source: str, build: Path, *variables: str | Path
) -> subprocess.CompletedProcess[str]:
    generator = ("-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={SCRIPTS / 'ninja'}")
    return _cmake("-S", ROOT / source, "-B", build, *generator, *variables)


def _package(name: str) -> Path:
    """The folder of a package of the wheels; `llvm` has no code to import."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def _wheels() -> tuple[str, str]:
    """Where CMake finds MLIR and LLVM of the wheels."""
    folders = {name: _package(name) / "lib/cmake" / name for name in ("mlir", "llvm")}
    assert all(folder.exists() for folder in folders.values()), "pip install '.[test]'"
    return f"-DMLIR_DIR={folders['mlir']}", f"-DLLVM_DIR={folders['llvm']}"


@pytest.fixture(scope="module")
def ours() -> str:
    return f"-DTcgen05_DIR={installed_path('cmake/Tcgen05Config.cmake').parent}"


@pytest.fixture
def other_mlir(tmp_path: Path) -> str:
    """A CMake package of an MLIR of another version."""
    (tmp_path / "mlir").mkdir()
    (tmp_path / "mlir/MLIRConfig.cmake").write_text(FAKE_MLIR)
    return f"-DMLIR_DIR={tmp_path / 'mlir'}"


@pytest.fixture(scope="module")
def list_copies(tmp_path_factory: pytest.TempPathFactory, ours: str) -> Path:
    build = tmp_path_factory.mktemp("embed")
    for done in (_configure("test/embed", build, *_wheels(), ours), _cmake("--build", build)):
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "list-copies"


def _run(program: Path, file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, file], capture_output=True, text=True, check=False)


def test_a_program_reads_the_copies_of_an_example(list_copies: Path) -> None:
    done = _run(list_copies, EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "shape_128x128b to memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>, "
        "#nvvm.memory_space<tensor>>\n"
    )


def test_a_program_verifies(list_copies: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.mlir").write_text(EXAMPLE.read_text().replace("sdo = 128", "sdo = 24"))
    done = _run(list_copies, tmp_path / "bad.mlir")
    assert (done.returncode, done.stdout) == (1, "")
    message = "'sdo' must be a multiple of 16 in 0..262128 bytes, got 24 [C5]\n"
    assert f"error: 'tcgen05.cp' op {message}" in done.stderr


def test_the_package_refuses_another_mlir(tmp_path: Path, ours: str, other_mlir: str) -> None:
    done = _configure("test/embed", tmp_path / "build", other_mlir, ours)
    assert done.returncode != 0
    message = f"Tcgen05 was built against MLIR {LLVM_VERSION}, this project uses 21.1.0."
    assert message in " ".join(done.stderr.split())


def test_the_build_refuses_another_mlir(tmp_path: Path, other_mlir: str) -> None:
    done = _configure(".", tmp_path / "build", other_mlir)
    assert done.returncode != 0
    message = f"tcgen05-mlir needs MLIR 22.1, found 21.1.0 in {tmp_path / 'mlir'}."
    assert message in " ".join(done.stderr.split())


def test_an_mlir_of_ones_own_gets_the_cpp_parts_alone(tmp_path: Path) -> None:
    done = _configure(".", tmp_path, *_wheels())
    assert done.returncode == 0, done.stdout + done.stderr
    rules = (tmp_path / "build.ninja").read_text()
    built = {name: f"{name}:" in rules for name in ("Tcgen05Plugin", "Tcgen05Dialect", "_tcgen05")}
    assert built == {"Tcgen05Plugin": True, "Tcgen05Dialect": True, "_tcgen05": False}
