"""execute_cp against 156 recorded cases, against plain loops, and its refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from expectation import raises
from hypothesis import given, settings
from hypothesis import strategies as st
from tcgen05_mlir.model import Instruction, SmemDescriptor, execute_cp, legal_instructions

CASES = dict(np.load(Path(__file__).parents[2] / "data" / "cp_cases.npz"))
RNG = np.random.default_rng(5)
SMEM = RNG.integers(0, 256, 65536, np.uint8)


def fresh_tmem() -> np.ndarray:
    """Tensor memory whose every cell holds a value of its own."""
    return np.arange(128 * 512, dtype=np.uint32).reshape(128, 512) ^ np.uint32(0xA5A50000)


def case_instruction(case: int) -> Instruction:
    shape, _, multicast = str(CASES["shape_names"][CASES["shape"][case]]).partition(".")
    src_format = str(CASES["dec_names"][CASES["dec"][case]])
    return Instruction(shape, multicast or None, CASES["cta_group"][case], src_format)


def case_tmem(case: int, cta: int) -> np.ndarray:
    """What the tensor memory of a CTA holds after the case."""
    cells = slice(CASES["cell_ptr"][case], CASES["cell_ptr"][case + 1])
    mine = CASES["cell_cta"][cells] == cta
    tmem = fresh_tmem()
    place = CASES["cell_lane"][cells][mine], CASES["cell_col"][cells][mine]
    tmem[place] = CASES["cell_val"][cells][mine]
    return tmem


def test_the_156_cases_cover_the_table() -> None:
    """All but decompression in a CTA pair, which differs from that of one CTA in no cell."""
    instructions = [case_instruction(case) for case in range(len(CASES["desc"]))]
    assert len(instructions) == 156
    assert set(instructions) == {
        instruction
        for instruction in legal_instructions()
        if instruction.cta_group == 1 or instruction.src_format is None
    }
    assert set(CASES["swizzle"].tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize("case", range(len(CASES["desc"])))
def test_a_recorded_case(case: int) -> None:
    instruction = case_instruction(case)
    assert (instruction.rows, instruction.words) == (
        CASES["rows"][CASES["shape"][case]],
        CASES["words"][CASES["shape"][case]],
    )
    descriptor = SmemDescriptor.decode(CASES["desc"][case])
    assert descriptor == SmemDescriptor(
        *(CASES[k][case] for k in ("start", "ldo", "sdo", "swizzle"))
    )
    for cta in range(2):
        for form in (CASES["desc"][case], descriptor):
            tmem, smem = fresh_tmem(), CASES["smem"][cta].copy()
            if cta < instruction.cta_group:
                execute_cp(tmem, smem, CASES["taddr"][case], form, instruction)
            np.testing.assert_array_equal(tmem, case_tmem(case, cta))
            np.testing.assert_array_equal(smem, CASES["smem"][cta])


def slow_byte(block: bytes, at: int, src_format: str | None) -> int:
    number = int.from_bytes(block, "little")
    if src_format == "b4x16_p64":
        return (number >> (4 * at) & 15) << 2
    if src_format == "b6x16_p32":
        return number >> (6 * at) & 63
    return block[at]


def slow_execute(
    tmem: np.ndarray, taddr: int, descriptor: SmemDescriptor, instruction: Instruction
) -> None:
    """One word at a time."""
    for row in range(instruction.rows):
        for word in range(instruction.words):
            first = descriptor.address(row, word - word % 4)
            block = SMEM[first : first + 16].tobytes()
            value = sum(
                slow_byte(block, 4 * (word % 4) + byte, instruction.src_format) << (8 * byte)
                for byte in range(4)
            )
            for lane in instruction.lanes(row):
                tmem[(taddr >> 16) + lane, (taddr & 0xFFFF) + word] = value


@settings(max_examples=40)
@given(
    st.sampled_from(list(legal_instructions())),
    st.integers(0, 3),
    st.integers(0, 1000),
    st.integers(0, 100),
    st.integers(0, 125),
    st.integers(0, 31),
)
def test_it_is_the_slow_one(
    instruction: Instruction, swizzle: int, unit: int, ldo: int, column: int, lane: int
) -> None:
    aligned = unit * 16 & ~((16 << swizzle) - 1)
    descriptor = SmemDescriptor(aligned, 16 * ldo, 128 * (ldo % 16), swizzle)
    taddr = (lane if instruction.rows == 4 else 0) << 16 | 4 * column
    tmem, wanted = fresh_tmem(), fresh_tmem()
    execute_cp(tmem, SMEM, taddr, descriptor, instruction)
    slow_execute(wanted, taddr, descriptor, instruction)
    np.testing.assert_array_equal(tmem, wanted)


def test_a03_dead_ldo_values_change_nothing() -> None:
    results = []
    for ldo in (0, 16, 4096, None):
        results.append(fresh_tmem())
        execute_cp(results[-1], SMEM, 0, SmemDescriptor(0, ldo, 1024, 3), Instruction("128x256b"))
    assert [np.array_equal(result, results[0]) for result in results] == [True] * 4
    assert not np.array_equal(results[0], fresh_tmem())


def test_schedule_scale_factors() -> None:
    values = RNG.integers(0, 256, (128, 4), np.uint8)
    smem = np.zeros(512, np.uint8)
    for row, k in np.ndindex(128, 4):
        smem[(row % 32) * 16 + (row // 32) * 4 + k] = values[row, k]
    tmem = fresh_tmem()
    execute_cp(tmem, smem, 8, SmemDescriptor(sdo=128), Instruction("32x128b", "warpx4"))
    written = tmem[:, 8:12].copy().view(np.uint8).reshape(4, 32, 4, 4)
    for group, lane, column, byte in np.ndindex(4, 32, 4, 4):
        assert written[group, lane, column, byte] == values[column * 32 + lane, byte]


def test_schedule_scatter_of_a_swizzled_tile() -> None:
    rows = RNG.integers(0, 1 << 32, (64, 8), np.uint32)
    smem = np.zeros(2048, np.uint8)
    whole = SmemDescriptor(sdo=256, swizzle=1)
    for row, word in np.ndindex(64, 8):
        at = whole.address(row, word)
        smem[at : at + 4] = rows[row, word : word + 1].view(np.uint8)
    tmem, wanted = fresh_tmem(), fresh_tmem()
    for copy in range(16):
        source = SmemDescriptor(128 * copy, ldo=0, swizzle=1)
        execute_cp(tmem, smem, copy << 16, source, Instruction("4x256b"))
        for quarter in range(4):
            wanted[32 * quarter + copy, :8] = rows[4 * copy + quarter]
    np.testing.assert_array_equal(tmem, wanted)


GOOD: dict[str, Any] = {"taddr": 0, "descriptor": SmemDescriptor(ldo=128, sdo=256)}


@pytest.mark.parametrize(
    ("form", "taddr", "message"),
    [
        (
            ("128x256b",),
            508,
            "'taddr' must keep the footprint inside columns 0..511, got column 508 from which "
            "128x256b reaches column 515 [F6]",
        ),
        (("128x128b",), 2, "'taddr' column origin must be a multiple of 4, got 2 [F4]"),
        (
            ("32x128b", "warpx4"),
            32 << 16,
            "'taddr' must keep the footprint inside lanes 0..127, got lane 32 from which "
            "32x128b.warpx4 reaches lane 159 [F5]",
        ),
        (
            ("64x128b", "warpx2::02_13"),
            64 << 16,
            "'taddr' must keep the footprint inside lanes 0..127, got lane 64 from which "
            "64x128b.warpx2::02_13 reaches lane 191 [F5]",
        ),
        (("4x256b",), -4, "'taddr' must be at least 0 and below 4294967296, got -4"),
        (("4x256b",), 1 << 32, "'taddr' must be at least 0 and below 4294967296, got 4294967296"),
    ],
)
def test_a15_a_footprint_outside_tensor_memory(
    form: tuple[str, ...], taddr: int, message: str
) -> None:
    tmem = fresh_tmem()
    with raises(ValueError, message):
        execute_cp(tmem, SMEM, taddr, GOOD["descriptor"], Instruction(*form))
    np.testing.assert_array_equal(tmem, fresh_tmem())


def test_a15_the_last_columns_are_written() -> None:
    tmem = fresh_tmem()
    execute_cp(tmem, SMEM, 508, SmemDescriptor(sdo=128), Instruction("128x128b"))
    np.testing.assert_array_equal(tmem[:, :508], fresh_tmem()[:, :508])
    np.testing.assert_array_equal(tmem[:, 508:], SMEM[:2048].view(np.uint32).reshape(128, 4))


def test_a_4_row_copy_starts_at_any_of_32_lanes() -> None:
    tmem = fresh_tmem()
    execute_cp(tmem, SMEM, 31 << 16, SmemDescriptor(ldo=128), Instruction("4x256b"))
    assert np.argwhere((tmem != fresh_tmem()).any(axis=1)).ravel().tolist() == [31, 63, 95, 127]
    with pytest.raises(ValueError, match=r"reaches lane 128 \[F5\]$"):
        execute_cp(tmem, SMEM, 32 << 16, SmemDescriptor(ldo=128), Instruction("4x256b"))


@pytest.mark.parametrize(
    ("descriptor", "size", "message"),
    [
        (
            SmemDescriptor(sdo=128),
            2047,
            "'descriptor' must keep the walk inside the 2047 bytes of 'smem', got bytes 2032 to "
            "2047 for row 127, word 0 [F10]",
        ),
        (
            SmemDescriptor(1024, sdo=512),
            4096,
            "'descriptor' must keep the walk inside the 4096 bytes of 'smem', got bytes 4096 to "
            "4111 for row 48, word 0 [F10]",
        ),
    ],
)
def test_f10_a_walk_outside_shared_memory(
    descriptor: SmemDescriptor, size: int, message: str
) -> None:
    tmem = fresh_tmem()
    with raises(ValueError, message):
        execute_cp(tmem, SMEM[:size], 0, descriptor, Instruction("128x128b"))
    np.testing.assert_array_equal(tmem, fresh_tmem())


def test_f10_padding_belongs_to_the_walk() -> None:
    packed = Instruction("128x128b", src_format="b4x16_p64")
    execute_cp(fresh_tmem(), SMEM[:2048], 0, SmemDescriptor(sdo=128), packed)
    with pytest.raises(ValueError, match=r"got bytes 2032 to 2047 for row 127, word 0 \[F10\]$"):
        execute_cp(fresh_tmem(), SMEM[:2040], 0, SmemDescriptor(sdo=128), packed)


@pytest.mark.parametrize(("swizzle", "phase"), [(1, 16), (2, 48), (3, 112)])
def test_f12_a_row_across_a_swizzle_row(swizzle: int, phase: int) -> None:
    tmem, sdo = fresh_tmem(), 128 << swizzle
    wide, narrow = Instruction("128x256b"), Instruction("128x128b")
    with raises(
        ValueError,
        f"'descriptor' must keep each 32-byte row inside a {16 << swizzle}-byte swizzle row, "
        f"got row 0 at byte {phase} of one [F12]",
    ):
        execute_cp(tmem, SMEM, 0, SmemDescriptor(phase, sdo=sdo, swizzle=swizzle), wide)
    np.testing.assert_array_equal(tmem, fresh_tmem())
    execute_cp(tmem, SMEM, 0, SmemDescriptor(phase - 16, sdo=sdo, swizzle=swizzle), wide)
    execute_cp(tmem, SMEM, 0, SmemDescriptor(phase, sdo=sdo, swizzle=swizzle), narrow)


def test_f12_is_judged_for_every_row() -> None:
    source = SmemDescriptor(sdo=272, swizzle=1)
    with pytest.raises(ValueError, match=r"got row 8 at byte 16 of one \[F12\]$"):
        execute_cp(fresh_tmem(), SMEM, 0, source, Instruction("128x256b"))


@pytest.mark.parametrize(
    ("kind", "changed", "message"),
    [
        (TypeError, {"tmem": [[0]]}, "'tmem' must be a numpy array, got list"),
        (TypeError, {"tmem": np.zeros((128, 512))}, "'tmem' must be uint32, got float64"),
        (TypeError, {"smem": np.zeros(9, np.int8)}, "'smem' must be uint8, got int8"),
        (
            ValueError,
            {"tmem": np.zeros((512, 128), np.uint32)},
            "'tmem' must be 128 x 512, got shape (512, 128)",
        ),
        (
            ValueError,
            {"tmem": np.zeros(65536, np.uint32)},
            "'tmem' must have 2 dimension(s), got shape (65536,)",
        ),
        (
            ValueError,
            {"smem": np.zeros((2, 40960), np.uint8)},
            "'smem' must have 1 dimension(s), got shape (2, 40960)",
        ),
        (
            ValueError,
            {"smem": np.zeros(262145, np.uint8)},
            "'smem' must be at most 262144 bytes, got 262145",
        ),
        (TypeError, {"taddr": 4.0}, "'taddr' must be an integer, got float 4.0"),
        (TypeError, {"descriptor": "0x0"}, "'descriptor' must be an integer, got str '0x0'"),
        (
            ValueError,
            {"descriptor": 0},
            "descriptor 0x0000000000000000: fixed bits 46-48 must be 0b1, got 0b0 [C5]",
        ),
        (
            ValueError,
            {"descriptor": SmemDescriptor(sdo=256)},
            "'ldo' must be given: 128x256b reads it when unswizzled [C5]",
        ),
        (
            TypeError,
            {"instruction": "128x256b"},
            "'instruction' must be an Instruction, got str",
        ),
    ],
)
def test_arguments_that_no_copy_takes(
    kind: type[Exception], changed: dict[str, Any], message: str
) -> None:
    tmem = fresh_tmem()
    arguments = {"tmem": tmem, "smem": SMEM, **GOOD, "instruction": Instruction("128x256b")}
    with raises(kind, message):
        execute_cp(**{**arguments, **changed})
    np.testing.assert_array_equal(tmem, fresh_tmem())


def test_a_read_only_tensor_memory_is_refused() -> None:
    tmem = fresh_tmem()
    tmem.flags.writeable = False
    with pytest.raises(ValueError, match=r"^'tmem' must be writeable, got a read-only array$"):
        execute_cp(tmem, SMEM, 0, SmemDescriptor(sdo=128), Instruction("128x128b"))
