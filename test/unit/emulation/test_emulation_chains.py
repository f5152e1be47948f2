"""One tcgen05 operation takes the result of another: what has been put in its place counts."""

from __future__ import annotations

import numpy as np
import pytest
from mlir import ir
from tcgen05_mlir import run_pipeline
from tensor_kernels import ALLOC, DENSE, INPUT, fill, result

LD = "{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}"
AT = """
    %p = llvm.inttoptr %base : i32 to !llvm.ptr<6>
    %next = arith.addi %base, %c32 : i32
    %q = llvm.inttoptr %next : i32 to !llvm.ptr<6>
"""
OUT = "memref.store %w, %out[%thread] : memref<4096xi32>"


def test_what_a_load_gave_is_stored() -> None:
    body = f"""{ALLOC}{AT}
    nvvm.tcgen05.st %p, %t {LD} : i32
    nvvm.tcgen05.wait <store>
    %v = nvvm.tcgen05.ld %p {LD} : i32
    nvvm.tcgen05.st %q, %v {LD} : i32
    nvvm.tcgen05.wait <store>
    %w = nvvm.tcgen05.ld %q {LD} : i32
    nvvm.tcgen05.wait <load>
    {OUT}"""
    np.testing.assert_array_equal(result(body)[:32], np.arange(32))


def test_what_a_load_gave_is_the_count_of_a_dealloc() -> None:
    body = f"""{ALLOC}{AT}
    nvvm.tcgen05.st %p, %c64 {LD} : i32
    nvvm.tcgen05.wait <store>
    %w = nvvm.tcgen05.ld %p {LD} : i32
    nvvm.tcgen05.dealloc %p, %w : !llvm.ptr<6>, i32
    {OUT}"""
    np.testing.assert_array_equal(result(body)[:32], np.full(32, 64))


@pytest.mark.parametrize("kind", ["i32", "!llvm.ptr<6>"])
def test_what_a_load_gave_is_the_address_of_a_copy(kind: str) -> None:
    pointer = "%a = llvm.inttoptr %v : i32 to !llvm.ptr<6>" if kind != "i32" else ""
    address = "%v" if kind == "i32" else "%a"
    body = f"""{fill(DENSE)}{ALLOC}{AT}
    nvvm.tcgen05.st %p, %next {LD} : i32
    nvvm.tcgen05.wait <store>
    %v = nvvm.tcgen05.ld %p {LD} : i32
    {pointer}
    %one = nvvm.elect.sync -> i1
    llvm.inline_asm has_side_effects "@$2 tcgen05.cp.cta_group::1.128x128b [$0], $1;",
        "r,l,b,~{{memory}}" {address}, %desc, %one : ({kind}, i64, i1) -> ()
    %w = nvvm.tcgen05.ld %q {LD} : i32
    nvvm.tcgen05.wait <load>
    {OUT}"""
    # Row r of the copy is at byte 16*r, its first word at 4*r.
    np.testing.assert_array_equal(result(body)[:32], INPUT[: 4 * 32 : 4])


def test_what_a_load_gave_is_an_alignment() -> None:
    text = f"""gpu.module @m {{
      llvm.func @f(%p: !llvm.ptr<3>, %t: !llvm.ptr<6>, %c: i1) {{
        %n = nvvm.tcgen05.ld %t {LD} : i32
        llvm.intr.assume %c ["align"(%p, %n : !llvm.ptr<3>, i32)] : i1
        llvm.return
      }}
    }}"""
    with ir.Context():
        done = run_pipeline(ir.Module.parse(text), "tcgen05-emulate")
    assert done.operation.verify()
    assert "call @__tcgen05_check_alignment" in str(done)
