"""Where the MLIR bindings are not installed: the model works, the rest says what is missing."""

from __future__ import annotations

import pytest
from building import Python

HIDE = """
import sys

class Hiding:
    \"\"\"A finder as it would be without the packages.\"\"\"
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("mlir", "cuda"):
            return None
        return self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Hiding(finder) for finder in sys.meta_path]
"""
NAMES = ["MLIRError", "compile", "compile_artifact", "register_dialect", "run", "run_pipeline"]


def test_the_model_works(python: Python) -> None:
    done = python(
        HIDE
        + """
import tcgen05_mlir
from tcgen05_mlir.model import Instruction, SmemDescriptor, TmemLayout
instruction = Instruction("32x128b", "warpx4")
print(tcgen05_mlir.__all__, tcgen05_mlir.__version__)
print(TmemLayout.for_instruction(instruction, 4))
print(hex(SmemDescriptor(0x400, ldo=16, sdo=128).encode()))
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("mlir", "cuda")))
"""
    )
    sf = "#tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "['__version__'] 0.1.0",
        sf,
        "0x400800010040",
        "[]",
    ]


def test_the_runtime_works(python: Python) -> None:
    """Artifacts are read and checked; without cuda-bindings it says what a GPU would need."""
    done = python(
        HIDE
        + """
import hashlib
from tcgen05_mlir import runtime
from tcgen05_mlir.runtime import Artifact, Manifest
code = b".version 8.6\\n.target sm_100a\\n"
manifest = Manifest("test", {}, "sm_100a", (8, 6), "ptx", hashlib.sha256(code).hexdigest(), ())
artifact = Artifact(code, Manifest.from_json(manifest.to_json()), "copy.ptx")
print(runtime.devices(), runtime.why_no_device())
try:
    runtime.load(artifact)
except runtime.DriverMissing as error:
    print(error)
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("mlir", "cuda")))
"""
    )
    missing = "cuda-bindings is not installed: pip install 'tcgen05-mlir[cuda]'"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [f"() {missing}", missing, "[]"]


@pytest.mark.parametrize("name", NAMES)
def test_what_needs_mlir_says_so(name: str, python: Python) -> None:
    for use in (f"tcgen05_mlir.{name}", f"from tcgen05_mlir import {name}"):
        done = python(f"{HIDE}\nimport tcgen05_mlir\n{use}")
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            f"ImportError: tcgen05_mlir.{name} needs the MLIR bindings, which are not installed: "
            "pip install tcgen05-mlir without --no-deps"
        )


def test_these_are_all_that_need_it(python: Python) -> None:
    done = python("import tcgen05_mlir; print(*sorted(tcgen05_mlir.__all__))")
    assert done.stdout.split() == sorted([*NAMES, "__version__"])


def test_another_name_is_no_attribute(python: Python) -> None:
    done = python(f"{HIDE}\nimport tcgen05_mlir\ntcgen05_mlir.nothing")
    assert done.stderr.splitlines()[-1] == (
        "AttributeError: module 'tcgen05_mlir' has no attribute 'nothing'"
    )
