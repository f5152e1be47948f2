"""What a host needs to know of emulated kernels: the binding's bytes and the report's words."""

from __future__ import annotations

import struct
import subprocess
import sys

import pytest
from tcgen05_mlir.emulation import abi
from tcgen05_mlir.emulation.checks import CHECKS, NUMBER
from tcgen05_mlir.emulation.columns_state import describe_columns, live_columns

SITES = ["copy.mlir:12:5: 'nvvm.tcgen05.cp' op", "copy.mlir:20:5: 'nvvm.tcgen05.ld' op"]


def _report(
    check: int, values: tuple[int, ...], *, site: int = 0, state: int = abi.REPORT_COMPLETE
) -> bytes:
    words = (state, site, check, 4, 5, 6, 7, 8, 9, *values, *[0] * (4 - len(values)))
    return struct.pack("<13I", *words).ljust(abi.REPORT_BYTES, b"\0")


def test_an_empty_report_says_nothing() -> None:
    assert abi.decode_report(bytes(abi.REPORT_BYTES), SITES) is None


def test_a_report_has_the_site_the_message_and_the_place() -> None:
    assert abi.decode_report(_report(NUMBER["column_origin"], (2,)), SITES) == (
        "copy.mlir:12:5: 'nvvm.tcgen05.cp' op column origin must be a multiple of 4, got 2 [F4], "
        "in block (4, 5, 6), thread (7, 8, 9)"
    )


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        (
            "descriptor",
            (0x00010040, 0x20008),
            "must have a legal descriptor, got descriptor 0x0002000800010040: fixed bits 46-48 "
            "must be 0b1, got 0b0 [C5]",
        ),
        (
            "columns",
            (508, 515, 0x10F2, 0),
            "must stay inside one allocation, got columns 508 to 515; live are columns 0 to 63, "
            "columns 96 to 127 [F6]",
        ),
        (
            "walk",
            (0x400, 3, 0x400, 0xBFF),
            "must read inside the block's shared memory, bytes 0x400 to 0xbff, got 16 bytes at "
            "0x400 for row 3 [F10]",
        ),
        (
            "alloc_sum",
            (32, 512, 0xFFFFFFF5, 0xFFFFFFFF),
            "must keep at most 512 columns live, got 32 more with 512 live; live are columns 0 to "
            "511 [P6]",
        ),
        (
            "dealloc_start",
            (1, 32, 0, 0),
            "must give back an allocation from its start, got lane 1, column 32; live are "
            "none [P6]",
        ),
        (
            "bound",
            (4, 2),
            "must run in a block that has tensor memory: bound are 2 blocks, got number 4 [E2]",
        ),
        (
            "alignment",
            (0x10, 0x7F, 1024),
            "must be aligned to 1024 bytes, as the kernel assumes, got address 0x7f00000010 [F9]",
        ),
    ],
)
def test_the_words_of_a_check(name: str, values: tuple[int, ...], words: str) -> None:
    text = abi.decode_report(_report(NUMBER[name], values, site=1), SITES)
    assert text == f"{SITES[1]} {words}, in block (4, 5, 6), thread (7, 8, 9)"


def test_every_check_has_its_own_number_a_rule_and_words_for_any_values() -> None:
    assert [check.number for check in CHECKS] == list(range(1, len(CHECKS) + 1))
    assert len(NUMBER) == len(CHECKS)
    for check in CHECKS:
        for values in [(0, 0, 0, 0), (0xFFFFFFFF,) * 4]:
            assert check.message(values).endswith("]"), check.name


def test_a_report_that_was_not_finished() -> None:
    text = abi.decode_report(_report(2, (2,), state=abi.REPORT_CLAIMED), SITES)
    assert text == "a check failed, and the kernel ended before its report was complete"


def test_what_another_version_reports() -> None:
    text = abi.decode_report(_report(999, (1, 2), site=7), SITES)
    assert text == (
        "operation 7 of the module fails check 999, unknown to this version, with 0x1, 0x2, 0x0, "
        "0x0, in block (4, 5, 6), thread (7, 8, 9)"
    )


def test_a_report_that_is_too_short() -> None:
    with pytest.raises(ValueError, match=r"^'data' must have 128 bytes, got 127$"):
        abi.decode_report(bytes(127), SITES)


def test_the_binding_is_four_little_endian_words() -> None:
    data = abi.pack_binding(0x1122334455667788, 2, 3, 4)
    assert len(data) == abi.BINDING_BYTES
    assert data == bytes.fromhex("8877665544332211 0200000000000000 0300000000000000") + (
        bytes.fromhex("0400000000000000")
    )


def test_allocations_in_a_word() -> None:
    assert live_columns(0) == ()
    assert live_columns(0x10F2) == ((0, 64), (96, 32))
    assert live_columns(0xFFFFFFFFFFFFFFF5) == ((0, 512),)
    assert describe_columns(0) == "none"


def test_it_needs_no_mlir() -> None:
    hide = "lambda name, *rest: None if name == 'mlir' else find_spec(name, *rest)"
    code = (
        "import sys, importlib.util; find_spec = importlib.util.find_spec\n"
        f"importlib.util.find_spec = {hide}; sys.modules['mlir'] = None\n"
        "from tcgen05_mlir.emulation import abi\n"
        "print(sorted(name for name in sys.modules if name.startswith('cuda')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
