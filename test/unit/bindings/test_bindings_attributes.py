"""The attribute classes: get, back to the model, equality, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from building import Site, attribute, refused
from mlir import ir
from tcgen05_mlir.dialects.tcgen05 import SmemDescAttr, SmemLayoutAttr, TmemLayoutAttr
from tcgen05_mlir.model import COL, LANE, SmemLayout, TmemLayout

SF = "#tcgen05.tmem_layout<(4, 32, 4) : (4@col, 1@lane, 1@col), replicas = (4) : (32@lane)>"
TILE = "#tcgen05.smem_layout<(128, 8) : (32, 1), offset = 8, swizzle = 3>"
LAYOUTS = [(TmemLayoutAttr, TmemLayout, SF), (SmemLayoutAttr, SmemLayout, TILE)]


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("kind", "model", "text"), LAYOUTS)
def test_a_layout_from_every_spelling(kind: type, model: type, text: str) -> None:
    fields = text[text.index("<") + 1 : -1]
    wanted = kind.get(model.parse(text))
    assert str(wanted) == text
    assert [kind.get(spelling) for spelling in (text, f"<{fields}>", fields)] == [wanted] * 3
    assert attribute(text) == wanted
    assert wanted.layout == model.parse(text)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("kind", "model", "text"), LAYOUTS)
def test_a_layout_is_a_value(kind: type, model: type, text: str) -> None:
    first, second, other = (
        kind.get(text),
        kind.get(model.parse(text)),
        kind.get("(4) : (0@col)" if kind is TmemLayoutAttr else "(4) : (0)"),
    )
    assert first == second != other
    assert hash(first) == hash(second)
    assert {first: 1}[second] == 1
    assert repr(first) == f"{kind.__name__}({text})"
    # What MLIR hands out is of the class too.
    assert type(attribute(text)) is kind
    assert isinstance(first, ir.Attribute)
    assert kind.isinstance(first)
    assert not kind.isinstance(other if kind is SmemDescAttr else attribute("5"))


@pytest.mark.usefixtures("site")
def test_equal_replica_sets_are_equal_attributes() -> None:
    sets = [
        ((4,), (32 @ LANE,)),
        ((2, 2), (64 @ LANE, 32 @ LANE)),
        ((2, 2), (32 @ LANE, 64 @ LANE)),
        ((1, 4), (7 @ COL, 32 @ LANE)),
    ]
    made = {TmemLayoutAttr.get(TmemLayout((32, 4), (1 @ LANE, 1 @ COL), s)) for s in sets}
    texts = ["(4) : (32@lane)", "(2, 2) : (64@lane, 32@lane)", "((2, 2)) : ((32@lane, 64@lane))"]
    made |= {
        attribute(f"#tcgen05.tmem_layout<(32, 4) : (1@lane, 1@col), replicas = {t}>") for t in texts
    }
    assert len(made) == 1


def test_a_layout_in_a_type(site: Site) -> None:
    (layout, found) = (TmemLayoutAttr.get("(128, 4) : (1@lane, 1@col)"), site.tile_type.layout)
    assert found == layout
    assert isinstance(found, TmemLayoutAttr)
    with pytest.raises(
        ir.MLIRError, match="mode 0 of the layout has extent 128, dimension 0 of the memref 64"
    ):
        ir.MemRefType.get((64, 4), ir.F32Type.get(), layout, attribute("6"))


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("kind", "exception", "layout", "message"),
    [
        (TmemLayoutAttr, TypeError, 5, "'layout' must be a TmemLayout or its text, got int"),
        (
            SmemLayoutAttr,
            TypeError,
            None,
            "'layout' must be a SmemLayout or its text, got NoneType",
        ),
        (
            TmemLayoutAttr,
            TypeError,
            SmemLayout((4,), (1,)),
            "'layout' must be a TmemLayout or its text, got SmemLayout",
        ),
        (
            TmemLayoutAttr,
            ValueError,
            TILE,
            "tmem_layout: expected '#tcgen05.tmem_layout', found '#tcgen05.smem_layout' "
            f"at character 1 of '{TILE}'",
        ),
        (
            SmemLayoutAttr,
            ValueError,
            "(4) : (1), swizzle = 4",
            "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), got 4 [C5]",
        ),
        (
            TmemLayoutAttr,
            ValueError,
            "(4, 4) : (1@lane)",
            "strides must nest as the extents do: sub-modes per mode (1, 1), got (1,)",
        ),
    ],
)
def test_what_no_layout_is_made_of(
    kind: type, exception: type[Exception], layout: object, message: str
) -> None:
    with refused(exception, message):
        kind.get(layout)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("kind", [TmemLayoutAttr, SmemLayoutAttr, SmemDescAttr])
def test_a_cast_from_another_attribute(kind: type) -> None:
    with refused(
        ValueError, f"Cannot cast attribute to {kind.__name__} (from IntegerAttr(5 : i64))"
    ):
        kind(attribute("5"))


@pytest.mark.usefixtures("site")
def test_a_descriptor() -> None:
    whole = SmemDescAttr.get(ldo=np.int32(16), sdo=128, swizzle=3)
    assert (whole.ldo, whole.sdo, whole.swizzle) == (16, 128, 3)
    assert str(whole) == "#tcgen05.smem_desc<ldo = 16, sdo = 128, swizzle = 3>"
    assert repr(whole) == f"SmemDescAttr({whole})"
    empty = SmemDescAttr.get()
    assert (empty.ldo, empty.sdo, empty.swizzle) == (None, None, 0)
    assert str(empty) == "#tcgen05.smem_desc<>"
    assert attribute("#tcgen05.smem_desc<sdo = 0, swizzle = 0>") == SmemDescAttr.get(sdo=0)
    assert type(attribute("#tcgen05.smem_desc<>")) is SmemDescAttr
    assert len({whole, attribute(str(whole)), empty}) == 2
    # Zero is a value, absent is none; the copy judges values, the attribute keeps them.
    assert SmemDescAttr.get(ldo=0) != SmemDescAttr.get()
    assert SmemDescAttr.get(ldo=-(2**63)).ldo == -(2**63)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("exception", "fields", "message"),
    [
        (TypeError, {"ldo": "16"}, "'ldo' must be an integer, got str '16'"),
        (TypeError, {"sdo": True}, "'sdo' must be an integer, got bool True"),
        (TypeError, {"sdo": 16.0}, "'sdo' must be an integer, got float 16.0"),
        (TypeError, {"swizzle": None}, "'swizzle' must be an integer, got NoneType None"),
        (ValueError, {"ldo": 2**63}, f"'ldo' must fit 64 bits, got {2**63}"),
        (ValueError, {"swizzle": -(2**63) - 1}, f"'swizzle' must fit 64 bits, got {-(2**63) - 1}"),
    ],
)
def test_what_no_descriptor_is_made_of(
    exception: type[Exception], fields: dict[str, object], message: str
) -> None:
    with refused(exception, message):
        SmemDescAttr.get(**fields)


def test_a_context_may_be_named() -> None:
    context = ir.Context()
    made = [
        TmemLayoutAttr.get(SF, context),
        SmemLayoutAttr.get(TILE, context=context),
        SmemDescAttr.get(sdo=128, context=context),
    ]
    assert {attr.context for attr in made} == {context}
    assert ir.Context.current is None
