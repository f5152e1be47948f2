"""TMEM addresses that are one of several values, and those that an unknown operation computes."""

from __future__ import annotations

import pytest
from footprint_text import (
    byte_buffer,
    copy_text,
    errors_and_notes,
    function,
    memref,
    view_of_base,
    view_of_bytes,
)
from tcgen05_mlir.model import Instruction, SmemDescriptor, SmemLayout, TmemLayout
from tcgen05_mlir.model.footprint import TensorBase
from traced import origin

CONSTANTS = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c9 = arith.constant 9 : index
%zero = arith.constant 0 : i32
%two = arith.constant 2 : i32
%four = arith.constant 4 : i32
%six = arith.constant 6 : i32
"""


def base_of(body: str) -> TensorBase:
    arguments = "%p: i1, %a: i32, %b: i32, %i: index, %m: memref<i32>"
    text = f"func.func @f({arguments}) -> i32 {{{CONSTANTS}{body}\nreturn %r : i32\n}}"
    return origin(text).base


def loop(step: str, first: str = "%a") -> str:
    return f"""%r = scf.for %n = %c0 to %c9 step %c1 iter_args(%x = {first}) -> (i32) {{
      %y = arith.addi %x, {step} : i32
      scf.yield %y : i32
    }}"""


def branch(one: str, other: str) -> str:
    return f"""%r = scf.if %p -> i32 {{
      %y = arith.addi {one} : i32
      scf.yield %y : i32
    }} else {{
      %y = arith.addi {other} : i32
      scf.yield %y : i32
    }}"""


ADDED = "%y = arith.addi %a, {} : i32\n"
BLOCKS = "cf.br ^head(%a : i32)\n^head(%x: i32):\n"


@pytest.mark.parametrize(
    ("body", "base"),
    [
        (loop("%two"), TensorBase(column_factor=2)),
        (loop("%four"), TensorBase(column_factor=4)),
        (loop("%zero"), TensorBase()),
        (branch("%a, %two", "%two, %a"), TensorBase(column=2)),
        (branch("%a, %two", "%a, %six"), TensorBase(column=2, column_factor=4)),
        (branch("%a, %four", "%b, %four"), TensorBase(column=4)),
        (branch("%a, %two", "%b, %two"), TensorBase(column=2)),
        ("%r = arith.select %p, %a, %b : i32", TensorBase()),
        ("%r = arith.select %p, %a, %zero : i32", TensorBase()),
        ("%r = arith.select %p, %a, %two : i32", TensorBase(absolute=True, column_factor=1)),
        (
            "%s = arith.select %p, %a, %b : i32\n%r = arith.ori %s, %four : i32",
            TensorBase(column=4),
        ),
        (ADDED.format("%two") + "%r = llvm.freeze %y : i32", TensorBase(column=2)),
        (ADDED.format("%two") + "%r = arith.bitcast %y : i32 to i32", TensorBase(column=2)),
        (
            ADDED.format("%two") + "cf.br ^next(%y : i32)\n^next(%r: i32):",
            TensorBase(column=2),
        ),
        (
            BLOCKS + "%y = arith.addi %x, %two : i32\n"
            "cf.cond_br %p, ^head(%y : i32), ^end(%x : i32)\n^end(%r: i32):",
            TensorBase(column_factor=2),
        ),
        # Asked for behind the addition: the loop's argument comes second.
        (
            BLOCKS + "%r = arith.addi %x, %four : i32\ncf.cond_br %p, ^head(%r : i32), ^end\n^end:",
            TensorBase(column=4, column_factor=4),
        ),
        (
            "cf.switch %a : i32, [default: ^end(%a : i32), 1: ^end(%b : i32)]\n^end(%r: i32):",
            TensorBase(),
        ),
        (
            "%r = scf.while (%x = %a) : (i32) -> i32 {\nscf.condition(%p) %x : i32\n} do {\n"
            "^bb0(%y: i32):\n%z = arith.addi %y, %six : i32\nscf.yield %z : i32\n}",
            TensorBase(column_factor=6),
        ),
        (
            "%r = scf.index_switch %i -> i32\ncase 1 {\nscf.yield %a : i32\n}\n"
            "default {\nscf.yield %b : i32\n}",
            TensorBase(),
        ),
        (
            "%r = affine.for %n = 0 to 9 iter_args(%x = %a) -> (i32) {\n"
            "%y = arith.addi %x, %two : i32\naffine.yield %y : i32\n}",
            TensorBase(column_factor=2),
        ),
        (
            "%s = memref.alloca() : memref<i32>\n"
            + ADDED.format("%two")
            + "memref.store %y, %s[] : memref<i32>\n%r = memref.load %s[] : memref<i32>",
            TensorBase(column=2),
        ),
        (
            "%n = llvm.mlir.constant(1 : i32) : i32\n"
            "%s = llvm.alloca %n x i32 : (i32) -> !llvm.ptr\n"
            + ADDED.format("%two")
            + "llvm.store %y, %s : i32, !llvm.ptr\n%r = llvm.load %s : !llvm.ptr -> i32",
            TensorBase(column=2),
        ),
        ("%r = memref.load %m[] : memref<i32>", TensorBase()),
        (
            "%all = arith.constant -1 : i32\n%w = arith.constant 32 : i32\n"
            "%r, %ok = gpu.shuffle idx %a, %zero, %w : i32",
            TensorBase(),
        ),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %a : (i32) -> i32', TensorBase()),
    ],
)
def test_an_address_that_is_one_of_several(body, base):
    assert base_of(body) == base


ATOM = Instruction("128x128b")
SOURCE = SmemLayout((128, 4), (4, 1))
CONTIGUOUS = SmemDescriptor(ldo=16, sdo=128)


def refusals(body: str) -> list[tuple[str, list[str]]]:
    """What is said of a copy to the address `%r`."""
    layout = TmemLayout.for_instruction(ATOM)
    text = f"{CONSTANTS}{body}\n{view_of_base(layout, '%r')}\n{view_of_bytes(SOURCE)}\n"
    text += copy_text(ATOM, layout, memref(SOURCE), CONTIGUOUS)
    return errors_and_notes(function(text, "%p: i1, %a: i32, %b: i32", byte_buffer()))


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("arith.xori", "%r = arith.xori %a, %two : i32"),
        ("arith.maxui", "%r = arith.maxui %a, %b : i32"),
        ("arith.addui_extended", "%r, %o = arith.addui_extended %a, %two : i32, i1"),
        (
            "vector.extract",
            "%v = vector.broadcast %a : i32 to vector<2xi32>\n"
            "%r = vector.extract %v[0] : i32 from vector<2xi32>",
        ),
        (
            "memref.load",
            "%s = memref.alloca() : memref<4xi32>\n"
            "%q = memref.cast %s : memref<4xi32> to memref<?xi32>\n"
            "memref.store %a, %q[%c0] : memref<?xi32>\n%r = memref.load %s[%c1] : memref<4xi32>",
        ),
        ("arith.xori", "%w = arith.xori %a, %b : i32\n" + loop("%two", "%w")),
    ],
)
def test_an_operation_that_is_not_understood_is_named(name, body):
    assert refusals(body) == [
        (
            "'tcgen05.cp' op 'dst' address must be moved by a multiple of 4 columns, got a number "
            "that is only known to be a multiple of 1 [F4]",
            [
                "the address that 'dst' is counted from is viewed here",
                f"'{name}' computes it, which is not understood",
                "add known multiples of 4 alone, for example by arith.muli with 4, or take the "
                "tcgen05.view of the allocation's own address",
            ],
        )
    ]


def test_a_multiple_of_what_is_not_understood_is_enough():
    body = "%x = arith.xori %b, %two : i32\n%y = arith.muli %x, %four : i32\n"
    assert refusals(body + "%r = arith.addi %a, %y : i32") == []


def test_long_chains_of_blocks_are_followed():
    blocks = "".join(
        f"cf.br ^b{n}(%x{n} : i32)\n^b{n}(%y{n}: i32):\n%x{n + 1} = arith.addi %y{n}, %four : i32\n"
        for n in range(3000)
    )
    body = f"%x0 = arith.addi %a, %zero : i32\n{blocks}%r = arith.addi %x3000, %two : i32"
    assert base_of(body) == TensorBase(column=12002)
