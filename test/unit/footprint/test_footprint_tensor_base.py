"""TMEM addresses traced to their alloc, with what is added to them."""

from __future__ import annotations

import pytest
from footprint_text import WORKGROUP
from tcgen05_mlir.model.footprint import TensorBase
from traced import origin

SLOT = f"memref<2xi32, {WORKGROUP}>"


def function(body: str, result: str = "%r", columns: int = 64) -> str:
    return f"""
      #lanes = #tcgen05.tmem_layout<(128, 16) : (1@lane, 1@col), offset = (0@lane, 8@col)>
      llvm.mlir.global internal @slot() {{addr_space = 3 : i32}} : i32
      llvm.mlir.global internal @other() {{addr_space = 3 : i32}} : i32
      memref.global "private" @slots : {SLOT}
      func.func @f(%i: index, %n: i32, %b: i32) -> i32 {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %two = arith.constant 2 : i32
        %four = arith.constant 4 : i32
        %sixteen = arith.constant 16 : i32
        %columns = arith.constant {columns} : i32
        %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
        nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
        %base = llvm.load %slot : !llvm.ptr<3> -> i32
        {body}
        return {result} : i32
      }}"""


ALLOCATED = TensorBase(columns=64)


@pytest.mark.parametrize(
    ("body", "base"),
    [
        ("%r = arith.addi %base, %four : i32", TensorBase(column=4, columns=64)),
        ("%r = arith.subi %base, %four : i32", TensorBase(column=-4, columns=64)),
        ("%r = arith.ori %base, %four : i32", TensorBase(column=4, columns=64)),
        (
            "%l = arith.shli %two, %sixteen : i32\n%a = arith.ori %base, %l : i32\n"
            "%r = arith.ori %a, %four : i32",
            TensorBase(lane=2, column=4, columns=64),
        ),
        (
            "%a = arith.muli %n, %four : i32\n%r = arith.addi %a, %base : i32",
            TensorBase(columns=64, column_factor=4),
        ),
        (
            "%l = arith.shli %n, %sixteen : i32\n%a = arith.muli %b, %two : i32\n"
            "%s = arith.addi %base, %l : i32\n%r = arith.addi %s, %a : i32",
            TensorBase(columns=64, lane_factor=1, column_factor=2),
        ),
        (
            "%l = arith.shli %n, %sixteen : i32\n%r = arith.ori %base, %l : i32",
            TensorBase(columns=64, lane_factor=1),
        ),
        (
            "%x = arith.muli %i, %c4 : index\n%a = arith.index_cast %x : index to i32\n"
            "%r = arith.addi %base, %a : i32",
            TensorBase(columns=64, column_factor=4),
        ),
        ("%r = arith.addi %base, %n : i32", TensorBase(columns=64, column_factor=1)),
        (
            "%a = arith.addi %base, %sixteen : i32\n%c = arith.cmpi eq, %i, %c0 : index\n"
            "%r = arith.select %c, %base, %a : i32",
            TensorBase(columns=64, column_factor=16),
        ),
        # Bits that both may have: who knows what comes of it.
        ("%r = arith.ori %base, %columns : i32", TensorBase(absolute=True, column_factor=1)),
        (
            "%t = tcgen05.view %base : i32 to memref<128x16xi32, #lanes, 6>\n"
            "%r = tcgen05.address %t[%c4, %c1] : memref<128x16xi32, #lanes, 6> -> i32",
            TensorBase(lane=4, column=9, columns=64),
        ),
        (
            "%t = tcgen05.view %base : i32 to memref<128x16xi32, #lanes, 6>\n"
            "%r = tcgen05.address %t[%i, %c4] : memref<128x16xi32, #lanes, 6> -> i32",
            TensorBase(column=12, columns=64, lane_factor=1),
        ),
        (
            "%p = llvm.inttoptr %base : i32 to !llvm.ptr<6>\n"
            "%q = llvm.getelementptr %p[8] : (!llvm.ptr<6>) -> !llvm.ptr<6>, i8\n"
            "%r = llvm.ptrtoint %q : !llvm.ptr<6> to i32",
            TensorBase(column=8, columns=64),
        ),
    ],
    ids=[
        "addi",
        "subi",
        "ori",
        "lane and column",
        "muli",
        "lanes and columns unknown",
        "lane by or",
        "index_cast",
        "unknown",
        "select",
        "ori that overlaps",
        "address",
        "dynamic address",
        "pointer",
    ],
)
def test_what_is_added_to_an_allocation(body, base):
    assert origin(function(body)).base == base


