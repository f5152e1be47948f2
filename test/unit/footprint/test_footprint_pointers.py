"""Sizes of LLVM types, and getelementptr into them."""

from __future__ import annotations

import pytest
from tcgen05_mlir.passes.facts.pointers import type_bytes
from traced import sum_parts


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("i1", 1),
        ("i24", 4),
        ("i128", 16),
        ("bf16", 2),
        ("vector<3xi32>", 16),
        ("!llvm.array<32 x i32>", 128),
        ("!llvm.array<2 x array<3 x i8>>", 6),
        ("!llvm.struct<(i8, array<2 x i32>)>", 12),
        ("!llvm.struct<packed (i8, array<2 x i32>)>", 9),
        ("!llvm.struct<(i8, struct<(i64, i8)>, i8)>", 32),
        ("!llvm.ptr", None),
    ],
)
def test_sizes(kind, size):
    assert type_bytes(kind) == size


@pytest.mark.parametrize(
    ("kind", "indices", "constant"),
    [
        ("i24", "3", 12),
        ("vector<3xi32>", "1", 16),
        ("!llvm.struct<(i8, array<128 x i128>)>", "0, 1", 16),
        ("!llvm.struct<(i8, array<128 x i128>)>", "0, 1, 2", 48),
        ("!llvm.struct<packed (i8, array<128 x i128>)>", "0, 1", 1),
    ],
)
def test_constant_indices(kind, indices, constant):
    text = f"""llvm.func @f(%p: !llvm.ptr<3>) -> !llvm.ptr<3> {{
      %q = llvm.getelementptr %p[{indices}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, {kind}
      llvm.return %q : !llvm.ptr<3>
    }}"""
    assert sum_parts(text) == (constant, [1])
