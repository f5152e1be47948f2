"""Rule T11, `tcgen05-check-instructions`: what the chip or the PTX version does not have."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from device_text import diagnostics, gpu_module, kernel, run
from instruction_samples import OPERATIONS, sampled

CHECK = "tcgen05-check-instructions"
ALL_BLOCKS = "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f"
NARROW = f"one of {ALL_BLOCKS}, sm_120a, sm_120f, sm_121a, sm_121f"
REWRITE = "with --emulate, or emulate=true in a pipeline, it is rewritten for older chips"
CLUSTER = "attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>}"


def target(chip: str, ptx: int = 90) -> str:
    """What upstream's verifier does not judge, so that this rule does."""
    return f'[#nvvm.target<chip = "{chip}", features = "+ptx{ptx}", verifyTarget = false>]'


def refused(operation: str, chip: str, ptx: int = 90) -> list[str]:
    """What the check says about one operation, without the places."""
    text = sampled(operation, target(chip, ptx))
    return [line.partition(": ")[2] for line in diagnostics(text, CHECK)]


def passes(operation: str, chip: str, ptx: int = 90) -> bool:
    """The check leaves the module with this operation as it is."""
    text = sampled(operation, target(chip, ptx))
    return run(text, CHECK) == run(text, "")


FIRST = {
    "nvvm.mapa": 90,
    "nvvm.cluster.arrive": 90,
    "nvvm.cluster.wait": 90,
    "nvvm.read.ptx.sreg.cluster.ctarank": 90,
    "nvvm.read.ptx.sreg.nclusterid.y": 90,
    "nvvm.mbarrier.expect_tx": 90,
    "nvvm.mbarrier.complete_tx": 90,
    "nvvm.mbarrier.arrive.expect_tx": 90,
    "nvvm.mbarrier.arrive_drop.expect_tx": 90,
    "nvvm.cp.async.bulk.commit.group": 90,
    "nvvm.cp.async.bulk.wait_group": 90,
    "nvvm.cp.async.bulk.prefetch": 90,
    "nvvm.cp.async.bulk.tensor.reduce": 90,
    "nvvm.cp.async.bulk.tensor.prefetch": 90,
    "nvvm.griddepcontrol": 90,
    "nvvm.stmatrix": 90,
    "nvvm.clusterlaunchcontrol.try.cancel": 100,
    "nvvm.st.bulk": 100,
}
"""Operations whose name decides, and the first chip that has them."""


@pytest.mark.parametrize("name", FIRST)
def test_an_operation_needs_a_later_chip(name):
    number = FIRST[name]
    for chip in ("sm_80", "sm_89") if number == 90 else ("sm_80", "sm_90a"):
        wanted = f"error: '{name}' op needs sm_{number} or later, got chip '{chip}' [T11]"
        assert refused(OPERATIONS[name], chip)[0] == wanted
    assert passes(OPERATIONS[name], f"sm_{number}")
    assert passes(OPERATIONS[name], "sm_121")


REWRITTEN = [
    "nvvm.elect.sync",
    "nvvm.fence.mbarrier.init",
    "nvvm.fence.proxy",
    "nvvm.fence.proxy.acquire",
    "nvvm.fence.proxy.release",
    "nvvm.fence.proxy.sync_restrict",
    "nvvm.fence.sc.cluster",
    "nvvm.fence.sync_restrict",
    "nvvm.memory.barrier",
    "nvvm.mbarrier.arrive",
    "nvvm.mbarrier.arrive_drop",
    "nvvm.mbarrier.test.wait",
    "nvvm.mbarrier.try_wait",
    "nvvm.mbarrier.try_wait.parity",
]


@pytest.mark.parametrize("name", REWRITTEN)
def test_what_emulation_rewrites_has_the_remedy(name):
    assert refused(OPERATIONS[name], "sm_86") == [
        f"error: '{name}' op needs sm_90 or later, got chip 'sm_86' [T11]",
        f"note: {REWRITE}",
    ]
    assert passes(OPERATIONS[name], "sm_90")


