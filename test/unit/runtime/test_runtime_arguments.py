"""Arguments against MLIR types: what fits becomes the right bits, the rest is refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tcgen05_mlir.runtime.arguments import checked
from whole import whole


def bits(type_: str, value: Any) -> np.generic | None:
    ((given, number),) = checked("k", [type_], [value])
    assert given is value
    return number


@pytest.mark.parametrize(
    ("type_", "value", "raw"),
    [
        ("i1", True, "01"),
        ("i1", np.bool_(False), "00"),
        ("i1", 1, "01"),
        ("i8", -1, "ff"),
        ("i8", 255, "ff"),
        ("i16", np.int16(-2), "feff"),
        ("i16", np.uint16(0xABCD), "cdab"),
        ("i24", 0x123456, "56341200"),
        ("i32", 1 << 31, "00000080"),
        ("i32", -(1 << 31), "00000080"),
        ("i64", (1 << 64) - 1, "ff" * 8),
        ("index", 5, "0500000000000000"),
        ("index", np.int64(-1), "ff" * 8),
        ("f16", 1.0, "003c"),
        ("f16", np.float16(-2), "00c0"),
        ("f32", 1, "0000803f"),
        ("f32", np.float32(0.1), "cdcccc3d"),
        ("f64", 0.1, "9a9999999999b93f"),
        ("bf16", 1.0, "803f"),
        # Halfway between 0x3f80 and 0x3f81: to even. Just above: up, though f32 would lose it.
        ("bf16", 1.00390625, "803f"),
        ("bf16", 1.00390625 + 2**-40, "813f"),
        ("bf16", float("nan"), "c07f"),
        # The largest, what is rounded to it, and infinity itself.
        ("f16", 65519.9, "ff7b"),
        ("f32", 3.4028235e38, "ffff7f7f"),
        ("bf16", -3.39e38, "7fff"),
        ("f16", float("inf"), "007c"),
        ("f32", float("-inf"), "000080ff"),
        ("bf16", float("-inf"), "80ff"),
        ("f32", np.float32("inf"), "0000807f"),
        ("f64", 1e308, "a0c8eb85f3cce17f"),
    ],
)
def test_numbers_become_their_bits(type_: str, value: Any, raw: str) -> None:
    number = bits(type_, value)
    assert number is not None
    assert number.tobytes().hex() == raw


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("memref<2x3xi32>", np.zeros((2, 3), np.int32)),
        ("memref<2x3xi32>", np.zeros((2, 3), np.uint32)),
        ("memref<2x3xi32, strided<[3, 1]>>", np.zeros((2, 3), np.int32)),
        ("memref<2x3xi32>", np.asfortranarray(np.zeros((2, 3), np.int32))),
        ("memref<2x3xi32, 1>", np.zeros((2, 6), np.int32)[:, ::2]),
        ("memref<0x3xf32>", np.zeros((0, 3), np.float32)),
        ("memref<f64>", np.zeros((), np.float64)),
        ("memref<4xi1>", np.zeros(4, bool)),
        ("memref<4xbf16>", np.zeros(4, np.uint16)),
        ("memref<4xf16>", np.zeros(4, np.float16)),
        ("memref<4xf8E4M3FN>", np.zeros(4, np.uint8)),
        ("memref<?xi32>", np.zeros(7, np.int32)),
        ("!llvm.ptr", np.zeros(7, np.float64)),
        ("!llvm.ptr<1>", np.zeros((), np.int8)),
    ],
)
def test_arrays_that_fit(type_: str, value: np.ndarray) -> None:
    assert bits(type_, value) is None


@pytest.mark.parametrize(
    ("type_", "value", "kind", "message"),
    [
        ("i32", 1.5, TypeError, "must be i32, got float 1.5"),
        ("i32", "1", TypeError, "must be i32, got str '1'"),
        ("i32", None, TypeError, "must be i32, got NoneType None"),
        ("i32", np.int64(1), TypeError, "must be i32, got int64 1"),
        ("i32", np.bool_(True), TypeError, "must be i32, got bool True"),
        ("i32", 1 << 32, ValueError, "must fit in i32, got 4294967296"),
        ("i32", -(1 << 31) - 1, ValueError, "must fit in i32, got -2147483649"),
        ("i1", 2, ValueError, "must fit in i1, got 2"),
        ("f16", 1e6, ValueError, "must fit in f16, got 1000000.0"),
        ("f16", 65520, ValueError, "must fit in f16, got 65520"),
        ("f32", 1e300, ValueError, "must fit in f32, got 1e+300"),
        ("f32", -1e39, ValueError, "must fit in f32, got -1e+39"),
        ("bf16", 1e300, ValueError, "must fit in bf16, got 1e+300"),
        ("bf16", 3.4e38, ValueError, "must fit in bf16, got 3.4e+38"),
        ("i24", 1 << 24, ValueError, "must fit in i24, got 16777216"),
        ("f32", np.float64(1), TypeError, "must be f32, got float64 1.0"),
        ("f32", True, TypeError, "must be f32, got bool True"),
        ("bf16", np.float32(1), TypeError, "must be bf16, got float32 1.0"),
        ("memref<2xi32>", [1, 2], TypeError, "must be an array for memref<2xi32>, got list [1, 2]"),
        ("!llvm.ptr", 5, TypeError, "must be an array for !llvm.ptr, got int 5"),
        (
            "memref<2xi32>",
            np.zeros(3, np.int32),
            ValueError,
            "must be 2xi32, got an array of shape 3 and type int32",
        ),
        (
            "memref<2xi32>",
            np.zeros(2, np.float32),
            ValueError,
            "must be 2xi32, got an array of shape 2 and type float32",
        ),
        (
            "memref<i32>",
            np.zeros(2, np.int32),
            ValueError,
            "must be i32, got an array of shape 2 and type int32",
        ),
        (
            "memref<2xi32>",
            np.zeros((), np.int32),
            ValueError,
            "must be 2xi32, got an array of shape () and type int32",
        ),
        (
            "memref<2xi32>",
            np.zeros(2, ">i4"),
            TypeError,
            "must be little-endian, as GPUs are, got >i4",
        ),
        ("!llvm.ptr", np.zeros(2, object), TypeError, "must be an array of numbers, got object"),
    ],
)
def test_what_does_not_fit(type_: str, value: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=whole(f"argument 0 of kernel 'k' {message}")):
        bits(type_, value)


@pytest.mark.parametrize("type_", ["i32", "i64", "f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("bits_", [1329, 16610])
def test_numbers_with_more_digits_than_python_prints(type_: str, bits_: int) -> None:
    message = f"argument 0 of kernel 'k' must fit in {type_}, got an integer of {bits_} bits"
    for value in (1 << bits_ - 1, -(1 << bits_ - 1)):
        with pytest.raises(ValueError, match=whole(message)):
            bits(type_, value)


@pytest.mark.parametrize("type_", ["i128", "vector<4xi32>", "!llvm.struct<(i32)>"])
def test_what_cannot_be_given(type_: str) -> None:
    with pytest.raises(
        NotImplementedError,
        match=whole(
            f"argument 0 of kernel 'k' has type {type_}: numbers of up to 64 bits, pointers and "
            "memrefs can be given"
        ),
    ):
        bits(type_, 1)


def test_the_count() -> None:
    with pytest.raises(ValueError, match=whole("kernel 'k' takes 2 arguments (i32, f32), got 1")):
        list(checked("k", ["i32", "f32"], [1]))
