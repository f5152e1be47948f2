"""`tcgen05-attach-target`: which target a gpu.module ends up with, and rule T1."""

from __future__ import annotations

import pytest
from device_text import TARGET_100A, diagnostics, gpu_module, kernel, run

ACCEPTED = "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, sm_110f"
NVVM = "nvvm.tcgen05.relinquish_alloc_permit"
ASSEMBLY = 'llvm.inline_asm has_side_effects "tcgen05.relinquish_alloc_permit.cta_group::1;", ""'
ASSEMBLY += " : () -> ()"
PLAIN = kernel("")
REMEDY = "emulate it there: --emulate, or emulate=true in a pipeline, emulate=True in Python"


def attached(text: str, options: str = "") -> str:
    """The target list that the pass leaves on the first gpu.module."""
    first = next(line for line in run(text, f"tcgen05-attach-target{options}").splitlines()[1:])
    return first.strip().removeprefix("gpu.module @m ").removesuffix(" {")


@pytest.mark.parametrize(
    ("chip", "rest"),
    [
        ("sm_100a", 'features = "+ptx86"'),
        ("sm_100f", 'features = "+ptx88", verifyTarget = false'),
        ("sm_101a", 'features = "+ptx86"'),
        ("sm_101f", 'features = "+ptx88", verifyTarget = false'),
        ("sm_103a", 'features = "+ptx88", verifyTarget = false'),
        ("sm_103f", 'features = "+ptx88", verifyTarget = false'),
        ("sm_110a", 'features = "+ptx90", verifyTarget = false'),
        ("sm_110f", 'features = "+ptx90", verifyTarget = false'),
    ],
)
@pytest.mark.parametrize("body", [NVVM, ASSEMBLY], ids=["nvvm", "assembly"])
def test_a_chip_is_set_with_its_first_ptx_version(chip, rest, body):
    text = gpu_module(kernel(body))
    assert attached(text, f"{{chip={chip}}}") == f'[#nvvm.target<O = 3, chip = "{chip}", {rest}>]'


def test_options_set_the_ptx_version_and_the_level():
    text = gpu_module(kernel(NVVM))
    assert attached(text, "{chip=sm_100a ptx=8.8 opt-level=1}") == (
        '[#nvvm.target<O = 1, chip = "sm_100a", features = "+ptx88">]'
    )


def test_without_a_chip_the_target_is_kept():
    assert attached(gpu_module(kernel(NVVM), TARGET_100A)) == TARGET_100A


def test_a_kept_target_needs_no_fields():
    assert attached(gpu_module(PLAIN, '[#nvvm.target<chip = "sm_90">]')) == (
        '[#nvvm.target<chip = "sm_90">]'
    )


def test_every_kept_target_of_a_module_is_checked():
    text = gpu_module(PLAIN, '[#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_60">]')
    assert diagnostics(text, "tcgen05-attach-target")[0].startswith(
        "1:1: error: 'gpu.module' op chip 'sm_60' is unknown, wanted one with tcgen05 (sm_100a, "
    )


def test_a_kept_target_takes_the_ptx_version_and_the_level():
    text = gpu_module(kernel(NVVM), TARGET_100A)
    assert attached(text, "{ptx=8.7 opt-level=0}") == (
        '[#nvvm.target<O = 0, chip = "sm_100a", features = "+ptx87">]'
    )


def test_a_replaced_target_leaves_its_flags_links_and_level():
    old = '[#nvvm.target<O = 1, chip = "sm_90", features = "+ptx80", flags = {fast}, link = ["a"]>]'
    assert attached(gpu_module(PLAIN, old), "{chip=sm_103f}") == (
        '[#nvvm.target<O = 1, chip = "sm_103f", features = "+ptx88", flags = {fast}, '
        'link = ["a"], verifyTarget = false>]'
    )


def test_a_chip_without_tcgen05_is_right_for_a_kernel_that_does_not_use_it():
    assert attached(gpu_module(PLAIN), "{chip=sm_90a}") == (
        '[#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">]'
    )


def test_a_function_of_a_like_name_is_no_instruction():
    text = gpu_module(
        "llvm.func @tcgen05.helper.cg2()\n" + kernel("llvm.call @tcgen05.helper.cg2() : () -> ()")
    )
    assert 'chip = "sm_90a"' in attached(text, "{chip=sm_90a}")


