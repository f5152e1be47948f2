"""`compile(emulate=True)` and `tcgen05 compile --emulate`: code for chips without tcgen05."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import tcgen05_mlir
from device_text import TARGET_100A, gpu_module, kernel, lines, run, whole
from mlir import ir
from tcgen05_mlir.tools.main import main

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(EXAMPLES.glob("*.mlir"))
PAIR = EXAMPLES / "cta_pair.mlir"
COPY = EXAMPLES / "copy_readback.mlir"
WITH_CLUSTERS = ["sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_120", "sm_121"]
OLDER = ["sm_80", "sm_86", "sm_87", "sm_89"]
BUILDS = [(file, chip) for file in FILES for chip in OLDER + WITH_CLUSTERS]
BUILDS = [(file, chip) for file, chip in BUILDS if file != PAIR or chip in WITH_CLUSTERS]
STORE = kernel("llvm.store %v, %p : i32, !llvm.ptr", "%p: !llvm.ptr, %v: i32")


def emulated(source, chip: str = "sm_90", **options) -> str:
    """What `compile(emulate=True)` returns where that is text."""
    result = tcgen05_mlir.compile(source, chip=chip, emulate=True, **options)
    assert isinstance(result, str)
    return result


def instructions(ptx: str) -> str:
    """PTX without the names of the library, which say tcgen05 too."""
    return ptx.replace("__tcgen05_", "")


@pytest.mark.parametrize(
    ("file", "chip"), BUILDS, ids=[f"{file.stem}-{chip}" for file, chip in BUILDS]
)
def test_ptxas_takes_every_example_for_every_chip(file, chip, ptxas):
    cubin = tcgen05_mlir.compile(file, chip=chip, emit="cubin", emulate=True)
    assert isinstance(cubin, bytes)
    assert cubin.startswith(b"\x7fELF")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_both_paths_give_the_same_code(file):
    chip = "sm_90" if file == PAIR else "sm_80"
    ptx = emulated(file, chip)
    assert emulated(file, chip, path="inline-asm") == ptx
    assert "tcgen05" not in instructions(ptx)
    assert f".target {chip}\n" in ptx


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
@pytest.mark.parametrize("chip", OLDER)
def test_a_pair_needs_clusters(chip, path):
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        emulated(PAIR, chip, path=path)
    copy = "llvm.inline_asm" if path == "inline-asm" else "nvvm.tcgen05.cp"
    needs = f"which needs clusters: wanted sm_90 or later, got {chip} [T1]"
    assert [line for line in lines(error.value) if ": error: " in line] == [
        f"66:7: error: 'nvvm.tcgen05.alloc' op has cta_group::2, {needs}",
        f"89:9: error: '{copy}' op has cta_group::2, {needs}",
        f"95:9: error: 'nvvm.tcgen05.commit' op has a multicast mask, {needs}",
        f"129:7: error: 'nvvm.tcgen05.relinquish_alloc_permit' op has cta_group::2, {needs}",
        f"131:7: error: 'nvvm.tcgen05.dealloc' op has cta_group::2, {needs}",
    ]


def test_mlir_is_the_module_after_emulation():
    text = emulated(COPY, emit="mlir")
    assert "nvvm.tcgen05." not in re.sub(r"tcgen05.emulation_sites = \[.*?\]", "", text)
    assert "verifyTarget = false>] attributes" in text
    kept = 'tcgen05.restored_targets = [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">]'
    assert kept in text
    with ir.Context():
        again = ir.Module.parse(text)
        assert str(again) == text


def test_the_module_after_emulation_compiles_on():
    text = emulated(COPY, emit="mlir")
    ptx = tcgen05_mlir.compile(text, chip="sm_90", emulate=True)
    assert ptx == emulated(COPY)


def test_llvm_has_no_tensor_memory():
    text = emulated(COPY, "sm_80", emit="llvm")
    assert "@llvm.nvvm.tcgen05." not in text
    assert "@llvm.nvvm.elect.sync" not in text


def test_sass_is_that_of_the_chip(ptxas):
    text = emulated(COPY, "sm_86", emit="sass")
    assert "UTCCP" not in text
    assert "sm_86" in text or "EF_CUDA_SM86" in text


def test_a_kernel_without_tcgen05_gets_nothing():
    text = gpu_module(STORE)
    assert emulated(text) == tcgen05_mlir.compile(text, chip="sm_90", emulate=False).replace(
        ".version 7.8", ".version 8.0"
    )


def test_a_kernel_in_the_llvm_dialect_is_emulated():
    """What a producer that lowers by itself hands over: the example's own lowering."""
    with ir.Context():
        module = ir.Module.parse(COPY.read_text())
        front = "tcgen05-attach-target{chip=sm_100a},convert-tcgen05-to-nvvm"
        to_llvm = "gpu.module(convert-vector-to-scf,lower-affine,convert-scf-to-cf,"
        to_llvm += "convert-vector-to-llvm,"
        to_llvm += "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},canonicalize)"
        lowered = str(tcgen05_mlir.run_pipeline(module, f"{front},{to_llvm}"))
    assert "llvm.func @copy" in lowered
    assert "nvvm.tcgen05.cp" in lowered
    for chip in ("sm_80", "sm_90a"):
        assert "tcgen05" not in instructions(emulated(lowered, chip))


