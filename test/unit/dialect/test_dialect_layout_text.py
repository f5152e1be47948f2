"""The dialect's parser and the model's agree: on every layout, and on what is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_strategies import smem_layouts, tmem_layouts
from mlir import ir
from tcgen05_mlir.dialects.tcgen05 import SmemLayoutAttr, TmemLayoutAttr
from tcgen05_mlir.model import SmemLayout, TmemLayout

KINDS = {"tmem_layout": (TmemLayoutAttr, TmemLayout), "smem_layout": (SmemLayoutAttr, SmemLayout)}


@given(layout=st.one_of(tmem_layouts(), smem_layouts()))
def test_a_layout_round_trips(layout: TmemLayout | SmemLayout) -> None:
    kind = TmemLayoutAttr if isinstance(layout, TmemLayout) else SmemLayoutAttr
    with ir.Context():
        attribute = kind.get(layout)
        assert attribute.layout == layout
        assert str(attribute) == str(layout)
        assert ir.Attribute.parse(str(layout)) == attribute


def judged(mnemonic: str, fields: str) -> tuple[Any, Any]:
    """What the dialect and the model read; None where they refuse."""
    text = f"#tcgen05.{mnemonic}<{fields}>"
    _, model = KINDS[mnemonic]
    try:
        by_dialect = str(ir.Attribute.parse(text))
    except ir.MLIRError:
        by_dialect = None
    try:
        by_model = str(model.parse(text))
    except ValueError:
        by_model = None
    return by_dialect, by_model


TOKENS = ["(", ")", ",", ":", "=", "?", "0", "1", "2", "-1", "4", "32@lane", "1@col", "64@row"]
FIELDS = ["offset", "swizzle", "replicas", ", offset = ", ", swizzle = ", ", replicas = "]
NUMBERS = ["2147483647", "2147483648", "-9223372036854775808", "9223372036854775808"]
SEEDS = [
    ("tmem_layout", "(128, 4) : (1@lane, 1@col)"),
    ("tmem_layout", "((2, 32), 4) : ((64@lane, 1@lane), 1@col), replicas = (2) : (32@lane)"),
    (
        "tmem_layout",
        "(4, 4) : (4@col, 1@lane), offset = (2@lane, 16@col), replicas = (1) : (0@col)",
    ),
    ("tmem_layout", "() : (), replicas = (2, 2) : (64@lane, 32@lane)"),
    ("smem_layout", "(?, 4) : (4, 1), offset = 4"),
    ("smem_layout", "((16, 8), (2, 4)) : ((64, 4), (32, 1)), swizzle = 3"),
]


@st.composite
def damaged(draw: Any) -> tuple[str, str]:
    """A layout's text with up to three tokens exchanged, inserted or left out."""
    mnemonic, fields = draw(st.sampled_from(SEEDS))
    tokens = fields.replace("(", " ( ").replace(")", " ) ").replace(",", " , ").split()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(tokens) - 1))
        new = draw(st.sampled_from([*TOKENS, *FIELDS, *NUMBERS]))
        tokens[at : at + draw(st.integers(0, 1))] = draw(st.sampled_from([[], [new]]))
        tokens = tokens or ["("]
    return mnemonic, " ".join(tokens)


@given(text=damaged())
def test_damaged_text_is_read_alike(text: tuple[str, str]) -> None:
    with ir.Context():
        by_dialect, by_model = judged(*text)
    assert by_dialect == by_model


@pytest.mark.parametrize("levels", [1, 15, 16, 17, 18, 200])
@pytest.mark.parametrize("mnemonic", KINDS)
def test_nesting_has_one_limit(mnemonic: str, levels: int) -> None:
    """Sixteen levels, the outermost parentheses included."""
    stride = "1@lane" if mnemonic == "tmem_layout" else "1"
    fields = f"{'(' * levels}4{')' * levels} : {'(' * levels}{stride}{')' * levels}"
    flat = f"#tcgen05.{mnemonic}<(4) : ({stride})>"
    with ir.Context():
        assert judged(mnemonic, fields) == ((flat, flat) if levels <= 16 else (None, None))


@pytest.mark.parametrize("mnemonic", KINDS)
def test_a_hundred_thousand_parentheses(mnemonic: str) -> None:
    with ir.Context():
        assert judged(mnemonic, "(" * 100_000) == (None, None)
        assert judged(mnemonic, "(" * 100_000 + ")" * 100_000) == (None, None)


def test_five_thousand_modes() -> None:
    """Long is no fault: only depth is bounded."""
    fields = f"({', '.join(['2'] * 5000)}) : ({', '.join(['1'] * 5000)})"
    with ir.Context():
        by_dialect, by_model = judged("smem_layout", fields)
    assert by_dialect == by_model == f"#tcgen05.smem_layout<{fields}>"