def test_a_call_of_the_intrinsic_as_a_function_is_one():
    text = gpu_module(
        "llvm.func @llvm.nvvm.tcgen05.wait.ld()\n"
        + kernel("llvm.call @llvm.nvvm.tcgen05.wait.ld() : () -> ()")
    )
    assert diagnostics(text, "tcgen05-attach-target{chip=sm_90a}") == [
        "4:1: error: 'llvm.call' op chip 'sm_90a' has no tcgen05 instructions, wanted one of "
        f"{ACCEPTED} [T1]",
        f"4:1: note: {REMEDY}",
    ]


def test_a_comment_in_assembly_is_no_instruction():
    comment = ASSEMBLY.replace('"tcgen05.', '"// was tcgen05.')
    assert 'chip = "sm_90a"' in attached(gpu_module(kernel(comment)), "{chip=sm_90a}")


def test_descriptor_arithmetic_is_right_on_every_chip():
    body = """
      %0 = llvm.mlir.constant(0 : i32) : i32
      %1 = llvm.mlir.constant(0 : i8) : i8
      %2 = llvm.mlir.constant(false) : i1
      %3 = nvvm.tcgen05.mma_smem_desc (%0, %0, %0, %1, %2, %1)
        : (i32, i32, i32, i8, i1, i8) -> i64"""
    assert 'chip = "sm_90a"' in attached(gpu_module(kernel(body)), "{chip=sm_90a}")


@pytest.mark.parametrize("chip", ["sm_100", "sm_120a", "sm_90a"])
@pytest.mark.parametrize(
    ("body", "name"),
    [
        (NVVM, "nvvm.tcgen05.relinquish_alloc_permit"),
        (ASSEMBLY, "llvm.inline_asm"),
        (
            'nvvm.inline_ptx "tcgen05.wait::ld.sync.aligned;"',
            "nvvm.inline_ptx",
        ),
        (
            'nvvm.inline_ptx "tcgen05 . wait :: ld.sync.aligned;"',
            "nvvm.inline_ptx",
        ),
        (
            'llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.ld"() : () -> ()',
            "llvm.call_intrinsic",
        ),
        (
            "%t = tcgen05.view %a : i32 to memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : "
            "(1@lane, 1@col)>, #nvvm.memory_space<tensor>>",
            "tcgen05.view",
        ),
    ],
)
def test_a21_a_chip_without_tcgen05_is_refused_at_the_instruction(chip, body, name):
    text = gpu_module(kernel(body, arguments="%a: i32"))
    error, note = diagnostics(text, f"tcgen05-attach-target{{chip={chip}}}")
    assert error.partition(": ")[2] == (
        f"error: '{name}' op chip '{chip}' has no tcgen05 instructions, wanted one of "
        f"{ACCEPTED} [T1]"
    )
    assert error.startswith("3:")
    assert note.partition(": ")[2] == f"note: {REMEDY}"


def test_a_chip_that_cannot_emulate_gets_no_such_remedy():
    assert diagnostics(gpu_module(kernel(NVVM)), "tcgen05-attach-target{chip=sm_75}") == [
        "3:1: error: 'nvvm.tcgen05.relinquish_alloc_permit' op chip 'sm_75' has no tcgen05 "
        f"instructions, wanted one of {ACCEPTED} [T1]"
    ]


def test_what_cannot_be_emulated_gets_no_such_remedy():
    mma = """llvm.func @k(%d: !llvm.ptr<6>, %a: i64, %b: i64, %i: i32, %e: i1) {
nvvm.tcgen05.mma %d, %a, %b, %i, %e {kind = #nvvm.tcgen05_mma_kind<f16>,
  ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
llvm.return
}"""
    assert diagnostics(gpu_module(mma), "tcgen05-attach-target{chip=sm_90}") == [
        "3:1: error: 'nvvm.tcgen05.mma' op chip 'sm_90' has no tcgen05 instructions, wanted one of "
        f"{ACCEPTED} [T1]"
    ]


def test_a21_an_unknown_chip_is_refused_at_the_module():
    assert diagnostics(gpu_module(PLAIN), "tcgen05-attach-target{chip=sm_999z}") == [
        f"1:1: error: 'gpu.module' op chip 'sm_999z' is unknown, wanted one with tcgen05 "
        f"({ACCEPTED}) or, for kernels that do not use it or are emulated, one of sm_75, sm_80, "
        "sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_101, sm_103, sm_110, sm_120, "
        "sm_120a, sm_120f, sm_121, sm_121a, sm_121f [T1]"
    ]


