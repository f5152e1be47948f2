"""gpu.modules that emulation refuses as a whole: targets, names, one emulated already."""

from __future__ import annotations

import pytest
from mlir import ir
from refusing import refused
from tcgen05_mlir import run_pipeline

OLD = "'gpu.module' op chip 'sm_75' is too old to emulate tcgen05, wanted sm_80 or later [T1]"
APART = (
    "'gpu.module' op 'targets' must be all below sm_90 or none of them to emulate tcgen05, got "
    "'{}' and '{}' [T1]"
)


def _errors_for(*chips: str) -> list[tuple[str, list[str]]]:
    """Of a copy of cta_group::2."""
    targets = ">, #nvvm.target<".join(f'chip = "{chip}", verifyTarget = false' for chip in chips)
    text = f"""gpu.module @kernels [#nvvm.target<{targets}>] {{
      llvm.func @kernel(%t: !llvm.ptr<6>) {{
        nvvm.tcgen05.shift %t {{group = #nvvm.cta_group<cta_2>}} : !llvm.ptr<6>
        llvm.return
      }}
    }}"""
    with ir.Context():
        return refused(ir.Module.parse(text))


@pytest.mark.parametrize(
    ("chips", "wanted"),
    [
        (("sm_80", "sm_90"), [(APART.format("sm_80", "sm_90"), ["compile for one at a time"])]),
        (("sm_90", "sm_80"), [(APART.format("sm_80", "sm_90"), ["compile for one at a time"])]),
        (
            ("sm_100a", "sm_86", "sm_90"),
            [(APART.format("sm_86", "sm_100a"), ["compile for one at a time"])],
        ),
        (("sm_90", "sm_75"), [(OLD, [])]),
        (("sm_75", "sm_80", "sm_75"), [(OLD, []), (OLD, [])]),
        (
            ("sm_86", "sm_80"),
            [
                (
                    "'nvvm.tcgen05.shift' op has cta_group::2, which needs clusters: wanted sm_90 "
                    "or later, got sm_80 [T1]",
                    [],
                )
            ],
        ),
    ],
)
def test_all_targets_are_heard(chips: tuple[str, ...], wanted: list[tuple[str, list[str]]]) -> None:
    assert _errors_for(*chips) == wanted


def test_later_targets_have_their_code_in_common() -> None:
    text = """gpu.module @kernels [#nvvm.target<chip = "sm_120a", verifyTarget = false>,
        #nvvm.target<chip = "sm_90", verifyTarget = false>] {
      llvm.func @kernel(%t: !llvm.ptr<6>) {
        nvvm.tcgen05.shift %t {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>
        llvm.return
      }
    }"""
    with ir.Context():
        done = str(run_pipeline(ir.Module.parse(text), "tcgen05-emulate"))
    assert "llvm.call @__tcgen05_shift_cta2(" in done


def test_a_module_that_is_emulated_already() -> None:
    shift = "nvvm.tcgen05.shift %t : !llvm.ptr<6>"
    text = f"gpu.module @m {{ llvm.func @f(%t: !llvm.ptr<6>) {{ {shift} llvm.return }} }}"
    with ir.Context():
        done = str(run_pipeline(ir.Module.parse(text), "tcgen05-emulate"))
        again = done.replace("llvm.return", f"{shift} llvm.return", 1)
        module = ir.Module.parse(again.replace("%t ", "%arg0 "))
        assert refused(module) == [
            (
                "'gpu.module' op is already emulated, and has tcgen05 operations again, such as "
                "nvvm.tcgen05.shift [E1]",
                ["this one came later: put it in before tcgen05-emulate, which runs once"],
            )
        ]


@pytest.mark.parametrize(
    "symbol",
    [
        "llvm.func @__tcgen05_wait_shared(%a: !llvm.ptr<3>, %b: i32) { llvm.return }",
        "llvm.mlir.global internal @__tcgen05_wait_shared() {addr_space = 3 : i32} : i32",
        "llvm.func @__tcgen05_wait_shared(i64)",
    ],
)
def test_the_names_for_older_chips(symbol: str) -> None:
    text = f"""gpu.module @m [#nvvm.target<chip = "sm_80">] {{
      {symbol}
      llvm.func @f(%b: !llvm.ptr<3>, %n: i32) {{
        nvvm.mbarrier.try_wait.parity %b, %n, %n : !llvm.ptr<3>, i32, i32
        llvm.return
      }}
    }}"""
    with ir.Context():
        assert refused(ir.Module.parse(text), "tcgen05-older-chips") == [
            (
                f"'{symbol.split()[0]}' op 'sym_name' must not start with __tcgen05_, got "
                "__tcgen05_wait_shared [E1]",
                [],
            )
        ]
        # Nobody waits on a generic address, and on later chips nothing is added.
        text = text.replace("_wait_shared", "_wait")
        run_pipeline(ir.Module.parse(text), "tcgen05-older-chips")
        text = text.replace("_wait", "_wait_shared").replace("try_wait_shared", "try_wait")
        run_pipeline(ir.Module.parse(text.replace("sm_80", "sm_90")), "tcgen05-older-chips")


def test_a_wait_in_a_module_in_the_gpu_module() -> None:
    text = """gpu.module @m [#nvvm.target<chip = "sm_80">] { builtin.module {
      llvm.func @f(%b: !llvm.ptr<3>, %n: i32) {
        nvvm.mbarrier.try_wait.parity %b, %n, %n : !llvm.ptr<3>, i32, i32
        llvm.return
      }
    } }"""
    with ir.Context():
        assert refused(ir.Module.parse(text), "tcgen05-older-chips") == [
            (
                "'nvvm.mbarrier.try_wait.parity' op must be in a function of the gpu.module, not "
                "of a module in it, to be emulated [E1]",
                [],
            )
        ]
