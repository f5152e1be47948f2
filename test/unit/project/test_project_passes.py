"""docs/passes.md and the registry name the same passes, pipelines and options."""

from __future__ import annotations

import re
from typing import Any

import pytest
from repository import ROOT, table_rows
from tcgen05_mlir.passes import registry
from tcgen05_mlir.passes.options import OptionSpec, format_value, option_specs

_SECTION = re.compile(r"^### `([\w-]+)`\n\n(.*?)(?=^##)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(_SECTION.findall((ROOT / "docs/passes.md").read_text()))


def _is_ours(owner: Any) -> bool:
    """Tests register passes too."""
    return owner[-1].__module__.startswith("tcgen05_mlir.")


OWNERS = {name: entry.owner for name, entry in registry._registered.items()}
OURS = {name: owner for name, owner in OWNERS.items() if _is_ours(owner)}


def _row(spec: OptionSpec) -> list[str]:
    values = ", ".join(f"`{format_value(choice)}`" for choice in spec.choices) or spec.value_name
    default = format_value(spec.default)
    return [f"`{spec.name}`", values, f"`{default}`" if default else "", spec.description]


def test_every_pass_and_pipeline_has_a_section() -> None:
    assert set(SECTIONS) == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_a_section_has_the_options_of_its_pass(name: str) -> None:
    options = OURS[name][0]
    assert table_rows(SECTIONS[name]) == [_row(spec) for spec in option_specs(options)]


@pytest.mark.parametrize("name", [name for name in OURS if len(OURS[name]) == 1])
def test_a_section_starts_with_the_description_of_its_pass(name: str) -> None:
    assert SECTIONS[name].startswith(OURS[name][0].description + ". ")
