"""The descriptor's bits, its walk and rule C5."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from expectation import raises
from hypothesis import given
from hypothesis import strategies as st
from tcgen05_mlir.model import Instruction, SmemDescriptor, base_alignment, swizzle_address

units = st.integers(0, (1 << 14) - 1).map(lambda unit: 16 * unit)
swizzles = st.integers(0, 3)


def slow_address(start: int, ldo: int, sdo: int, swizzle: int, row: int, word: int) -> int:
    """The walk as the specification writes it, bit by bit."""
    address = start
    for _ in range(row // 8):
        address += sdo
    for _ in range(row % 8):
        address += (16, 32, 64, 128)[swizzle]
    if swizzle == 0 and word >= 4:
        address += ldo + 4 * (word - 4)
    else:
        address += 4 * word
    for bit in range(swizzle):
        if address >> (7 + bit) & 1:
            address += -(16 << bit) if address >> (4 + bit) & 1 else 16 << bit
    return address


@pytest.mark.parametrize(
    ("fields", "bits"),
    [
        ({"ldo": 16, "sdo": 128, "swizzle": 0}, 0x0000400800010000),
        ({"ldo": 128, "sdo": 256, "swizzle": 0}, 0x0000401000080000),
        ({"ldo": 16, "sdo": 1024, "swizzle": 3}, 0x4000404000010000),
        ({"ldo": 16, "sdo": 512, "swizzle": 2}, 0x8000402000010000),
        ({"ldo": 16, "sdo": 256, "swizzle": 1}, 0xC000401000010000),
        ({}, 0x0000400000000000),
        ({"start": 262128, "ldo": 262128, "sdo": 262128}, 0x00007FFF3FFF3FFF),
    ],
)
def test_constants(fields: dict[str, int], bits: int) -> None:
    descriptor = SmemDescriptor(**fields)
    assert f"{descriptor.encode():#018x}" == f"{bits:#018x}"
    assert SmemDescriptor.decode(bits) == SmemDescriptor(**{"ldo": 0, "sdo": 0, **fields})


def test_a01_no_other_bit() -> None:
    assert SmemDescriptor(0x400, ldo=16, sdo=128, swizzle=0).encode() == 0x0000400800010040


def test_a03_a_swizzled_walk_reads_no_ldo() -> None:
    wide = Instruction("128x256b")
    walks = [SmemDescriptor(0, ldo, 1024, 3).walk(wide) for ldo in (0, 16, 4096, None)]
    assert [np.array_equal(walk, walks[0]) for walk in walks] == [True] * 4
    with raises(ValueError, "'ldo' must be given: 128x256b reads it when unswizzled [C5]"):
        SmemDescriptor(sdo=256).walk(wide)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sdo": 24}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got 24 [C5]"),
        ({"ldo": 8}, "'ldo' must be a multiple of 16 in 0..262128 bytes, got 8 [C5]"),
        ({"start": 0x408}, "'start' must be a multiple of 16 in 0..262128 bytes, got 1032 [C5]"),
        ({"sdo": 262144}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got 262144 [C5]"),
        ({"sdo": -16}, "'sdo' must be a multiple of 16 in 0..262128 bytes, got -16 [C5]"),
    ],
)
def test_a06_fields_that_do_not_fit(fields: dict[str, int], message: str) -> None:
    with raises(ValueError, message):
        SmemDescriptor(**{"ldo": 128, **fields})


def test_a06_a_4_row_copy_never_reads_sdo() -> None:
    four = Instruction("4x256b")
    walk = SmemDescriptor(ldo=128, sdo=262128).walk(four)
    np.testing.assert_array_equal(walk, SmemDescriptor(ldo=128).walk(four))
    assert walk.tolist() == [
        [16 * row + 128 * (word // 4) + 4 * (word % 4) for word in range(8)] for row in range(4)
    ]


def test_b04_bytes_become_fields() -> None:
    bits = SmemDescriptor(0x4000, sdo=1024).encode()
    assert (bits & 0x3FFF, bits >> 32 & 0x3FFF) == (0x400, 64)


@pytest.mark.parametrize(
    ("fields", "value"), [("start", 1 << 18), ("start", -16), ("ldo", 1 << 18), ("ldo", -16)]
)
def test_b04_out_of_range_is_an_error(fields: str, value: int) -> None:
    with raises(
        ValueError, f"'{fields}' must be a multiple of 16 in 0..262128 bytes, got {value} [C5]"
    ):
        SmemDescriptor(**{fields: value})


@pytest.mark.parametrize("swizzle", [-1, 4, 6])
def test_c5_swizzle(swizzle: int) -> None:
    with raises(
        ValueError,
        "'swizzle' must be 0 (none), 1 (32 bytes), 2 (64 bytes) or 3 (128 bytes), "
        f"got {swizzle} [C5]",
    ):
        SmemDescriptor(swizzle=swizzle)


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [("start", 1.0, "float 1.0"), ("sdo", "128", "str '128'"), ("swizzle", True, "bool True")],
)
def test_fields_are_integers(field: str, value: Any, kind: str) -> None:
    with raises(TypeError, f"'{field}' must be an integer, got {kind}"):
        SmemDescriptor(**{field: value})


def test_c5_sdo_must_be_given_where_it_is_read() -> None:
    with raises(ValueError, "'sdo' must be given: 32x128b.warpx4 reads it [C5]"):
        SmemDescriptor(swizzle=3).require(Instruction("32x128b", "warpx4"))
    SmemDescriptor(swizzle=3).require(Instruction("4x256b"))
    SmemDescriptor(sdo=128).require(Instruction("128x128b"))


@pytest.mark.parametrize(
    ("flipped", "message"),
    [
        (1 << 14, "reserved bits 14-15 must be 0b0, got 0b1"),
        (1 << 15, "reserved bits 14-15 must be 0b0, got 0b10"),
        (3 << 30, "reserved bits 30-31 must be 0b0, got 0b11"),
        (1 << 46, "fixed bits 46-48 must be 0b1, got 0b0"),
        (1 << 47, "fixed bits 46-48 must be 0b1, got 0b11"),
        (1 << 48, "fixed bits 46-48 must be 0b1, got 0b101"),
        (5 << 49, "matrix base offset, bits 49-51, must be 0b0, got 0b101"),
        (1 << 52, "leading-dimension mode, bit 52, must be 0b0, got 0b1"),
        (1 << 53, "fixed bits 53-60 must be 0b0, got 0b1"),
        (1 << 60, "fixed bits 53-60 must be 0b0, got 0b10000000"),
        (1 << 61, "swizzle field, bits 61-63, must be 0, 2, 4 or 6, got 1"),
        (3 << 61, "swizzle field, bits 61-63, must be 0, 2, 4 or 6, got 3"),
        (5 << 61, "swizzle field, bits 61-63, must be 0, 2, 4 or 6, got 5"),
        (7 << 61, "swizzle field, bits 61-63, must be 0, 2, 4 or 6, got 7"),
    ],
)
def test_decode_names_the_malformed_field(flipped: int, message: str) -> None:
    bits = SmemDescriptor(ldo=16, sdo=128).encode() ^ flipped
    with raises(ValueError, f"descriptor {bits:#018x}: {message} [C5]"):
        SmemDescriptor.decode(bits)


@pytest.mark.parametrize("bits", [-1, 1 << 64])
def test_decode_takes_64_bits(bits: int) -> None:
    with raises(
        ValueError, f"'descriptor' must be at least 0 and below 18446744073709551616, got {bits}"
    ):
        SmemDescriptor.decode(bits)


@given(units, units, units, swizzles)
def test_encode_and_decode_are_inverse(start: int, ldo: int, sdo: int, swizzle: int) -> None:
    descriptor = SmemDescriptor(start, ldo, sdo, swizzle)
    assert SmemDescriptor.decode(descriptor.encode()) == descriptor
    assert SmemDescriptor.decode(np.uint64(descriptor.encode()))  # pyright: ignore[reportArgumentType] == descriptor


@pytest.mark.parametrize(
    ("swizzle", "sdo", "walk"),
    [
        (1, 256, [0, 32, 64, 96, 144, 176, 208, 240, 256]),
        (2, 512, [0, 64, 144, 208, 288, 352, 432, 496, 512]),
        (3, 1024, [0, 144, 288, 432, 576, 720, 864, 1008, 1024]),
    ],
)
def test_swizzled_walks(swizzle: int, sdo: int, walk: list[int]) -> None:
    descriptor = SmemDescriptor(sdo=sdo, swizzle=swizzle)
    assert [descriptor.address(row, 0) for row in range(9)] == walk


def test_schedule_256_bit_unswizzled() -> None:
    descriptor = SmemDescriptor(ldo=128, sdo=256)
    assert (descriptor.address(0, 4) // 4, descriptor.address(8, 0) // 4) == (32, 64)


@given(units, units, units, swizzles, st.integers(0, 127), st.integers(0, 7))
def test_the_walk_is_the_slow_one(
    start: int, ldo: int, sdo: int, swizzle: int, row: int, word: int
) -> None:
    descriptor = SmemDescriptor(start, ldo, sdo, swizzle)
    assert descriptor.address(row, word) == slow_address(start, ldo, sdo, swizzle, row, word)


@given(units, units, units, swizzles)
def test_the_whole_walk_is_the_slow_one(start: int, ldo: int, sdo: int, swizzle: int) -> None:
    walk = SmemDescriptor(start, ldo, sdo, swizzle).walk(Instruction("128x256b"))
    assert walk.dtype == np.int64
    assert walk.tolist() == [
        [slow_address(start, ldo, sdo, swizzle, row, word) for word in range(8)]
        for row in range(128)
    ]


def test_an_origin_inside_the_swizzle_period_keeps_its_phase() -> None:
    assert SmemDescriptor(start=1024 + 144, sdo=1024, swizzle=3).address(1, 0) == 1024 + 304
    assert SmemDescriptor(start=1024 + 144, sdo=1024, swizzle=3).linear_addresses(1, 0) == 1296


@given(st.integers(0, (1 << 18) - 1), swizzles)
def test_the_xor_is_its_own_inverse(address: int, swizzle: int) -> None:
    assert swizzle_address(swizzle_address(address, swizzle), swizzle) == address


def test_base_alignment() -> None:
    assert [base_alignment(swizzle) for swizzle in range(4)] == [16, 256, 512, 1024]


@pytest.mark.parametrize(
    ("row", "word", "message"),
    [
        (-1, 0, "'row' must be at least 0 and below 128, got -1"),
        (128, 0, "'row' must be at least 0 and below 128, got 128"),
        (0, 8, "'word' must be at least 0 and below 8, got 8"),
        (0, 4, "'ldo' must be given: the walk reads it here [C5]"),
        (8, 0, "'sdo' must be given: the walk reads it here [C5]"),
    ],
)
def test_what_address_cannot_answer(row: int, word: int, message: str) -> None:
    with raises(ValueError, message):
        SmemDescriptor().address(row, word)