def test_the_pipeline_does_the_same():
    text = COPY.read_text()
    assert "gpu.binary @kernels" in run(text, "tcgen05-to-ptx{chip=sm_86 emulate=true}")


def test_a_chip_that_is_too_old_is_refused():
    message = "chip 'sm_75' is too old to emulate tcgen05, wanted sm_80 or later [T1]"
    with pytest.raises(ValueError, match=whole(message)):
        emulated(COPY, "sm_75")


def test_emulate_is_a_bool():
    with pytest.raises(TypeError, match=whole("'emulate' must be a bool, got 'yes'")):
        tcgen05_mlir.compile(COPY, chip="sm_90", emulate="yes")  # type: ignore[arg-type]


def test_the_files_target_is_kept():
    text = COPY.read_text().replace(
        "@kernels {", '@kernels [#nvvm.target<chip = "sm_89", O = 1>] {'
    )
    with pytest.raises(tcgen05_mlir.MLIRError) as error:
        tcgen05_mlir.compile(text, chip=None, emulate=True)
    assert [line.partition(": ")[2] for line in lines(error.value)][:2] == [
        "error: 'nvvm.tcgen05.alloc' op is not supported on sm_89",
        "note: to emulate it there, add verifyTarget = false to the target, or leave the target "
        "out of the file and give the chip when compiling",
    ]
    off = text.replace("O = 1>", "O = 1, verifyTarget = false>")
    assert ".target sm_89\n" in str(tcgen05_mlir.compile(off, chip=None, emulate=True))


def test_the_command_line_emulates(tmp_path, capfd):
    out = tmp_path / "copy.ptx"
    assert main(["compile", str(COPY), "--emulate", "--chip", "sm_87", "-o", str(out)]) == 0
    assert capfd.readouterr() == ("", "")
    assert out.read_text() == emulated(COPY, "sm_87")


def test_the_command_line_wants_a_chip(capfd):
    command = [sys.executable, "-m", "tcgen05_mlir.tools.main", "compile", str(COPY), "--emulate"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "tcgen05: error: argument --emulate: needs --chip, the chip that is to run it, such as "
        "sm_90\n"
    )


def test_the_command_line_takes_the_files_chip(tmp_path, capfd):
    file = tmp_path / "k.mlir"
    file.write_text(gpu_module(STORE, TARGET_100A))
    assert main(["compile", str(file), "--emulate"]) == 0
    assert ".target sm_100a\n" in capfd.readouterr().out


def test_help_says_what_it_does(capfd):
    with pytest.raises(SystemExit):
        main(["compile", "--help"])
    text = " ".join(capfd.readouterr().out.split())
    assert "--emulate replace tcgen05 by code for a chip that has none, sm_80 or later" in text
