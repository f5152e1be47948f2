"""The affine map of a layout attribute is the model's layout, element by element."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from affine_value import value
from hypothesis import given
from layout_strategies import smem_layouts, tmem_layouts
from mlir import ir
from tcgen05_mlir.dialects import tcgen05
from tcgen05_mlir.model import SmemLayout, TmemLayout


@pytest.fixture(autouse=True, scope="module")
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def memref(attribute: ir.Attribute, shape: tuple[int, ...], space: int) -> ir.MemRefType:
    i32 = ir.IntegerType.get_signless(32)
    return ir.MemRefType.get(shape, i32, attribute, ir.Attribute.parse(str(space)))


def every_index(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*map(range, shape))


@given(tmem_layouts())
def test_tensor_memory(layout: TmemLayout) -> None:
    found = memref(tcgen05.TmemLayoutAttr.get(layout), layout.shape, 6)
    for index in every_index(layout.shape):
        assert value(found, index) == layout.offset_of(index)


@given(smem_layouts())
def test_shared_memory(layout: SmemLayout) -> None:
    found = memref(tcgen05.SmemLayoutAttr.get(layout), layout.shape, 3)
    for index in every_index(layout.shape):
        assert value(found, index) == layout.offset_of(index)


@pytest.mark.parametrize("swizzle", [0, 1, 2, 3])
def test_a_whole_swizzle_period(swizzle: int) -> None:
    """Every word of 2 KiB: eight rows of 128 bytes, twice."""
    layout = SmemLayout((512,), (1,), swizzle=swizzle)
    found = memref(tcgen05.SmemLayoutAttr.get(layout), (512,), 3)
    mask = (1 << swizzle) - 1
    for word in range(512):
        address = 4 * word
        assert value(found, (word,)) == (address ^ (address >> 7 & mask) << 4) // 4


def test_a_dynamic_leading_extent() -> None:
    layout = SmemLayout(((None, 2), 4), ((512, 32), 1), offset=8, swizzle=3)
    dynamic = ir.ShapedType.get_dynamic_size()
    found = memref(tcgen05.SmemLayoutAttr.get(layout), (dynamic, 4), 3)
    for index in every_index((14, 4)):
        assert value(found, index) == layout.offset_of(index)


def test_the_largest_values_stay_exact() -> None:
    """An address of tensor memory is 64 bits wide in the map: no step of it overflows."""
    largest = 2**31 - 1
    layout = TmemLayout.parse(f"((2, 2), 2) : (({largest}@lane, -{largest}@lane), {largest}@col)")
    found = memref(tcgen05.TmemLayoutAttr.get(layout), (4, 2), 6)
    for index in every_index((4, 2)):
        assert value(found, index) == layout.offset_of(index)


def test_no_layout_calls_itself_an_identity_or_reports_strides() -> None:
    """Passes drop an identity, and turn strides into a layout without replicas or swizzle."""
    tile = memref(tcgen05.TmemLayoutAttr.get("(4, 4) : (4@col, 1@col)"), (4, 4), 6)
    plain = memref(tcgen05.SmemLayoutAttr.get("(4, 4) : (4, 1)"), (4, 4), 3)
    for kind in (tile, plain):
        assert "tcgen05" in str(kind)
        with pytest.raises(RuntimeError, match="Failed to extract strides and offset from memref"):
            kind.get_strides_and_offset()
