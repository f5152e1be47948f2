"""The built files: one MLIR, found next to the package wherever that lies, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir
from tcgen05_mlir._build_info import BINDINGS_VERSION, LLVM_VERSION
from tcgen05_mlir._mlir_libs import _tcgen05
from tcgen05_mlir.tools.installed import installed_path

EXTENSION = Path(_tcgen05.__file__)
PLUGIN = installed_path("lib/Tcgen05Plugin.so")
SYSTEM = {"libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}
OTHER_BINDINGS = "Metadata-Version: 2.1\nName: xtc-mlir-python-bindings\nVersion: 99.0\n"


def _dynamic(library: Path) -> dict[str, list[str]]:
    """The entries of a library's dynamic section by kind: NEEDED, RUNPATH."""
    text = subprocess.run(
        ["readelf", "--dynamic", "--wide", library], capture_output=True, text=True, check=True
    ).stdout
    entries: dict[str, list[str]] = {}
    for kind, value in re.findall(r"\((\w+)\)\s.*\[(.*)\]", text):
        entries.setdefault(kind, []).append(value)
    return entries


def test_the_extension_needs_the_libraries_of_the_bindings() -> None:
    needed = set(_dynamic(EXTENSION)["NEEDED"])
    assert needed - SYSTEM == {"libMLIRPythonCAPI.so", "libLLVM.so"}


def test_the_plugin_needs_no_library_but_those_of_the_system() -> None:
    assert set(_dynamic(PLUGIN)["NEEDED"]) <= SYSTEM


@pytest.mark.parametrize("library", [EXTENSION, PLUGIN], ids=["extension", "plugin"])
def test_libraries_are_looked_for_relative_to_the_package(library: Path) -> None:
    entries = _dynamic(library)
    paths = [path for entry in entries.get("RUNPATH", []) for path in entry.split(":")]
    assert "RPATH" not in entries
    expected = ["$ORIGIN/../../mlir/_mlir_libs", "$ORIGIN/../../llvm/lib"]
    assert paths == (expected if library == EXTENSION else [])


def test_the_package_has_no_library_of_mlir_or_llvm() -> None:
    installed = [path for folder in tcgen05_mlir.__path__ for path in Path(folder).rglob("*")]
    libraries = {path.name for path in installed if re.search(r"\.(so|a|dylib)(\.|$)", path.name)}
    ours = {EXTENSION.name, PLUGIN.name, "libTcgen05Dialect.a", "libTcgen05CAPI.a"}
    assert libraries == ours


def test_only_headers_that_an_embedder_can_use_are_installed() -> None:
    folder = installed_path("include")
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert names == {
        "tcgen05-c/Dialect.h",
        "tcgen05/ReplicaModes.h",
        "tcgen05/Tcgen05Attrs.h.inc",
        "tcgen05/Tcgen05Attrs.td",
        "tcgen05/Tcgen05Dialect.h",
        "tcgen05/Tcgen05Dialect.h.inc",
        "tcgen05/Tcgen05Dialect.td",
        "tcgen05/Tcgen05Ops.h.inc",
        "tcgen05/Tcgen05Ops.td",
    }


def test_bindings_of_another_version_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "xtc_mlir_python_bindings-99.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(OTHER_BINDINGS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    done = subprocess.run(
        [sys.executable, "-c", "import tcgen05_mlir"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: tcgen05_mlir was built against MLIR {LLVM_VERSION} "
        f"(xtc-mlir-python-bindings {BINDINGS_VERSION}), but version 99.0 is installed: "
        f"pip install xtc-mlir-python-bindings=={BINDINGS_VERSION}"
    )
