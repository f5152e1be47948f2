"""Integers as a constant plus multiples: every operation that is followed."""

from __future__ import annotations

import pytest
from mlir import ir
from tcgen05_mlir.passes.facts.integers import Integers
from tcgen05_mlir.passes.facts.sums import Sum, opaque, product
from traced import returned, sum_parts


def function(body: str, result: str = "%r", kind: str = "index") -> str:
    return f"""
      func.func @f(%i: index, %j: index, %n: i32, %b: i1) -> {kind} {{
        %c0 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %c4 = arith.constant 4 : index
        %c64 = arith.constant 64 : index
        {body}
        return {result} : {kind}
      }}"""


@pytest.mark.parametrize(
    ("body", "constant", "coefficients"),
    [
        ("%r = arith.addi %c4, %c64 : index", 68, []),
        ("%r = arith.addi %i, %c64 : index", 64, [1]),
        ("%r = arith.addi %i, %i : index", 0, [2]),
        ("%r = arith.subi %c4, %i : index", 4, [-1]),
        ("%r = arith.subi %i, %i : index", 0, []),
        ("%r = arith.muli %i, %c64 : index", 0, [64]),
        ("%r = arith.muli %c4, %c64 : index", 256, []),
        ("%a = arith.muli %i, %c4 : index\n%r = arith.muli %a, %j : index", 0, [4]),
        ("%r = arith.shli %i, %c4 : index", 0, [16]),
        ("%a = arith.muli %i, %c4 : index\n%r = arith.shli %a, %j : index", 0, [4]),
        ("%a = arith.muli %i, %c4 : index\n%r = arith.ori %a, %c3 : index", 3, [4]),
        ("%a = arith.muli %i, %c4 : index\n%r = arith.ori %a, %c4 : index", 0, [4]),
        ("%r = arith.ori %i, %c3 : index", 0, [1]),
        ("%r = arith.ori %c3, %c4 : index", 7, []),
        ("%m = arith.constant -16 : index\n%r = arith.andi %i, %m : index", 0, [16]),
        ("%r = arith.andi %c64, %c4 : index", 0, []),
        ("%a = arith.muli %i, %c64 : index\n%r = arith.divui %a, %c4 : index", 0, [16]),
        ("%r = arith.divui %i, %c4 : index", 0, [1]),
        ("%r = arith.divsi %c64, %c4 : index", 16, []),
        ("%a = arith.muli %i, %c64 : index\n%r = arith.shrui %a, %c4 : index", 0, [4]),
        ("%r = arith.remui %c64, %c3 : index", 1, []),
        ("%a = arith.muli %i, %c4 : index\n%r = arith.remui %a, %c64 : index", 0, [4]),
        ("%r = arith.remui %i, %c3 : index", 0, [1]),
        ("%r = arith.select %b, %c4, %c64 : index", 4, [60]),
        ("%a = arith.addi %i, %c4 : index\n%r = arith.select %b, %i, %a : index", 0, [1, 4]),
        ("%r = arith.select %b, %i, %j : index", 0, [1]),
        ("%r = affine.apply affine_map<(d0)[s0] -> (d0 * 512 + s0 + 7)>(%i)[%c64]", 71, [512]),
        ("%r = affine.apply affine_map<(d0) -> ((d0 * 64) mod 48)>(%i)", 0, [16]),
        ("%r = affine.apply affine_map<(d0) -> ((d0 * 64) floordiv 16)>(%i)", 0, [4]),
        ("%r = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%i)", 0, [1]),
        ("%r = index.add %i, %c4", 4, [1]),
        ("%r = index.mul %i, %c4", 0, [4]),
        ("%a = arith.index_cast %n : i32 to index\n%r = arith.muli %a, %c4 : index", 0, [4]),
        # Eight bits wrap: 64 + 64 * i modulo 256; and 200 is -56.
        (
            "%a = arith.muli %i, %c64 : index\n%x = arith.index_cast %a : index to i8\n"
            "%r = arith.index_castui %x : i8 to index",
            0,
            [64],
        ),
        ("%x = arith.constant 200 : i8\n%r = arith.index_cast %x : i8 to index", -56, []),
        ("%x = arith.constant 200 : i8\n%r = arith.index_castui %x : i8 to index", 200, []),
    ],
)
def test_what_an_operation_makes(body, constant, coefficients):
    assert sum_parts(function(body)) == (constant, coefficients)


