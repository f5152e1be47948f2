"""The model is usable where neither MLIR nor CUDA can be imported."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir.model

MODULES = sorted(Path(tcgen05_mlir.model.__file__).parent.glob("*.py"))

WITHOUT_MLIR = """
import sys
for name in ("mlir", "cuda"):
    sys.modules[name] = None  # importing it raises ImportError
from tcgen05_mlir.model import Instruction
print(Instruction("128x128b").ptx)
"""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_numpy_and_the_standard_library_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    imported = {
        name.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for name in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    above = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level > 1]
    assert imported <= {*sys.stdlib_module_names, "numpy"}
    assert above == []


def test_the_model_imports_where_mlir_and_cuda_do_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_MLIR],
        env={"PYTHONPATH": ":".join(entry for entry in sys.path if entry)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "tcgen05.cp.cta_group::1.128x128b\n",
        "",
    )
