"""`tcgen05-choose-ptx`: the PTX version, where nobody gave one, is what the instructions need."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tcgen05_mlir
from device_text import diagnostics, gpu_module, kernel, run
from instruction_samples import OPERATIONS, sampled
from tcgen05_mlir.passes import tcgen05_to_ptx

ELECT = kernel("%e = nvvm.elect.sync -> i1\nllvm.store %e, %p : i1, !llvm.ptr", "%p: !llvm.ptr")
BARE = '[#nvvm.target<chip = "sm_90">]'
STATED = '[#nvvm.target<chip = "sm_90", features = "+ptx78">]'


def chosen(operation: str, target: str, options: str = "") -> str:
    """The targets that the pass leaves on a module with this operation."""
    text = run(sampled(operation, target), f"tcgen05-choose-ptx{options}")
    return text.splitlines()[1].removeprefix("  gpu.module @m ").removesuffix(" {")


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("nvvm.elect.sync", 80),
        ("nvvm.fence.proxy.acquire", 83),
        ("nvvm.fence.sync_restrict", 86),
    ],
)
def test_it_is_raised_to_what_an_instruction_needs(name, version):
    raised = f'[#nvvm.target<chip = "sm_90", features = "+ptx{version}">]'
    assert chosen(OPERATIONS[name], BARE) == raised
    assert chosen(OPERATIONS[name], STATED, "{replace=true}") == raised


def test_the_first_is_kept_where_it_is_enough():
    assert chosen(OPERATIONS["nvvm.mapa"], BARE) == BARE
    assert chosen(OPERATIONS["nvvm.mapa"], STATED, "{replace=true}") == STATED


def test_a_version_that_the_file_states_is_kept():
    assert chosen(OPERATIONS["nvvm.elect.sync"], STATED) == STATED


def test_what_the_chip_lacks_raises_nothing():
    target = '[#nvvm.target<chip = "sm_80", verifyTarget = false>]'
    assert chosen(OPERATIONS["nvvm.elect.sync"], target) == target


def test_emulated_code_has_its_version():
    target = '[#nvvm.target<chip = "sm_80">]'
    raised = '[#nvvm.target<chip = "sm_80", features = "+ptx80">]'
    assert chosen(OPERATIONS["nvvm.mbarrier.init"], target, "{emulate=true}") == raised


def test_a_module_without_a_target_stays_as_it_is():
    text = gpu_module(ELECT)
    assert run(text, "tcgen05-choose-ptx{emulate=true}") == run(text, "")


@pytest.mark.parametrize("emulate", [False, True])
def test_compile_chooses(emulate):
    ptx = tcgen05_mlir.compile(gpu_module(ELECT), chip="sm_90", emulate=emulate)
    assert ".version 8.0\n.target sm_90\n" in str(ptx)
    bare = gpu_module(ELECT, BARE)
    ptx = tcgen05_mlir.compile(bare, chip=None, emulate=emulate)
    assert ".version 8.0\n.target sm_90\n" in str(ptx)


def test_compile_keeps_the_first_where_it_is_enough():
    assert ".version 7.8\n" in str(tcgen05_mlir.compile(gpu_module(kernel("")), chip="sm_90"))
    assert ".version 7.0\n" in str(tcgen05_mlir.compile(gpu_module(kernel("")), chip="sm_80"))


def test_emulated_code_raises_its_version_too():
    body = kernel(OPERATIONS["nvvm.fence.sync_restrict"])
    ptx = tcgen05_mlir.compile(gpu_module(body), chip="sm_90", emulate=True)
    assert ".version 8.6\n" in str(ptx)


def test_a_version_that_is_given_is_judged():
    text = gpu_module(ELECT)
    assert ".version 8.0" in run(text, "tcgen05-to-ptx{chip=sm_90}")
    assert diagnostics(text, "tcgen05-to-ptx{chip=sm_90 ptx=7.8}")[0].endswith(
        "error: 'nvvm.elect.sync' op needs PTX version 8.0 or later, got 7.8 [T11]"
    )
    with pytest.raises(tcgen05_mlir.MLIRError, match=r"needs PTX version 8\.0 or later, got 7\.8"):
        tcgen05_mlir.compile(gpu_module(ELECT, STATED), chip=None)


def test_the_pipeline_says_so():
    choose = "tcgen05-choose-ptx{replace=true emulate=true}"
    assert choose in tcgen05_to_ptx.lower(emulate=True, chip="sm_90")
    assert "tcgen05-choose-ptx" not in tcgen05_to_ptx.lower(chip="sm_90", ptx="8.6")


def test_the_command_compiles_what_needs_more_than_the_first():
    command = [sys.executable, "-m", "tcgen05_mlir.tools.main", "compile", "-", "--chip=sm_90"]
    text = gpu_module(ELECT)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert ".version 8.0\n" in done.stdout