@pytest.mark.parametrize("name", REWRITTEN)
def test_what_is_rewritten_passes(name):
    text = sampled(OPERATIONS[name], target("sm_86"))
    run(text, f"tcgen05-older-chips,{CHECK}")


@pytest.mark.parametrize(
    ("operation", "wanted", "chip", "fit"),
    [
        ("nvvm.wgmma.fence.aligned", "sm_90a", "sm_90", "sm_90a"),
        ("nvvm.wgmma.commit.group.sync.aligned", "sm_90a", "sm_100a", "sm_90a"),
        ("nvvm.setmaxregister", f"{NARROW}".replace("one of", "one of sm_90a,"), "sm_90", "sm_90a"),
        ("nvvm.convert.f32x2.to.f6x2", NARROW, "sm_100", "sm_120f"),
        ("nvvm.convert.f32x2.to.f4x2", NARROW, "sm_90a", "sm_101a"),
        (
            "nvvm.redux.sync fmin",
            "one of sm_100a, sm_100f, sm_103a, sm_103f",
            "sm_120a",
            "sm_103f",
        ),
    ],
)
def test_an_operation_needs_a_chip_with_its_feature(operation, wanted, chip, fit):
    name = operation.split()[0]
    message = f"error: '{name}' op needs {wanted}, got chip '{chip}' [T11]"
    assert refused(OPERATIONS[operation], chip) == [message]
    assert passes(OPERATIONS[operation], fit)


@pytest.mark.parametrize(
    "operation",
    ["nvvm.redux.sync add", "nvvm.convert.float.to.tf32 rna", "nvvm.fence.proxy alias"],
)
def test_attributes_decide(operation):
    assert passes(OPERATIONS[operation], "sm_80")


def test_the_ptx_version_has_to_know_the_instruction():
    assert refused(OPERATIONS["nvvm.elect.sync"], "sm_90", 78) == [
        "error: 'nvvm.elect.sync' op needs PTX version 8.0 or later, got 7.8 [T11]",
        "note: give the chip when compiling, and the PTX version is chosen; or the version itself, "
        'as ptx=8.0 in a pipeline or features = "+ptx80" in the target of the file',
    ]
    assert passes(OPERATIONS["nvvm.elect.sync"], "sm_90", 80)


def test_without_a_ptx_version_it_is_the_chips_first():
    text = sampled(OPERATIONS["nvvm.elect.sync"], '[#nvvm.target<chip = "sm_90">]')
    assert diagnostics(text, CHECK)[0].endswith("needs PTX version 8.0 or later, got 7.8 [T11]")


def test_every_target_of_a_module_is_judged():
    two = '[#nvvm.target<chip = "sm_100a">, #nvvm.target<chip = "sm_86">]'
    text = sampled(OPERATIONS["nvvm.elect.sync"], two)
    assert diagnostics(text, CHECK)[0].endswith(
        "error: 'nvvm.elect.sync' op needs sm_90 or later, got chip 'sm_86' [T11]"
    )


def test_a_module_without_a_target_passes():
    text = sampled(OPERATIONS["nvvm.elect.sync"], "")
    assert run(text, CHECK) == run(text, "")


def test_a_count_that_is_not_constant_is_not_rewritten():
    operation = "nvvm.mbarrier.arrive %s, %c : !llvm.ptr<3>"
    text = sampled(operation, target("sm_80"))
    pipeline = f"tcgen05-attach-target{{emulate=true}},tcgen05-older-chips,{CHECK}"
    assert [line.partition(": ")[2] for line in diagnostics(text, pipeline)] == [
        "error: 'nvvm.mbarrier.arrive' op needs sm_90 or later, got chip 'sm_80' [T11]",
        "note: only a constant count, of 1 or more, is rewritten for older chips",
    ]


