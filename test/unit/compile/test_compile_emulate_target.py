"""`tcgen05-attach-target{emulate=true}` and `tcgen05-restore-targets`: the targets meanwhile."""

from __future__ import annotations

import pytest
from device_text import diagnostics, gpu_module, kernel, run
from tcgen05_mlir.model.targets import TARGETS

TCGEN05 = "nvvm.tcgen05.relinquish_alloc_permit"
EMULATING = [target for target in TARGETS.values() if target.chip != "sm_75"]


def attached(text: str, options: str) -> tuple[str, str]:
    """The target list of the first gpu.module, and the one that it keeps for later."""
    line = run(text, f"tcgen05-attach-target{{{options}}}").splitlines()[1]
    targets, _, rest = line.strip().removeprefix("gpu.module @m ").partition(" attributes ")
    return targets, rest.removesuffix(" {")


@pytest.mark.parametrize("target", EMULATING, ids=lambda target: target.chip)
def test_every_chip_from_sm_80_on_will_do(target):
    features = f'features = "+ptx{max(80, target.min_ptx)}"'
    off = f'[#nvvm.target<O = 3, chip = "{target.chip}", {features}, verifyTarget = false>]'
    on = off if not target.nvvm_verifier else off.replace(", verifyTarget = false", "")
    found = attached(gpu_module(kernel(TCGEN05)), f"chip={target.chip} emulate=true")
    assert found == (off, f"{{tcgen05.restored_targets = {on}}}")


def test_sm_75_is_too_old():
    text = gpu_module(kernel(TCGEN05))
    assert diagnostics(text, "tcgen05-attach-target{chip=sm_75 emulate=true}") == [
        "1:1: error: 'gpu.module' op chip 'sm_75' is too old to emulate tcgen05, wanted sm_80 or "
        "later [T1]"
    ]


def test_a_target_in_the_file_is_kept():
    target = '[#nvvm.target<O = 1, chip = "sm_86", flags = {fast}, verifyTarget = false>]'
    text = gpu_module(kernel(TCGEN05), target)
    assert attached(text, "emulate=true") == (target, f"{{tcgen05.restored_targets = {target}}}")


def test_a_ptx_version_in_the_file_is_kept():
    target = '[#nvvm.target<chip = "sm_90", features = "+ptx81">]'
    off = target.replace(">]", ", verifyTarget = false>]")
    found = attached(gpu_module(kernel(""), target), "emulate=true")
    assert found == (off, f"{{tcgen05.restored_targets = {target}}}")


def test_the_ptx_version_that_is_asked_for_is_taken():
    targets, _ = attached(gpu_module(kernel("")), "chip=sm_90 emulate=true ptx=8.7")
    assert 'features = "+ptx87"' in targets


@pytest.mark.parametrize("version", ["7.1", "7.5", "7.8"])
def test_a_ptx_version_below_that_of_emulated_code_is_refused(version):
    message = (
        "1:1: error: 'gpu.module' op PTX version must be at least 8.0 for emulated code, got "
        f"{version} [T1]"
    )
    asked = f"chip=sm_80 emulate=true ptx={version}"
    text = gpu_module(kernel(TCGEN05))
    assert diagnostics(text, f"tcgen05-attach-target{{{asked}}}") == [message]
    assert diagnostics(text, f"tcgen05-to-ptx{{{asked}}}") == [message]
    features = f"+ptx{version.replace('.', '')}"
    target = f'[#nvvm.target<chip = "sm_80", features = "{features}", verifyTarget = false>]'
    text = gpu_module(kernel(TCGEN05), target)
    assert diagnostics(text, "tcgen05-attach-target{emulate=true}") == [message]


def test_without_emulation_an_older_version_will_do():
    text = gpu_module(kernel(""))
    assert 'features = "+ptx71"' in run(text, "tcgen05-attach-target{chip=sm_80 ptx=7.1}")


def test_what_an_earlier_pipeline_has_kept_is_taken_again():
    text = run(gpu_module(kernel("")), "tcgen05-attach-target{chip=sm_90 emulate=true}")
    assert run(text, "tcgen05-attach-target{emulate=true}") == text
    assert run(text, "tcgen05-attach-target").splitlines()[1] == (
        '  gpu.module @m [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] {'
    )


def test_what_is_kept_is_restored():
    text = gpu_module(kernel(""))
    pipeline = "tcgen05-attach-target{chip=sm_90 emulate=true},tcgen05-restore-targets"
    assert run(text, pipeline).splitlines()[1] == (
        '  gpu.module @m [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] {'
    )


def test_upstreams_verifier_judges_what_is_left():
    pipeline = "tcgen05-attach-target{chip=sm_90 emulate=true},tcgen05-restore-targets"
    body = "nvvm.clusterlaunchcontrol.try.cancel %p, %p"
    text = gpu_module(kernel(body, "%p: !llvm.ptr<3>"))
    assert diagnostics(text, pipeline)[0] == (
        "3:1: error: 'nvvm.clusterlaunchcontrol.try.cancel' op is not supported on sm_90"
    )


def test_a_module_that_keeps_none_stays_as_it_is():
    text = gpu_module(kernel(""), '[#nvvm.target<chip = "sm_90">]')
    assert run(text, "tcgen05-restore-targets") == run(text, "")
