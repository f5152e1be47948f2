"""The repository as the tests of this folder see it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: Path, language: str) -> list[str]:
    """The fenced blocks of one language, in order; "" is the language of output."""
    return [text for found, text in _BLOCK.findall(document.read_text()) if found == language]


def sources() -> list[Path]:
    """The files that make up the product: C++, ODS and Python."""
    kinds = {".cpp", ".h", ".td", ".py", ".pyi"}
    folders = (ROOT / "dialect", ROOT / "python")
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in kinds)


def table_rows(text: str) -> list[list[str]]:
    """The cells of each table row; headers, and the rules below them, are left out."""
    lines = [line.strip() for line in text.splitlines()]
    rules = {number for number, line in enumerate(lines) if re.fullmatch(r"\|[-|]+\|", line)}
    rows = [
        line[1:-1]
        for number, line in enumerate(lines)
        if line.startswith("|") and not rules & {number, number + 1}
    ]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows]
