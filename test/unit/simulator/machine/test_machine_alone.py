"""The machine needs numpy and the model, and no MLIR; what it says is a rule."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
import tcgen05_mlir.simulator.machine as machine

MODULES = sorted(Path(machine.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_module_imports_numpy_and_the_model_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {
        node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    above = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level > 1]
    others = {name for name in names if name.split(".")[:2] != ["tcgen05_mlir", "model"]}
    assert {name.split(".")[0] for name in others} <= {*sys.stdlib_module_names, "numpy"}
    assert above == []


def test_every_rule_that_is_reported_is_declared_and_every_other_way_round() -> None:
    source = "".join(path.read_text() for path in MODULES if path.stem != "rules")
    used = set(re.findall(r'"([CFPS]\d+)"', source))
    # From 20 on they are the engine's.
    declared = {rule for rule in machine.RULES if not re.fullmatch(r"S[2-9]\d", rule)}
    assert used == declared
