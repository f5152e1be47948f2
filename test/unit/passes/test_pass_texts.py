"""Bytes that are no UTF-8, wherever the IR has texts: escapes, not the end of the process."""

from __future__ import annotations

import numpy as np
import pytest
from mlir import ir
from tcgen05_mlir import MLIRError, compile, run, run_pipeline
from tcgen05_mlir.passes.source_places import place_text
from tcgen05_mlir.passes.texts import attributes_of, file_text, string_text, symbol_text
from tcgen05_mlir.simulator import SimulationError
from tcgen05_mlir.tools import errors


@pytest.fixture(autouse=True)
def _context() -> object:
    with ir.Context() as context:
        yield context


@pytest.mark.parametrize(
    ("printed", "text"),
    [(r'"copy"', "copy"), (r'"\FFb"', r"\xffb"), (r'"a\22\\b\C3\A9"', 'a"\\b\u00e9')],
)
def test_texts(printed: str, text: str) -> None:
    assert string_text(ir.Attribute.parse(printed)) == text
    assert symbol_text(ir.Attribute.parse(f"@{printed}")) == text
    location = ir.Module.parse(f"module {{}} loc({printed}:1:2)").operation.location
    assert file_text(location) == text
    assert place_text(location) == f"{text}:1:2"


def test_a_symbol_without_quotes() -> None:
    assert symbol_text(ir.Attribute.parse("@copy")) == "copy"


def _module(body: str, target: str = "", arguments: str = "") -> ir.Module:
    return ir.Module.parse(f"""gpu.module @m {target} {{
      llvm.func @f(%p: !llvm.ptr<3>, %n: i64, %c: i1, %t: !llvm.ptr<6>)
          attributes {{gpu.kernel, nvvm.kernel}} {{
        nvvm.tcgen05.shift %t : !llvm.ptr<6> loc("\\FEf.mlir":1:2)
        {body}
        llvm.return
      }}
    }}""")


@pytest.mark.parametrize(
    "body",
    [
        r'llvm.inline_asm has_side_effects "// \FF", "~{memory}" : () -> ()',
        r'llvm.inline_asm has_side_effects "// ", "~{\FF}" : () -> ()',
        r'llvm.intr.assume %c ["\FF"(%p, %n : !llvm.ptr<3>, i64)] : i1',
        r'llvm.fence syncscope("\FF") acq_rel',
        r'llvm.call @"\FF"() : () -> () llvm.return } llvm.func @"\FF"() {',
    ],
)
@pytest.mark.parametrize("pipeline", ["tcgen05-emulate", "tcgen05-emulate,tcgen05-older-chips"])
def test_emulation_passes_over_them(body: str, pipeline: str) -> None:
    target = '[#nvvm.target<chip = "sm_80", verifyTarget = false>]'
    done = run_pipeline(_module(body, target), pipeline)
    sites = done.body.operations[0].attributes["tcgen05.emulation_sites"]
    assert [string_text(site) for site in sites] == [r"\xfef.mlir:1:2: 'nvvm.tcgen05.shift' op"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            r'llvm.inline_asm has_side_effects "// \FF", "" : () -> ()',
            r"'llvm.inline_asm' op 'asm_string' must be UTF-8, as PTX is, got '// \\xff' [T8]",
        ),
        (
            r'nvvm.inline_ptx "// \FF"',
            r"'llvm.inline_asm' op 'asm_string' must be UTF-8, as PTX is, got '// \\xff' [T8]",
        ),
        (
            r'llvm.fence syncscope("\FF") acq_rel',
            "'llvm.fence' op 'syncscope' must be one of 'singlethread', 'block', 'cluster', "
            r"'device', got '\\xff' [T10]",
        ),
    ],
)
def test_what_ptx_does_not_take(body: str, message: str) -> None:
    with pytest.raises(MLIRError) as caught:
        compile(_module(body), "sm_80", emulate=True)
    assert [found.message for found in caught.value.error_diagnostics] == [message]


def test_names_of_attributes() -> None:
    module = _module(r'nvvm.barrier0 {"\FF" = 1 : i32, a = 2 : i32}')
    barrier = module.body.operations[0].regions[0].blocks[0].operations[0]
    operations = barrier.regions[0].blocks[0].operations
    assert {name: str(value) for name, value in attributes_of(operations[1]).items()} == {
        "a": "2 : i32"
    }
    assert ".target sm_80" in compile(module, "sm_80", emulate=True)


def test_features_of_a_target() -> None:
    module = _module("", r'[#nvvm.target<chip = "sm_90", features = "\FF", verifyTarget = false>]')
    with pytest.raises(MLIRError) as caught:
        run_pipeline(module, "tcgen05-attach-target{emulate=true}")
    (found,) = caught.value.error_diagnostics
    assert found.message == (
        "'gpu.module' op 'features' of the target must be '+ptx' and a version, such as "
        r"'+ptx86', got '\xff'"
    )


def test_the_simulator_says_where() -> None:
    text = r"""gpu.module @m {
      gpu.func @k(%out: memref<1xi32>) kernel {
        %false = arith.constant false
        llvm.intr.assume %false : i1 loc("\FEf.mlir":1:2)
        gpu.return
      }
    }"""
    with pytest.raises(SimulationError) as caught:
        run(text, "k", np.zeros(1, np.int32), device="simulator", grid=1, block=1)
    start = r"\xfef.mlir:1:2: 'llvm.intr.assume' op assumes a condition that is false"
    assert str(caught.value).startswith(start)


def test_the_tools_say_where(capsys: pytest.CaptureFixture[str]) -> None:
    call = r'llvm.call_intrinsic "llvm.nvvm.tcgen05.wait.ld"() : () -> () loc("\FDf.mlir":3:4)'
    with pytest.raises(MLIRError) as caught:
        run_pipeline(_module(call), "tcgen05-emulate")
    errors.report(caught.value)
    text = r"\xfdf.mlir:3:4: error: 'llvm.call_intrinsic' op cannot be emulated: "
    assert capsys.readouterr().err.startswith(text)