def test_a_target_without_a_chip_is_refused_as_one():
    found = diagnostics(gpu_module(PLAIN, "[#nvvm.target<O = 2>]"), "tcgen05-attach-target")
    assert found == [
        "1:1: error: 'gpu.module' op 'chip' of the target must be a chip with a name, got none, "
        'which is LLVM\'s default sm_50: write one, such as chip = "sm_100a", or give the chip '
        "when compiling [T1]"
    ]
    given = attached(gpu_module(PLAIN, "[#nvvm.target<O = 1>]"), "{chip=sm_100a}")
    assert 'O = 1, chip = "sm_100a"' in given


def test_a_ptx_version_below_the_chips_first_is_refused():
    options = "{chip=sm_110a ptx=8.8}"
    assert diagnostics(gpu_module(PLAIN), f"tcgen05-attach-target{options}") == [
        "1:1: error: 'gpu.module' op PTX version must be at least 9.0 for chip 'sm_110a', "
        "got 8.8 [T1]"
    ]


def test_a_ptx_version_that_is_none_is_refused():
    options = "{chip=sm_110a ptx=new}"
    assert diagnostics(gpu_module(PLAIN), f"tcgen05-attach-target{options}") == [
        "1:1: error: 'gpu.module' op 'ptx' must be a PTX version such as 8.6, got 'new'"
    ]


def test_no_target_and_no_chip_is_refused_with_the_remedy():
    assert diagnostics(gpu_module(PLAIN), "tcgen05-attach-target") == [
        "1:1: error: 'gpu.module' op has no target to compile for",
        "1:1: note: give the pass a chip, such as chip=sm_100a, or write the target in the file",
    ]


def test_no_gpu_module_is_refused_with_the_remedy():
    assert diagnostics("module {\n}", "tcgen05-attach-target{chip=sm_100a}") == [
        "1:1: error: 'builtin.module' op holds no gpu.module, so there is nothing to compile",
        "1:1: note: kernels still inside gpu.launch are outlined by gpu-kernel-outlining",
    ]


def test_a_target_of_another_kind_is_refused():
    assert diagnostics(gpu_module(PLAIN, "[#rocdl.target]"), "tcgen05-attach-target") == [
        "1:1: error: 'gpu.module' op 'targets' must hold #nvvm.target attributes, got #rocdl.target"
    ]


def test_a_triple_of_another_width_is_refused():
    target = '[#nvvm.target<triple = "nvptx-nvidia-cuda", chip = "sm_90">]'
    assert diagnostics(gpu_module(PLAIN, target), "tcgen05-attach-target") == [
        "1:1: error: 'gpu.module' op 'triple' of the target must be nvptx64-nvidia-cuda, "
        "got 'nvptx-nvidia-cuda'"
    ]


def test_b06_features_below_the_chips_first_version():
    target = '[#nvvm.target<chip = "sm_100a", features = "+ptx80">]'
    assert diagnostics(gpu_module(kernel(NVVM), target), "tcgen05-attach-target") == [
        "1:1: error: 'gpu.module' op PTX version must be at least 8.6 for chip 'sm_100a', "
        "got 8.0 [T1]"
    ]


@pytest.mark.parametrize("feature", ["ptx86", "-ptx86", "+sm_100a"])
def test_b06_features_of_another_form(feature):
    target = f'[#nvvm.target<chip = "sm_100a", features = "{feature}">]'
    assert diagnostics(gpu_module(kernel(NVVM), target), "tcgen05-attach-target") == [
        "1:1: error: 'gpu.module' op 'features' of the target must be '+ptx' and a version, such "
        f"as '+ptx86', got '{feature}'"
    ]


def test_b06_verification_turned_off_for_a_chip_without_tcgen05():
    target = '[#nvvm.target<chip = "sm_120a", verifyTarget = false>]'
    assert diagnostics(gpu_module(kernel(NVVM), target), "tcgen05-attach-target") == [
        "3:1: error: 'nvvm.tcgen05.relinquish_alloc_permit' op chip 'sm_120a' has no tcgen05 "
        f"instructions, wanted one of {ACCEPTED} [T1]",
        f"3:1: note: {REMEDY}",
    ]


def test_b06_an_optimization_level_that_llvm_does_not_have():
    (error,) = diagnostics(gpu_module(PLAIN), "tcgen05-attach-target{chip=sm_100a opt-level=9}")
    assert error.splitlines()[0] == (
        "pass 'tcgen05-attach-target': option 'opt-level' must be 0, 1, 2 or 3, got '9'"
    )
