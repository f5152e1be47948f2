"""docs/simulator.md and the simulator name the same rules."""

from __future__ import annotations

import re
from pathlib import Path

from tcgen05_mlir.simulator import RULES

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs" / "simulator.md").read_text()


def test_the_rules_of_the_simulator() -> None:
    rows = dict(re.findall(r"^\| (S\d+) \| (.*?) \|$", DOCUMENT, re.MULTILINE))
    assert list(rows) == [rule for rule in RULES if rule.startswith("S")]
    for rule, text in rows.items():
        assert text.startswith(RULES[rule]), rule
