"""How far apart elements lie: `element_bytes` against the addresses that LLVM computes."""

from __future__ import annotations

import re

import pytest
import tcgen05_mlir
from mlir import ir
from mlir.dialects import gpu
from tcgen05_mlir.passes import tcgen05_to_ptx
from tcgen05_mlir.passes.device_code import operations
from tcgen05_mlir.passes.lowering.elements import element_bytes

TYPES = {
    "i1": 1,
    "i4": 1,
    "i8": 1,
    "i12": 2,
    "i16": 2,
    "i24": 4,
    "i32": 4,
    "i40": 8,
    "i64": 8,
    "i96": 16,
    "i128": 16,
    "index": 8,
    "bf16": 2,
    "f16": 2,
    "f32": 4,
    "f64": 8,
    "f8E4M3FN": 1,
    "f6E2M3FN": 1,
    "f4E2M1FN": 1,
    "vector<f32>": 4,
    "vector<4xf32>": 16,
    "vector<3xf32>": 16,
    "vector<3xi8>": 4,
    "vector<8xi4>": 4,
    "vector<16xi1>": 2,
    "vector<8xf64>": 64,
    "vector<2x3xf16>": 16,
    "vector<2x2x4xi8>": 16,
    "vector<4xindex>": 32,
    "complex<f32>": 8,
    "complex<f64>": 16,
}
TARGET = '#nvvm.target<O = 3, chip = "sm_100a", features = "+ptx86">'


@pytest.mark.parametrize(("text", "size"), TYPES.items())
def test_the_distance_of_two_elements(text, size):
    with ir.Context():
        assert element_bytes(ir.Type.parse(text)) == size


@pytest.mark.parametrize("text", ["memref<4xi32>", "vector<[4]xi32>", "!llvm.ptr", "none"])
def test_no_size_is_made_up(text):
    with ir.Context():
        assert element_bytes(ir.Type.parse(text)) is None


def array_types() -> list[str]:
    """What upstream makes of a buffer of two elements of each type."""
    buffers = "\n".join(
        f'memref.global "private" @b{number} : memref<2x{text}>'
        for number, text in enumerate(TYPES)
    )
    convert = "gpu.module(convert-gpu-to-nvvm)"
    module = ir.Module.parse(f"gpu.module @m {{ {buffers} }}")
    converted = tcgen05_mlir.run_pipeline(module, convert).operation
    arrays = [op for op in operations(converted) if op.name == "llvm.mlir.global"]
    return [str(ir.TypeAttr(op.attributes["global_type"]).value) for op in arrays]


def steps_of(arrays: list[str]) -> list[int]:
    """How far NVPTX's data layout has element 1 of an array from its start."""
    stores = "\n".join(
        f"%p{number} = llvm.getelementptr %array[0, 1] : (!llvm.ptr) -> !llvm.ptr, {text}\n"
        f"llvm.store volatile %p{number}, %out : !llvm.ptr, !llvm.ptr"
        for number, text in enumerate(arrays)
    )
    kernel = f"""
      gpu.module @m [{TARGET}] {{
        llvm.func @k(%array: !llvm.ptr, %out: !llvm.ptr) attributes {{nvvm.kernel}} {{
          {stores}
          llvm.return
        }}
      }}"""
    module = tcgen05_mlir.run_pipeline(ir.Module.parse(kernel), tcgen05_to_ptx.emit())
    ptx = gpu.ObjectAttr(module.body.operations[0].attributes["objects"][0]).object.decode()
    added = dict(re.findall(r"add\.s64\s+(%rd\d+), %rd\d+, (\d+);", ptx))
    return [int(added[name]) for name in re.findall(r"st\.volatile\S*\s+\[\S+\], (%rd\d+);", ptx)]


def test_llvm_has_the_same_distances():
    with ir.Context():
        assert steps_of(array_types()) == list(TYPES.values())
