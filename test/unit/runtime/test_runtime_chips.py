"""Which code runs on which GPU, and how it is said that it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tcgen05_mlir.model.targets import TARGETS
from tcgen05_mlir.runtime import Device
from tcgen05_mlir.runtime.chips import check_chip, runs
from test_runtime_manifest import MANIFEST
from whole import whole

H200 = Device(0, "NVIDIA H200", (9, 0), (13, 0), 132, 150 << 30, 48 << 10, 227 << 10, True)
B200 = replace(H200, ordinal=1, name="NVIDIA B200", capability=(10, 0))
GB300 = replace(H200, name="NVIDIA GB300", capability=(10, 3))


@pytest.mark.parametrize(
    ("chip", "emit", "on", "off"),
    [
        ("sm_100a", "cubin", ["10.0"], ["9.0", "10.3", "11.0", "12.0"]),
        ("sm_100a", "ptx", ["10.0"], ["9.0", "10.3", "11.0", "12.0"]),
        ("sm_100f", "cubin", ["10.0", "10.3"], ["9.0", "11.0", "12.0"]),
        ("sm_100f", "ptx", ["10.0", "10.3"], ["9.0", "11.0", "12.0"]),
        ("sm_103f", "cubin", ["10.3"], ["10.0", "11.0"]),
        ("sm_103a", "ptx", ["10.3"], ["10.0"]),
        ("sm_110f", "cubin", ["11.0"], ["10.0", "12.0"]),
        # Renamed: Thor is 11.0 for CUDA 13.
        ("sm_101a", "cubin", ["11.0"], ["10.0"]),
        ("sm_120f", "ptx", ["12.0", "12.1"], ["11.0"]),
        ("sm_121f", "ptx", ["12.1"], ["12.0"]),
        ("sm_90a", "ptx", ["9.0"], ["8.9", "10.0"]),
        ("sm_90", "ptx", ["9.0", "10.0", "12.1"], ["8.9"]),
        ("sm_90", "cubin", ["9.0"], ["8.9", "10.0"]),
        ("sm_80", "cubin", ["8.0", "8.6", "8.9"], ["7.5", "9.0"]),
        ("sm_86", "cubin", ["8.6", "8.9"], ["8.0"]),
        ("sm_80", "ptx", ["8.0", "9.0", "12.0"], ["7.5"]),
    ],
)
def test_where_code_runs(chip: str, emit: str, on: list[str], off: list[str]) -> None:
    for capabilities, wanted in ((on, True), (off, False)):
        for text in capabilities:
            major, minor = map(int, text.split("."))
            assert runs(chip, emit, (major, minor)) is wanted, text


def test_every_chip_runs_on_its_own_gpu() -> None:
    for chip in TARGETS:
        digits = TARGETS[chip].ptxas_chip.removeprefix("sm_").rstrip("af")
        assert runs(chip, "cubin", (int(digits[:-1]), int(digits[-1])))


@pytest.mark.parametrize(
    ("device", "chip", "emit", "message"),
    [
        (
            H200,
            "sm_100a",
            "cubin",
            "a cubin for sm_100a, which runs on sm_100 alone, got device 0 (NVIDIA H200, sm_90): "
            "it has no tcgen05; compile with --emulate --chip sm_90a (emulate=True in Python)",
        ),
        (
            H200,
            "sm_100f",
            "ptx",
            "PTX for sm_100f, which runs on sm_100 and later ones of its family, got device 0 "
            "(NVIDIA H200, sm_90): it has no tcgen05; compile with --emulate --chip sm_90a "
            "(emulate=True in Python)",
        ),
        (
            B200,
            "sm_103a",
            "ptx",
            "PTX for sm_103a, which runs on sm_103 alone, got device 1 (NVIDIA B200, sm_100): "
            "compile with --chip sm_100a",
        ),
        (
            B200,
            "sm_90",
            "cubin",
            "a cubin for sm_90, which runs on sm_90 and later ones of sm_9x, got device 1 "
            "(NVIDIA B200, sm_100): compile with --chip sm_100a",
        ),
        (
            H200,
            "sm_120",
            "ptx",
            "PTX for sm_120, which runs on sm_120 and later, got device 0 (NVIDIA H200, sm_90): "
            "compile with --chip sm_90a",
        ),
    ],
)
def test_d01_both_targets_in_one_line(device: Device, chip: str, emit: str, message: str) -> None:
    manifest = replace(MANIFEST, chip=chip, emit=emit, emulated=False)
    with pytest.raises(ValueError, match=whole(f"'copy' is {message}")):
        check_chip("copy", manifest, device)


def test_right_chips_pass() -> None:
    check_chip("copy", replace(MANIFEST, chip="sm_100a"), B200)
    check_chip("copy", replace(MANIFEST, chip="sm_90", emit="ptx"), B200)
    check_chip("copy", replace(MANIFEST, chip="sm_100f"), GB300)


def test_which_gpus_have_tcgen05() -> None:
    have = {(10, 0), (10, 3), (11, 0)}
    for capability in ((8, 0), (9, 0), (10, 0), (10, 3), (11, 0), (12, 0), (12, 1)):
        assert replace(H200, capability=capability).has_tcgen05 is (capability in have)
