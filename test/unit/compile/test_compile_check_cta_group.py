"""`tcgen05-check-cta-group`: the static half of rule P2, whoever made the instructions."""

from __future__ import annotations

import pytest
from device_text import diagnostics, gpu_module, kernel, run

PASS = "tcgen05-check-cta-group"
ARGUMENTS = "%a: !llvm.ptr<3>, %n: i32, %t: !llvm.ptr<6>, %d: i64"

ALLOC_1 = "nvvm.tcgen05.alloc %a, %n : !llvm.ptr<3>, i32"
CP_2 = (
    "nvvm.tcgen05.cp %t, %d "
    "{shape = #nvvm.tcgen05_cp_shape<shape_128x256b>, group = #nvvm.cta_group<cta_2>}"
)
CP_1 = CP_2.replace("cta_2", "cta_1")
REMEDY = "use one cta_group throughout, or make two kernels of it"


def mixed(
    body: str, wanted: tuple[str, int], got: tuple[str, int], owner: str = "kernel 'k'"
) -> list[str]:
    """What two instructions in lines 3 and 4 are told, the second after the first."""
    return diagnostics(gpu_module(kernel(body, ARGUMENTS)), PASS), [
        f"4:1: error: '{got[0]}' op cta_group must be {wanted[1]}, as in '{wanted[0]}', everywhere "
        f"in {owner}, got {got[1]} [P2]",
        f"3:1: note: '{wanted[0]}' with cta_group {wanted[1]} is here",
        f"4:1: note: {REMEDY}",
    ]


def test_a20_one_kernel_that_mixes_names_both_operations():
    found, expected = mixed(f"{ALLOC_1}\n{CP_2}", ("nvvm.tcgen05.alloc", 1), ("nvvm.tcgen05.cp", 2))
    assert found == expected


def test_a20_two_kernels_one_of_each_pass():
    one = kernel(f"{ALLOC_1}\n{CP_1}", ARGUMENTS, name="one")
    two = kernel(CP_2, ARGUMENTS, name="two")
    assert "nvvm.tcgen05.alloc" in run(gpu_module(f"{one}\n{two}"), PASS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "nvvm.tcgen05.alloc %a, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32",
            "nvvm.tcgen05.alloc",
        ),
        (
            "nvvm.tcgen05.dealloc %t, %n {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32",
            "nvvm.tcgen05.dealloc",
        ),
        (
            "nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}",
            "nvvm.tcgen05.relinquish_alloc_permit",
        ),
        (
            "nvvm.tcgen05.commit %a {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>",
            "nvvm.tcgen05.commit",
        ),
        (
            "nvvm.tcgen05.shift %t {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>",
            "nvvm.tcgen05.shift",
        ),
        (
            'llvm.inline_asm has_side_effects "tcgen05.shift.cta_group::2.down [$0];", "r" %n '
            ": (i32) -> ()",
            "llvm.inline_asm",
        ),
        (
            'nvvm.inline_ptx "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;"',
            "nvvm.inline_ptx",
        ),
        (
            'nvvm.inline_ptx "tcgen05 . relinquish_alloc_permit .cta_group :: 2 .sync.aligned;"',
            "nvvm.inline_ptx",
        ),
        (
            'llvm.call_intrinsic "llvm.nvvm.tcgen05.relinq.alloc.permit.cg2"() : () -> ()',
            "llvm.call_intrinsic",
        ),
        (
            "nvvm.tcgen05.mma %t, %d, %d, %n, %p {kind = #nvvm.tcgen05_mma_kind<f16>, "
            "ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1)",
            "nvvm.tcgen05.mma",
        ),
    ],
)
def test_every_instruction_with_a_group_counts(text, name):
    arguments = f"{ARGUMENTS}, %p: i1"
    found = diagnostics(gpu_module(kernel(f"{CP_1}\n{text}", arguments)), PASS)
    assert found == [
        f"4:1: error: '{name}' op cta_group must be 1, as in 'nvvm.tcgen05.cp', everywhere in "
        "kernel 'k', got 2 [P2]",
        "3:1: note: 'nvvm.tcgen05.cp' with cta_group 1 is here",
        f"4:1: note: {REMEDY}",
    ]


def test_a_weight_stationary_mma_is_of_group_1():
    ws = (
        "nvvm.tcgen05.mma.ws %t, %d, %d, %n, %p {kind = #nvvm.tcgen05_mma_kind<f16>} "
        ": (!llvm.ptr<6>, i64, i64, i32, i1)"
    )
    found = diagnostics(gpu_module(kernel(f"{CP_2}\n{ws}", f"{ARGUMENTS}, %p: i1")), PASS)
    assert found[0] == (
        "4:1: error: 'nvvm.tcgen05.mma.ws' op cta_group must be 2, as in 'nvvm.tcgen05.cp', "
        "everywhere in kernel 'k', got 1 [P2]"
    )


