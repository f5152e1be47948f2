"""Passes of other packages: by entry point, by module, by file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tcgen05_mlir.tools.opt import python_passes

PASS = '''\
from dataclasses import dataclass
from typing import ClassVar

from mlir import ir
from tcgen05_mlir.passes import Pass, register_pass


@register_pass
@dataclass(frozen=True)
class Third(Pass):
    """A third party's pass."""

    name: ClassVar[str] = "third-party"
    description: ClassVar[str] = "Mark the operation."

    def run(self, op: ir.Operation) -> None:
        op.attributes["third.party"] = ir.UnitAttr.get()
'''
MARKED = "module attributes {third.party} {\n}\n"


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    """A folder on the import path of child processes."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")
    return folder


def install(site: Path, source: str) -> None:
    """Lay a package out as pip does."""
    (site / "third_party.py").write_text(source)
    info = site / "third_party-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: third-party\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tcgen05_mlir.passes]\nmine = third_party\n")


def test_an_installed_package_registers_its_passes(opt, site):
    install(site, PASS)
    done = opt("--third-party", input="module {}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip() == MARKED.rstrip()


def test_an_installed_package_that_does_not_load_is_named(opt, site):
    install(site, "import nosuch")
    done = opt("--cse", input="module {}")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "tcgen05-opt: error: passes of entry point 'mine' = 'third_party' of 'third-party' could "
        "not be loaded: ModuleNotFoundError: No module named 'nosuch'\n"
    )


def test_a_module_by_flag(opt, site):
    (site / "another.py").write_text(PASS)
    done = opt("--load-python-passes=another", "--third-party", input="module {}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip() == MARKED.rstrip()


def test_a_file_by_flag_even_twice(opt, tmp_path):
    (tmp_path / "file.py").write_text(PASS)
    flags = ("--load-python-passes", "file.py", "-load-python-passes=./file.py")
    done = opt(*flags, "--third-party", input="module {}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip() == MARKED.rstrip()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("nosuch", "ModuleNotFoundError: No module named 'nosuch'"),
        (
            "nosuch.py",
            "FileNotFoundError: [Errno 2] No such file or directory: '{folder}/nosuch.py'",
        ),
        ("bad.py", "ValueError: 'cse' is a pass or pipeline of MLIR itself; choose another name"),
    ],
)
def test_passes_that_cannot_be_loaded(opt, tmp_path, source, reason):
    (tmp_path / "bad.py").write_text(PASS.replace("third-party", "cse"))
    done = opt(f"--load-python-passes={source}", input="module {}")
    assert (done.returncode, done.stdout) == (1, "")
    reason = reason.format(folder=tmp_path)
    assert done.stderr == (
        f"tcgen05-opt: error: passes of '{source}' could not be loaded: {reason}\n"
    )


def test_a_pass_of_another_package_in_run_pipeline(python, site):
    install(site, PASS)
    done = python(
        "import third_party\n"
        "from mlir import ir\n"
        "from tcgen05_mlir.passes import run_pipeline\n"
        "with ir.Context(): print(run_pipeline(ir.Module.parse('module {}'), 'third-party'))"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.rstrip() == MARKED.rstrip()


@pytest.mark.parametrize(
    ("arguments", "sources"),
    [
        ([], []),
        (["--cse", "in.mlir"], []),
        (["--load-python-passes=a", "-load-python-passes=b.py"], ["a", "b.py"]),
        (["--load-python-passes", "a", "--cse"], ["a"]),
        (["--load-python-passes", "--load-python-passes=a"], ["--load-python-passes=a"]),
        (["--load-python-passesx=a"], []),
    ],
)
def test_the_flag_in_every_spelling(arguments, sources):
    assert python_passes(arguments) == sources
