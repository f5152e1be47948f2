"""The pass and its module: failures, threads, modules that do not concern it."""

from __future__ import annotations

import pytest
import tcgen05_mlir
from mlir import ir
from sources import WORKGROUP

PASS = "convert-tcgen05-to-nvvm"
TILE = "#tcgen05.tmem_layout<(128, 4) : (1@lane, 1@col)>"
TWO = "#tcgen05.tmem_layout<(2, 128, 4) : (4@col, 1@lane, 1@col)>"
TENSOR = f"memref<128x4xi32, {TILE}, 6>"
BUFFER = f"memref<128x4xi32, {WORKGROUP}>"
ALIGNED = f"{BUFFER} {{llvm.align = 16}}"


def copy(dst: str, src: str) -> str:
    return f"tcgen05.cp <shape_128x128b> {dst}, {src} descriptor(<sdo = 128>) : {TENSOR}, {BUFFER}"


def lines(error: ir.MLIRError) -> list[str]:
    """Line and text of each error, notes left out."""
    return [f"{one.location.start_line}: {one.message}" for one in error.error_diagnostics]


BROKEN = f"""
func.func @a(%t: {TENSOR}, %s: {ALIGNED}) {{
  {copy("%t", "%s")}
  return
}}
func.func @b(%taddr: i32, %s: {ALIGNED}, %i: index) -> i32 {{
  %t = tcgen05.view %taddr : i32 to {TENSOR}
  %x = memref.load %t[%i, %i] : {TENSOR}
  {copy("%t", "%s")}
  %y = memref.load %t[%i, %i] : {TENSOR}
  %b = memref.alloc() : {BUFFER}
  return %y : i32
}}
func.func private @c({TENSOR})
"""
NOT_A_VIEW = (
    "'tcgen05.cp' op 'dst' must be the result of a tcgen05.view that is visible here, "
    "got a block argument [L1]"
)
FOREIGN = (
    "'memref.load' op operand 0 is a tcgen05.view of tensor memory, which only tcgen05 operations "
    "can use [L4]"
)


@pytest.mark.parametrize("path", ["nvvm", "inline-asm"])
def test_all_failures_in_source_order_and_nothing_changed(path):
    with ir.Context():
        module = ir.Module.parse(BROKEN)
        before = str(module)
        with pytest.raises(tcgen05_mlir.MLIRError) as caught:
            tcgen05_mlir.run_pipeline(module, f"{PASS}{{path={path}}}")
        assert str(module) == before
        assert str(caught.value.module) == before
        assert lines(caught.value) == [
            f"3: {NOT_A_VIEW}",
            f"8: {FOREIGN}",
            f"10: {FOREIGN}",
            "11: 'memref.alloc' op result must be in generic or local memory, got "
            "#gpu.address_space<workgroup>, which is shared memory [T3]",
            "14: 'func.func' op 'function_type' must have no tcgen05 layout, which only the result "
            "of a tcgen05.view has, got (memref<128x4xi32, #tcgen05.tmem_layout<(128, 4) : "
            "(1@lane, 1@col)>, 6>) -> () [L1]",
        ]


def test_a07_no_copy_repeats_zero_times():
    tensor = "memref<0x128x4xi32, #tcgen05.tmem_layout<(1, 128, 4) : (4@col, 1@lane, 1@col)>, 6>"
    text = f"""
      func.func @f(%t: {tensor}, %s: memref<0x128x4xi32, {WORKGROUP}>) {{
        tcgen05.cp <shape_128x128b> %t, %s descriptor(<sdo = 128>)
          : {tensor}, memref<0x128x4xi32, {WORKGROUP}>
        return
      }}"""
    with ir.Context(), pytest.raises(ir.MLIRError, match="mode 0 of the layout has extent 1"):
        ir.Module.parse(text)
    plain = text.replace(tensor, f"memref<2x128x4xi32, {TWO}, 6>")
    with ir.Context(), pytest.raises(ir.MLIRError) as caught:
        ir.Module.parse(plain)
    assert "'tcgen05.cp' op 'src' dimension 0 must be static and positive, got 0 [C4]" in str(
        caught.value
    )


def test_modules_without_the_dialect_are_left_alone():
    text = f"func.func @f() {{\n%b = memref.alloc() : {BUFFER}\nreturn\n}}"
    with ir.Context():
        module = ir.Module.parse(text)
        assert str(tcgen05_mlir.run_pipeline(module, PASS)) == str(module)


def test_many_modules_on_all_threads():
    body = f"""
      gpu.func @k(%taddr: i32) workgroup(%s: {ALIGNED}) kernel {{
        %t = tcgen05.view %taddr : i32 to {TENSOR}
        {copy("%t", "%s")}
        gpu.return
      }}"""
    text = "\n".join(f"gpu.module @m{number} {{ {body} }}" for number in range(50))
    with ir.Context() as context:
        context.enable_multithreading(True)
        module = ir.Module.parse(text)
        lowered = str(tcgen05_mlir.run_pipeline(module, f"gpu.module({PASS})"))
        together = str(tcgen05_mlir.run_pipeline(module, PASS))
    assert lowered == together
    assert lowered.count("nvvm.tcgen05.cp") == 50
    assert " tcgen05." not in lowered