@pytest.mark.parametrize(
    ("body", "constant", "coefficients"),
    [
        ("%r = llvm.add %n, %n : i32", 0, [2]),
        ("%c = llvm.mlir.constant(5 : i32) : i32\n%r = llvm.shl %n, %c : i32", 0, [32]),
        ("%c = llvm.mlir.constant(5 : i32) : i32\n%r = llvm.or disjoint %n, %c : i32", 5, [1]),
        ("%c = llvm.mlir.constant(5 : i32) : i32\n%r = llvm.or %n, %c : i32", 0, [1]),
        (
            "%p = llvm.inttoptr %n : i32 to !llvm.ptr<6>\n"
            "%q = llvm.getelementptr %p[4] : (!llvm.ptr<6>) -> !llvm.ptr<6>, i8\n"
            "%r = llvm.ptrtoint %q : !llvm.ptr<6> to i32",
            4,
            [1],
        ),
    ],
)
def test_what_an_operation_of_llvm_makes(body, constant, coefficients):
    assert sum_parts(function(body, kind="i32")) == (constant, coefficients)


def test_a_loop_counts_from_its_lower_bound_in_its_steps():
    text = """
      func.func @f(%n: index) {
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        scf.for %i = %c8 to %n step %c16 {
          func.call @g(%i) : (index) -> ()
        }
        return
      }
      func.func private @g(%i: index)"""
    with ir.Context():
        module = ir.Module.parse(text)
        loop = list(module.body.operations[0].regions[0].blocks[0].operations)[2]
        found = Integers().sum_of(loop.regions[0].blocks[0].arguments[0])
        assert (found.constant, list(found.terms.values())) == (8, [16])


def test_long_chains_and_doublings_are_followed():
    chain = "\n".join(f"%a{n + 1} = arith.addi %a{n}, %c4 : index" for n in range(3000))
    text = function(f"%a0 = arith.addi %i, %c0 : index\n{chain}", "%a3000")
    assert sum_parts(text) == (12000, [1])
    doubled = "\n".join(f"%a{n + 1} = arith.addi %a{n}, %a{n} : index" for n in range(40))
    text = function(f"%a0 = arith.addi %i, %c0 : index\n{doubled}", "%a40")
    assert sum_parts(text) == (0, [1 << 40])


def test_a_value_made_of_itself_is_opaque():
    text = """
      func.func @f() -> index {
        %c = arith.constant 1 : index
        return %c : index
      ^unreachable:
        %a = arith.addi %a, %c : index
        return %a : index
      }"""
    with ir.Context():
        module = ir.Module.parse(text)
        block = module.body.operations[0].regions[0].blocks[1]
        found = Integers().sum_of(block.operations[0].result)
        assert list(found.terms.values()) == [1]


def test_equal_terms_cancel_and_different_ones_do_not():
    text = function("%a = arith.addi %i, %c4 : index\n%r = arith.subi %a, %i : index")
    with returned(text) as value:
        assert Integers().number(value) == 4
    with returned(function("%r = arith.subi %i, %j : index")) as value:
        assert Integers().number(value) is None


def test_bits_of_sums():
    assert Sum(5).bits == 5
    assert opaque("i", 16).bits == -16
    assert opaque("i", 16, 4).bits == -4
    assert product("ij", opaque("i", 4), opaque("j", 6, 2)) == Sum(0, {"ij": 8})
