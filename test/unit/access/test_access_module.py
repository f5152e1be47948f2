"""`tcgen05-expand-access` on whole modules: what it leaves, and its place on the way to PTX."""

from __future__ import annotations

import pytest
import tcgen05_mlir
from layout_kernels import Kernel
from mlir import ir
from tcgen05_mlir.model import SmemLayout
from tcgen05_mlir.passes.tcgen05_to_ptx import ToPtxOptions, front

PASS = "tcgen05-expand-access"
WORKGROUP = "#gpu.address_space<workgroup>"
VIEW = f"memref<16x8xi32, #tcgen05.smem_layout<(16, 8) : (8, 1), swizzle = 1>, {WORKGROUP}>"
BROKEN = f"""
func.func @a(%b: memref<128xi32, {WORKGROUP}>, %q: !llvm.ptr<3>, %i: index, %g: memref<16x8xi32>) {{
  %v = tcgen05.view %b : memref<128xi32, {WORKGROUP}> to {VIEW}
  %w = tcgen05.view %q : !llvm.ptr<3> to {VIEW}
  %x = memref.load %v[%i, %i] : {VIEW}
  memref.store %x, %w[%i, %i] : {VIEW}
  memref.copy %v, %g : {VIEW} to memref<16x8xi32>
  return
}}
func.func @b(%v: {VIEW}, %i: index) -> i32 {{
  %x = memref.load %v[%i, %i] : {VIEW}
  return %x : i32
}}
"""
ERRORS = [
    (6, "'memref.store' op must access an address that is known to be a multiple of 4, got an "
        "address of which no factor is known [L5]"),
    (7, "'memref.copy' op operand 0 is a tcgen05.view of shared memory, which only tcgen05.cp, "
        "loads and stores can use [L4]"),
    (11, "'memref.load' op 'memref' must be the result of a tcgen05.view that is visible here, "
         "got a block argument [L1]"),
]  # fmt: skip
TILE = Kernel(SmemLayout((4, 16, 8), (8, 32, 1), offset=0, swizzle=3), 512, words=4)


def test_all_failures_in_source_order_and_nothing_changed() -> None:
    with ir.Context():
        module = ir.Module.parse(BROKEN)
        before = str(module)
        with pytest.raises(tcgen05_mlir.MLIRError) as caught:
            tcgen05_mlir.run_pipeline(module, PASS)
        assert str(module) == before
        assert str(caught.value.module) == before
        found = [(str(e.location), e.message) for e in caught.value.error_diagnostics]
    assert [message for _, message in found] == [message for _, message in ERRORS]
    for (place, _), (line, _) in zip(found, ERRORS, strict=True):
        assert f":{line}:" in place


def test_views_stay_and_a_second_run_changes_nothing() -> None:
    with ir.Context():
        once = tcgen05_mlir.run_pipeline(ir.Module.parse(TILE.text), PASS)
        assert str(once).count("tcgen05.view") == 1
        assert "vector.transfer" not in str(once)
        assert str(tcgen05_mlir.run_pipeline(once, PASS)) == str(once)


def test_accesses_are_expanded_before_the_views_go() -> None:
    phases = front(ToPtxOptions()).split(",")
    assert phases.index(PASS) < phases.index("convert-tcgen05-to-nvvm{path=nvvm}")
    assert phases.index("tcgen05-record-dynamic-alignment") < phases.index(PASS)


def test_four_words_are_one_instruction() -> None:
    tile = f"memref<16x8xi32, {WORKGROUP}>"
    text = f"""
gpu.module @m {{
  gpu.func @k(%words: vector<4xi32>) workgroup(%tile: {tile} {{llvm.align = 16}}) kernel {{
    %c4 = arith.constant 4 : index
    %row = gpu.thread_id x
    %view = tcgen05.view %tile : {tile} to {VIEW}
    vector.transfer_write %words, %view[%row, %c4] {{in_bounds = [true]}} : vector<4xi32>, {VIEW}
    gpu.return
  }}
}}"""
    ptx = tcgen05_mlir.compile(text, chip="sm_100a", emit="ptx")
    stores = [line.split()[0] for line in ptx.splitlines() if "st.shared" in line]
    assert stores == ["st.shared.v2.b64"]
