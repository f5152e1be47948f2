"""The code in the documents runs, the MLIR parses, the links lead somewhere, the output is real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import mlir
import pytest
import tcgen05_mlir
from mlir import ir
from repository import DOCUMENTS, ROOT, blocks

README = ROOT / "README.md"
_LINK = re.compile(r"\]\(([^)#\s]+)\)")


def _cases(language: str) -> list[object]:
    """Each block of a language in any document, as a parameter with a name."""
    return [
        pytest.param(text, id=f"{document.name}-{number}")
        for document in DOCUMENTS
        for number, text in enumerate(blocks(document, language))
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the README names."""
    (tmp_path / "copy.mlir").write_text(blocks(README, "mlir")[0])
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


def _environment() -> dict[str, str]:
    """The environment of a user whose PATH has this installation and the stock mlir-opt."""
    tools = [Path(folder, "bin") for folder in mlir.__path__]
    path = [sysconfig.get_path("scripts"), *map(str, tools), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(path)}


def _run(command: list[str], folder: Path) -> str:
    """What a command that succeeds, or fails as it should, prints on both streams."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def _commands() -> list[object]:
    """The README's commands, each with the output below it."""
    text = "".join(blocks(README, "console"))
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    return [pytest.param(*pair, id=pair[0][:40]) for pair in found]


@pytest.mark.parametrize(("command", "output"), _commands())
def test_a_command_prints_what_the_readme_says(command: str, output: str, folder: Path) -> None:
    assert _run(["bash", "-c", command], folder).strip() == output.strip()


@pytest.mark.parametrize("code", _cases("python"))
def test_python_runs(code: str, folder: Path) -> None:
    assert _run([sys.executable, "-c", code], folder) == ""


@pytest.mark.parametrize("text", _cases("mlir"))
def test_mlir_parses_and_verifies(text: str) -> None:
    tcgen05_mlir.register_dialect(context := ir.Context())
    assert ir.Module.parse(text, context).operation.verify()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_to_files(document: Path) -> None:
    links = [link for link in _LINK.findall(document.read_text()) if "://" not in link]
    assert [link for link in links if not (document.parent / link).exists()] == []


def _plain(text: str) -> list[str]:
    """Lines without the numbers of registers, which depend on what is around them."""
    lines = [re.sub(r"/\*.*?\*/|\s+", " ", line).strip() for line in text.splitlines()]
    return [re.sub(r"(%r|%rd|UR)\d+", r"\1", line) for line in lines]


@pytest.mark.parametrize("emit", ["ptx", "sass"])
def test_the_lowering_is_shown_as_it_is(emit: str) -> None:
    shown = _plain(blocks(ROOT / "docs/lowering.md", emit)[0])
    text = tcgen05_mlir.compile(ROOT / "examples/scale_factors.mlir", emit=emit)
    assert isinstance(text, str)
    real = _plain(text)
    starts = range(len(real) - len(shown) + 1)
    assert any(real[start : start + len(shown)] == shown for start in starts)


def test_ci_runs_the_command_of_the_readme() -> None:
    pattern = re.compile(r"pip install .* && pytest")
    found = [line for text in blocks(README, "sh") for line in text.splitlines()]
    assert len([line for line in found if pattern.fullmatch(line)]) == 1
    assert f'-x "{pattern.pattern}" README.md' in (ROOT / ".ci/run").read_text()