@pytest.mark.parametrize("name", ["nvvm.elect.sync", "nvvm.fence.proxy global"])
def test_a_note_about_what_is_emulated_fits_the_operation(name):
    text = sampled(OPERATIONS[name], target("sm_80"))
    found = diagnostics(text, f"tcgen05-attach-target{{emulate=true}},{CHECK}")
    assert [line.partition(": ")[2] for line in found] == [
        f"error: '{name.split()[0]}' op needs sm_90 or later, got chip 'sm_80' [T11]",
        "note: tcgen05-older-chips rewrites it for older chips",
    ]


def test_the_scope_of_a_wide_atomic_is_not_what_is_amiss():
    operation = 'llvm.atomicrmw xchg %p, %w syncscope("device") monotonic : !llvm.ptr, i128'
    text = gpu_module(kernel(operation, "%p: !llvm.ptr, %w: i128"), target("sm_80"))
    assert diagnostics(text, CHECK) == [
        "3:1: error: 'llvm.atomicrmw' op on i128 needs sm_90 or later, got chip 'sm_80' [T11]"
    ]


@pytest.mark.parametrize(
    ("code", "instruction", "number"),
    [
        ("elect.sync _|p, -1;", "elect.sync", 90),
        ("@p fence.proxy.async;", "fence.proxy.async", 90),
        ("fence . proxy . async.shared::cta;", "fence.proxy.async.shared::cta", 90),
        ("/* mapa */ fence.acq_rel.cluster;", "fence.acq_rel.cluster", 90),
        ("L: mbarrier.try_wait.parity.b64 p, [r], 0;", "mbarrier.try_wait.parity.b64", 90),
        ("mov.u32 r, %cluster_ctarank;", "%cluster_ctarank", 90),
        ("ld.shared::cluster.u32 r, [a];", "ld.shared::cluster.u32", 90),
        ("cp.async.bulk.commit_group;", "cp.async.bulk.commit_group", 90),
        ("cvt.rn.satfinite.e4m3x2.f32 h, a, b;", "cvt.rn.satfinite.e4m3x2.f32", 89),
        ("st.bulk.weak [a], 8, 0;", "st.bulk.weak", 100),
    ],
)
@pytest.mark.parametrize("name", ["nvvm.inline_ptx", "llvm.inline_asm"])
def test_assembly_is_read(name, code, instruction, number):
    operation = f'{name} "{code}"'
    if name == "llvm.inline_asm":
        operation = f'{name} has_side_effects "{code}", "" : () -> ()'
    assert refused(operation, "sm_80") == [
        f"error: '{name}' op instruction '{instruction}' needs sm_{number} or later, got chip "
        "'sm_80' [T11]"
    ]
    assert passes(operation, "sm_121a")


@pytest.mark.parametrize(
    "code",
    [
        "// elect.sync",
        "bar.warp.sync -1;",
        "mbarrier.arrive.shared.b64 _, [a];",
        "ld.shared.u32 r, [a];",
        "fence.acq_rel.gpu;",
        "tcgen05.wait::ld.sync.aligned;",
    ],
)
def test_other_assembly_passes(code):
    assert passes(f'nvvm.inline_ptx "{code}"', "sm_80")


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        (
            '%r = llvm.call_intrinsic "llvm.nvvm.mapa.shared.cluster"(%s, %c) : (!llvm.ptr<3>, i32)'
            " -> !llvm.ptr<7>",
            "'llvm.call_intrinsic' op intrinsic 'llvm.nvvm.mapa.shared.cluster'",
        ),
        ('llvm.fence syncscope("cluster") acq_rel', "'llvm.fence' op 'syncscope' cluster"),
        (
            '%r = llvm.atomicrmw add %g, %c syncscope("cluster") monotonic : !llvm.ptr, i32',
            "'llvm.atomicrmw' op 'syncscope' cluster",
        ),
        (
            "%r = llvm.atomicrmw xchg %g, %q monotonic : !llvm.ptr, i128",
            "'llvm.atomicrmw' op on i128",
        ),
        (
            "%r = llvm.load %g atomic monotonic {alignment = 16 : i64} : !llvm.ptr -> i128",
            "'llvm.load' op on i128",
        ),
        (
            "llvm.store %c, %d : i32, !llvm.ptr<7>",
            "'llvm.store' op !llvm.ptr<7>, the shared memory of a cluster,",
        ),
    ],
)
def test_operations_of_llvm_are_judged(operation, words):
    message = f"error: {words} needs sm_90 or later, got chip 'sm_80' [T11]"
    assert refused(operation, "sm_80")[0] == message
    assert passes(operation, "sm_90")