def test_the_copy_of_this_dialect_counts_with_and_without_its_attribute():
    body = """\
  gpu.func @k(%addr: i32, %d: i64) kernel {
    %s = memref.get_global @s : memref<128x4xi32, #gpu.address_space<workgroup>>
    %t = tcgen05.view %addr : i32 to memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>
    tcgen05.cp <shape_128x128b> %t, %s FIRST descriptor(<ldo = 16, sdo = 128>)
      : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
        memref<128x4xi32, #gpu.address_space<workgroup>>
    tcgen05.cp <shape_128x128b> %t, %s SECOND descriptor(<ldo = 16, sdo = 128>)
      : memref<128x4xi32, #tile, #nvvm.memory_space<tensor>>,
        memref<128x4xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
  memref.global "private" @s : memref<128x4xi32, #gpu.address_space<workgroup>> {alignment = 16}
"""
    text = "#tile = #tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>\n" + gpu_module(body)
    both = text.replace("FIRST", "").replace("SECOND", "cta_group(<cta_2>)")
    assert diagnostics(both, PASS) == [
        "9:5: error: 'tcgen05.cp' op cta_group must be 1, as in 'tcgen05.cp', everywhere in "
        "kernel 'k', got 2 [P2]",
        "6:5: note: 'tcgen05.cp' with cta_group 1 is here",
        f"9:5: note: {REMEDY}",
    ]
    same = text.replace("FIRST", "cta_group(<cta_2>)").replace("SECOND", "cta_group(<cta_2>)")
    assert run(same, PASS).count("tcgen05.cp") == 2


def test_one_text_of_assembly_that_mixes():
    mixing = (
        'llvm.inline_asm has_side_effects "tcgen05.shift.cta_group::1.down [$0]; '
        'tcgen05.shift.cta_group::2.down [$0];", "r" %n : (i32) -> ()'
    )
    assert diagnostics(gpu_module(kernel(mixing, ARGUMENTS)), PASS) == [
        "3:1: error: 'llvm.inline_asm' op cta_group must be 1, as in 'llvm.inline_asm', everywhere "
        "in kernel 'k', got 2 [P2]",
        "3:1: note: 'llvm.inline_asm' with cta_group 1 is here",
        f"3:1: note: {REMEDY}",
    ]


def test_other_instructions_may_name_another_group():
    tma = (
        'llvm.inline_asm has_side_effects "cp.async.bulk.tensor.1d.shared::cta.global.tile'
        '.mbarrier::complete_tx::bytes.cta_group::2 [$0], [$1, {$2}], [$0]; // tcgen05.", "r" %n '
        ": (i32) -> ()"
    )
    assert "cta_group::2" in run(gpu_module(kernel(f"{CP_1}\n{tma}", ARGUMENTS)), PASS)


def test_instructions_without_a_group_do_not_count():
    wait = "nvvm.tcgen05.fence <after>\nnvvm.tcgen05.wait <load>"
    assert "tcgen05.wait" in run(gpu_module(kernel(f"{wait}\n{CP_2}", ARGUMENTS)), PASS)


def test_functions_that_a_kernel_calls_count():
    body = "\n".join(
        [
            kernel(f"{ALLOC_1}\nllvm.call @outer(%t, %d) : (!llvm.ptr<6>, i64) -> ()", ARGUMENTS),
            "llvm.func @outer(%t: !llvm.ptr<6>, %d: i64) {",
            "llvm.call @inner(%t, %d) : (!llvm.ptr<6>, i64) -> ()",
            "llvm.call @outer(%t, %d) : (!llvm.ptr<6>, i64) -> ()",
            "llvm.return\n}",
            "llvm.func @inner(%t: !llvm.ptr<6>, %d: i64) {",
            f"{CP_2}\nllvm.return\n}}",
        ]
    )
    assert diagnostics(gpu_module(body), PASS) == [
        "13:1: error: 'nvvm.tcgen05.cp' op cta_group must be 1, as in 'nvvm.tcgen05.alloc', "
        "everywhere in kernel 'k', got 2 [P2]",
        "3:1: note: 'nvvm.tcgen05.alloc' with cta_group 1 is here",
        f"13:1: note: {REMEDY}",
    ]


def test_a_pair_in_a_called_function_is_reported_once():
    body = "\n".join(
        [
            f"llvm.func @f({ARGUMENTS}) {{",
            f"{ALLOC_1}\n{CP_2}\nllvm.return\n}}",
            kernel(
                "llvm.call @f(%a, %n, %t, %d) : (!llvm.ptr<3>, i32, !llvm.ptr<6>, i64) -> ()",
                ARGUMENTS,
            ),
        ]
    )
    found = diagnostics(gpu_module(body), PASS)
    assert [line for line in found if ": error: " in line] == [
        "4:1: error: 'nvvm.tcgen05.cp' op cta_group must be 1, as in 'nvvm.tcgen05.alloc', "
        "everywhere in function 'f', got 2 [P2]"
    ]


def test_every_kernel_that_mixes_is_reported():
    kernels = [kernel(f"{ALLOC_1}\n{CP_2}", ARGUMENTS, name=name) for name in ("one", "two")]
    found = diagnostics(gpu_module("\n".join(kernels)), PASS)
    assert [line[:4] for line in found if ": error: " in line] == ["4:1:", "9:1:"]
