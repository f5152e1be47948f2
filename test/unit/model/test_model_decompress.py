"""FP4 and FP6 unpacking against loops over single bits."""

from __future__ import annotations

import numpy as np
import pytest
from expectation import raises
from hypothesis import given
from hypothesis import strategies as st
from tcgen05_mlir.model.decompress import FP4_SHIFT, FP6_SHIFT, decompress


def slow_unpack(block: bytes, bits: int, shift: int) -> list[int]:
    number = int.from_bytes(block, "little")
    return [(number >> (bits * at) & ((1 << bits) - 1)) << shift for at in range(16)]


def block_of(data: bytes) -> np.ndarray:
    return np.frombuffer(data.ljust(16, b"\xee"), np.uint8)


def test_the_placements() -> None:
    assert (FP4_SHIFT, FP6_SHIFT) == (2, 0)


def test_fp6_values_1_2_31_63() -> None:
    unpacked = decompress(block_of(bytes.fromhex("81F0FD") * 4), "b6x16_p32")
    assert unpacked.tolist() == [1, 2, 31, 63] * 4


def test_fp4_low_nibble_first() -> None:
    unpacked = decompress(block_of(bytes.fromhex("F1") * 8), "b4x16_p64")
    assert unpacked.tolist() == [0x04, 0x3C] * 8


@given(st.binary(min_size=16, max_size=16))
def test_unpacking_is_the_slow_one(data: bytes) -> None:
    block = np.frombuffer(data, np.uint8)
    assert decompress(block, "b4x16_p64").tolist() == slow_unpack(data, 4, 2)
    assert decompress(block, "b6x16_p32").tolist() == slow_unpack(data, 6, 0)
    assert decompress(block, None).tolist() == list(data)


@pytest.mark.parametrize(("src_format", "packed"), [("b4x16_p64", 8), ("b6x16_p32", 12)])
def test_padding_is_never_copied(src_format: str, packed: int) -> None:
    one, other = np.zeros(16, np.uint8), np.zeros(16, np.uint8)
    other[packed:] = 0xFF
    assert decompress(one, src_format).tolist() == decompress(other, src_format).tolist()


def test_many_blocks_at_once() -> None:
    blocks = np.arange(96, dtype=np.uint8).reshape(3, 2, 16)
    unpacked = decompress(blocks, "b6x16_p32")
    assert (unpacked.dtype, unpacked.shape) == (np.uint8, (3, 2, 16))
    for at in np.ndindex(3, 2):
        assert unpacked[at].tolist() == slow_unpack(blocks[at].tobytes(), 6, 0)


def test_wrong_blocks() -> None:
    with raises(TypeError, "'blocks' must be uint8, got int64"):
        decompress(np.zeros(16, np.int64), "b4x16_p64")  # pyright: ignore[reportArgumentType]
    with raises(ValueError, "'blocks' must end in 16 bytes, got shape (2, 8)"):
        decompress(np.zeros((2, 8), np.uint8), "b4x16_p64")
    with raises(ValueError, "'src_format' must be none or b4x16_p64 or b6x16_p32, got b8x16 [C1]"):
        decompress(np.zeros(16, np.uint8), "b8x16")