@pytest.mark.parametrize("wide", ["llvm.load %g : !llvm.ptr -> i128", "llvm.add %q, %q : i128"])
def test_wide_values_are_no_wide_atomics(wide):
    assert passes(f"%r = {wide}", "sm_80")


LIBRARY = "call a library's, such as libdevice's __nv_ functions, or compute it from what there is"


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ("llvm.intr.tan(%f) : (f32) -> f32", "tan"),
        ("llvm.intr.exp10(%f) : (f32) -> f32", "exp10"),
        ("llvm.intr.tanh(%f) : (f32) -> f32", "tanh"),
        ("llvm.intr.powi(%f, %c) : (f32, i32) -> f32", "powi"),
        ("llvm.intr.lround(%f) : (f32) -> i64", "lround"),
        ('llvm.call_intrinsic "llvm.exp.f32"(%f) : (f32) -> f32', "exp"),
        ('llvm.call_intrinsic "llvm.cos"(%f) : (f32) -> f32', "cos"),
    ],
)
def test_no_chip_has_a_function_of_a_library(operation, name):
    for chip in ("sm_80", "sm_100a"):
        assert refused(f"%r = {operation}", chip) == [
            f"error: '{operation.partition('(')[0].split()[0]}' op computes '{name}', which no "
            "chip has [T11]",
            f"note: {LIBRARY}",
        ]


@pytest.mark.parametrize(
    "operation",
    [
        "llvm.intr.sqrt(%f) : (f32) -> f32",
        "llvm.intr.rint(%f) : (f32) -> f32",
        "llvm.intr.tanh(%f) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32",
        'llvm.call_intrinsic "llvm.cos"(%f) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32',
        'llvm.call_intrinsic "llvm.fma.f32"(%f, %f, %f) : (f32, f32, f32) -> f32',
    ],
)
def test_functions_that_a_chip_has_pass(operation):
    text = sampled(f"{operation} as f32", target("sm_80"))
    assert run(text, CHECK) == run(text, "")
    pipeline = (
        "tcgen05-spell-math,gpu.module(convert-nvvm-to-llvm),gpu-module-to-binary{format=isa}"
    )
    assert "gpu.binary" in run(text, pipeline)


def test_a_cluster_needs_clusters():
    text = gpu_module(kernel("").replace("attributes {nvvm.kernel}", CLUSTER), target("sm_89"))
    assert diagnostics(text, CHECK) == [
        "2:1: error: 'llvm.func' op 'nvvm.cluster_dim' 2, 1, 1 needs sm_90 or later, got chip "
        "'sm_89' [T11]"
    ]
    one = text.replace("i32: 2, 1, 1", "i32: 1, 1, 1")
    assert run(one, CHECK) == run(one, "")
    later = text.replace("sm_89", "sm_90")
    assert run(later, CHECK) == run(later, "")


@pytest.mark.parametrize(
    ("chip", "ptx", "emulate"),
    [
        ("sm_80", 70, "false"),
        ("sm_80", 90, "true"),
        ("sm_90", 78, "false"),
        ("sm_100a", 86, "false"),
        ("sm_120", 90, "true"),
    ],
)
def test_no_operation_ends_the_process(chip, ptx, emulate):
    """Each is compiled, or refused with a diagnostic, in a child process that lives on."""
    command = [sys.executable, str(Path(__file__).with_name("compile_each.py")), chip, str(ptx)]
    done = subprocess.run([*command, emulate], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    counted = dict(line.split(": ") for line in done.stdout.splitlines())
    assert set(counted) == set(OPERATIONS)
    assert set(counted.values()) <= {"compiled", "T1", "T11"}