@pytest.mark.parametrize(
    ("body", "result", "base"),
    [
        ("", "%n", TensorBase()),
        ("%r = arith.addi %n, %four : i32", "%r", TensorBase(column=4)),
        ("", "%sixteen", TensorBase(column=16, absolute=True)),
        ("%r = arith.constant 0x200010 : i32", "%r", TensorBase(lane=32, column=16, absolute=True)),
        ("%r = arith.constant -1 : i32", "%r", TensorBase(lane=65535, column=65535, absolute=True)),
        ("%r = arith.muli %n, %four : i32", "%r", TensorBase(absolute=True, column_factor=4)),
        (
            "%x = gpu.thread_id x\n%r = arith.index_cast %x : index to i32",
            "%r",
            TensorBase(absolute=True, column_factor=1),
        ),
    ],
    ids=["argument", "argument + 4", "16", "lane 32", "-1", "multiple", "thread"],
)
def test_an_address_that_no_alloc_is_behind(body, result, base):
    assert origin(function(body, result)).base == base


SLOTS = f"%slots = memref.get_global @slots : {SLOT}\n"
ALLOC_AT_1 = (
    SLOTS
    + f"%p = memref.extract_aligned_pointer_as_index %slots : {SLOT} -> index\n"
    + "%q = arith.addi %p, %c4 : index\n%a = arith.index_cast %q : index to i64\n"
    + "%at = llvm.inttoptr %a : i64 to !llvm.ptr<3>\n"
    + "%c128 = arith.constant 128 : i32\n"
    + "nvvm.tcgen05.alloc %at, %c128 : !llvm.ptr<3>, i32\n"
)


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        ("%other = llvm.mlir.addressof @other : !llvm.ptr<3>\n"
         "%r = llvm.load %other : !llvm.ptr<3> -> i32", None),
        (ALLOC_AT_1 + f"%r = memref.load %slots[%c1] : {SLOT}", 128),
        (ALLOC_AT_1 + f"%r = memref.load %slots[%c0] : {SLOT}", None),
        (ALLOC_AT_1 + f"%r = memref.load %slots[%i] : {SLOT}", None),
        (
            "%generic = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr\n"
            "%r = llvm.load %generic : !llvm.ptr -> i32",
            64,
        ),
        ("nvvm.tcgen05.alloc %slot, %sixteen : !llvm.ptr<3>, i32\n"
         "%r = llvm.load %slot : !llvm.ptr<3> -> i32", None),
        ("nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32\n"
         "%r = llvm.load %slot : !llvm.ptr<3> -> i32", 64),
        ("llvm.store %n, %slot : i32, !llvm.ptr<3>\n"
         "%r = llvm.load %slot : !llvm.ptr<3> -> i32", None),
        ("%other = llvm.mlir.addressof @other : !llvm.ptr<3>\n"
         "llvm.store %n, %other : i32, !llvm.ptr<3>\n"
         "%r = llvm.load %slot : !llvm.ptr<3> -> i32", 64),
        (ALLOC_AT_1 + f"memref.store %n, %slots[%i] : {SLOT}\n"
         f"%r = memref.load %slots[%c1] : {SLOT}", None),
        (ALLOC_AT_1 + f"memref.store %n, %slots[%c0] : {SLOT}\n"
         f"%r = memref.load %slots[%c1] : {SLOT}", 128),
        ("nvvm.tcgen05.alloc %slot, %n : !llvm.ptr<3>, i32\n"
         "%r = llvm.load %slot : !llvm.ptr<3> -> i32", None),
    ],
    ids=["other slot", "slot 1", "slot 0", "any slot", "generic pointer", "two counts", "twice",
         "stored over", "stored elsewhere", "stored anywhere", "stored beside", "unknown count"],
)  # fmt: skip
def test_the_alloc_is_the_one_that_wrote_the_slot(body, columns):
    assert origin(function(body)).base == TensorBase(columns=columns)


def test_the_alloc_has_a_location():
    found = origin(function("%r = arith.addi %base, %four : i32"))
    assert found.alloc is not None
    assert str(found.alloc) == 'loc("-":15:9)'
