"""docs/rules.md and the checks name the same rules."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from repository import ROOT, sources, table_rows
from tcgen05_mlir.simulator.machine import RULES as AT_RUN_TIME

_ID = re.compile(r"\[([A-Z]\d+(?:, [A-Z]\d+)*)\]")
_PATH = re.compile(r"`([\w.-]+/[\w./-]+)`")
RULES = {row[0]: row for row in table_rows((ROOT / "docs/rules.md").read_text())}


def _ids(text: str) -> set[str]:
    return {name for group in _ID.findall(text) for name in group.split(", ")}


def _message_ids(path: Path) -> set[str]:
    """The ids in a source's texts; comments and docstrings do not count."""
    text = path.read_text()
    if path.suffix != ".py":
        return _ids(" ".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', text)))
    tree = ast.parse(text)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant))
    texts = (node.value for node in constants if id(node) not in statements)
    return {name for text in texts if isinstance(text, str) for name in _ids(text)}


def _is_the_simulators(name: str) -> bool:
    """docs/simulator.md explains it, which the simulator's tests compare."""
    return name.startswith("S")


def test_every_id_in_a_message_is_explained_and_none_besides() -> None:
    written = {name for path in sources() for name in _message_ids(path)} | set(AT_RUN_TIME)
    assert {name for name in written if not _is_the_simulators(name)} == set(RULES)


def test_the_documents_speak_of_rules_that_exist() -> None:
    for path in [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]:
        ids = {name for name in _ids(path.read_text()) if not _is_the_simulators(name)}
        assert ids <= set(RULES), path.name


def _holds(name: str, rule: str) -> bool:
    """The file, or one in the folder, names the rule; the simulator has them in a table."""
    place = ROOT / name
    files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
    kinds = (".py", ".cpp", ".mlir")
    texts = [path.read_text() for path in files if path.suffix in kinds]
    return any(rule in _ids(text) or f'    "{rule}": "' in text for text in texts)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_where_its_row_says(rule: str) -> None:
    _, statement, checked, tests = RULES[rule]
    assert statement
    for column in (checked, tests):
        places = _PATH.findall(column)
        assert places
        assert [name for name in places if not _holds(name, rule)] == []
