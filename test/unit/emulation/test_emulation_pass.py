"""`tcgen05-emulate` as a pass: nested, twice, before and behind the lowering, down to PTX."""

from __future__ import annotations

import pytest
from mlir import ir
from mlir.dialects import gpu
from tcgen05_mlir import run_pipeline
from tcgen05_mlir.emulation import abi

TEXT = """
module attributes {gpu.container_module} {
  gpu.module @first [#nvvm.target<chip = "sm_90", features = "+ptx80", verifyTarget = false>] {
    llvm.func @kernel(%t: !llvm.ptr<6>, %d: i64) attributes {gpu.kernel, nvvm.kernel} {
      nvvm.tcgen05.cp %t, %d {shape = #nvvm.tcgen05_cp_shape<shape_128x128b>} loc("copy.mlir":12:5)
      llvm.return
    }
  }
  gpu.module @second [#nvvm.target<chip = "sm_90", features = "+ptx80", verifyTarget = false>] {
    llvm.func @kernel(%t: !llvm.ptr<6>) -> vector<128xi32> attributes {gpu.kernel, nvvm.kernel} {
      %v = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
        loc(fused["a.mlir":3:4, "b.mlir":5:6])
      %w = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
        loc(callsite("callee"("c.mlir":7:8) at "b.mlir":9:1))
      %x = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<128xi32>
        loc(unknown)
      llvm.return %v : vector<128xi32>
    }
  }
  gpu.module @plain {
    llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} { llvm.return }
  }
}
"""


@pytest.fixture
def emulated() -> ir.Module:
    with ir.Context():
        return run_pipeline(ir.Module.parse(TEXT), "tcgen05-emulate")


def _sites(module: ir.Module, number: int) -> list[str]:
    attributes = module.body.operations[number].operation.attributes
    return [ir.StringAttr(text).value for text in attributes[abi.SITES_ATTRIBUTE]]


def test_the_places_of_operations(emulated: ir.Module) -> None:
    assert _sites(emulated, 0) == ["copy.mlir:12:5: 'nvvm.tcgen05.cp' op"]
    assert _sites(emulated, 1) == [
        "a.mlir:3:4: 'nvvm.tcgen05.ld' op",
        "c.mlir:7:8: 'nvvm.tcgen05.ld' op",
        "unknown: 'nvvm.tcgen05.ld' op",
    ]
    assert abi.SITES_ATTRIBUTE not in emulated.body.operations[2].operation.attributes


def test_nested_it_does_the_same(emulated: ir.Module) -> None:
    with ir.Context():
        nested = run_pipeline(ir.Module.parse(TEXT), "gpu.module(tcgen05-emulate)")
        assert str(nested) == str(emulated)


def test_a_second_time_it_does_nothing(emulated: ir.Module) -> None:
    assert str(run_pipeline(emulated, "tcgen05-emulate")) == str(emulated)


@pytest.mark.parametrize("level", [0, 3])
def test_it_is_ready_for_the_backend(emulated: ir.Module, level: int) -> None:
    """No pass is needed between this one and PTX, at any level; loads are inlined at any."""
    target = f"nvvm-attach-target{{chip=sm_90 features=+ptx80 O={level}}}"
    binaries = run_pipeline(emulated, f"{target},gpu-module-to-binary{{format=isa}}")
    first, second, _ = (
        gpu.ObjectAttr(op.operation.attributes["objects"][0]).object.decode()
        for op in binaries.body.operations
    )
    for ptx in (first, second):
        assert f".visible .global .align 8 .b8 {abi.SYMBOL}[{abi.BINDING_BYTES}];" in ptx
        assert "tcgen05." not in ptx
    assert ".func __tcgen05_cp_128x128b" in first
    assert "ld.global.v4.b32" in second
    assert "call __tcgen05_ld" not in second.replace("call.uni", "call")
