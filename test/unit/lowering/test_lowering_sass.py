"""What ptxas makes of straight-line copies. Compiled only: none of this has run on Blackwell."""

from __future__ import annotations

import itertools
import re

import pytest
from device_kernels import (
    instructions,
    issued_by_one_thread,
    ring_type,
    scale_factor_ring,
    to_ptx,
    to_sass,
    utccp,
)
from sources import WORKGROUP, memref
from tcgen05_mlir.model import COL, Instruction, SmemLayout, TmemLayout

FORM = Instruction("32x128b", "warpx4")
COUNTS = (1, 4, 16, 64)
PATHS = ("nvvm", "inline-asm")
DESCRIPTOR = "multicast(<warpx4>) descriptor(<ldo = 16, sdo = 128>)"


def target(count: int) -> str:
    return memref(TmemLayout.for_instruction(FORM, count))


def copies_of(count: int, source: str, index: str, guard: str = "") -> str:
    """One operation with `count` repeats from `%s`."""
    operands = f"%t, %s{index} {DESCRIPTOR}{guard}"
    return f"tcgen05.cp <shape_32x128b> {operands} : {target(count)}, {source}"


def taken(count: int) -> str:
    return (
        f"%s = memref.get_global @ring : {ring_type(count)}\n"
        f"%t = tcgen05.view %taddr : i32 to {target(count)}"
    )


def repeated(count: int, guard: str = "") -> str:
    copies = copies_of(count, ring_type(count), "[%stage]", guard)
    return issued_by_one_thread(copies, taken(count), scale_factor_ring(count))


def one_by_one(count: int) -> str:
    """An operation for each copy, with constant indices."""
    lines = [
        f"%i{n} = arith.constant {n} : index\n"
        f"tcgen05.cp <shape_32x128b> %t[%i{n}], %s[%i{n}, %i0] {DESCRIPTOR} : "
        f"{target(count)}, memref<{count}x1x32x4xi32, {WORKGROUP}>"
        for n in range(count)
    ]
    kind = f"memref<{count}x1x32x4xi32, {WORKGROUP}>"
    views = taken(count).replace(ring_type(count), kind)
    buffer = scale_factor_ring(count).replace(ring_type(count), kind)
    return issued_by_one_thread("\n".join(lines), views, buffer)


def behind_a_pointer(count: int) -> str:
    source = memref(SmemLayout.row_major((3, count, 32, 4)))
    views = (
        "%a = arith.index_cast %stage : index to i64\n"
        "%q = llvm.inttoptr %a : i64 to !llvm.ptr<3>\n"
        f"%s = tcgen05.view %q alignment(16) : !llvm.ptr<3> to {source}\n"
        f"%t = tcgen05.view %taddr : i32 to {target(count)}"
    )
    return issued_by_one_thread(copies_of(count, source, "[%stage]"), views)


def marginal_costs(compiled: dict[int, str]) -> list[float]:
    """SASS instructions for each further copy, between neighbouring counts."""
    sizes = {count: len(instructions(sass)) for count, sass in compiled.items()}
    return [
        (sizes[more] - sizes[fewer]) / (more - fewer) for fewer, more in itertools.pairwise(sizes)
    ]


def checked(kernel, counts=COUNTS, **options) -> dict[int, str]:
    """The SASS for each count: so many UTCCP, and no loop over the active threads."""
    compiled = {count: to_sass(kernel(count), **options) for count in counts}
    for count, sass in compiled.items():
        assert utccp(sass) == [FORM.sass] * count
        assert "BRA.U.ANY" not in sass
    return compiled


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kernel", [repeated, one_by_one])
def test_two_instructions_for_each_further_copy(kernel, path, ptxas, nvdisasm):
    assert marginal_costs(checked(kernel, path=path)) == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("path", PATHS)
def test_split_adds_are_one_more(path, ptxas, nvdisasm):
    compiled = checked(repeated, path=path, descriptor_add="split")
    # ptxas keeps the 64 low words in registers that it then has to move: hence the last.
    assert marginal_costs(compiled)[:2] == [3.0, 3.0]


@pytest.mark.parametrize("path", PATHS)
def test_unbounded_starts_are_masked_one_by_one(path, ptxas, nvdisasm):
    compiled = checked(behind_a_pointer, counts=(1, 4, 16), path=path)
    assert marginal_costs(compiled) == [5.0, 5.0]


@pytest.mark.parametrize("path", PATHS)
def test_a_predicate_costs_no_loop(path, ptxas, nvdisasm):
    compiled = checked(lambda count: repeated(count, " predicate(%p)"), path=path)
    assert marginal_costs(compiled)[1:] == [2.0, 2.0]


def test_columns_fold_into_the_instruction(ptxas, nvdisasm):
    sass = to_sass(repeated(4))
    places = [text.split("tmem[")[1].split("]")[0] for text in instructions(sass) if "tmem" in text]
    register = places[0]
    assert places == [register, f"{register}+0x4", f"{register}+0x8", f"{register}+0xc"]


def test_split_adds_to_the_low_word():
    ptx = to_ptx(repeated(2), descriptor_add="split")
    between = ptx[ptx.index("tcgen05.cp") : ptx.rindex("tcgen05.cp")]
    code = [line.split() for line in between.splitlines()[1:] if "//" not in line]
    assert [re.sub(r"%(rd?)\d+", r"%\1", " ".join(words)) for words in code if words] == [
        "mov.b32 %r, %r;",
        "add.s32 %r, %r, 32;",
        "mov.b64 %rd, {%r, 16392};",
    ]


@pytest.mark.parametrize("opt_level", range(4))
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "address",
    [
        "%a = arith.constant 0 : i32",
        "%n = arith.constant 1 : i32\n%m = arith.constant 2 : i32\n%a = arith.shli %n, %m : i32",
        "%n = llvm.mlir.zero : !llvm.ptr<6>\n%a = llvm.ptrtoint %n : !llvm.ptr<6> to i32",
    ],
)
def test_a_constant_address_reaches_ptx_in_a_register(address, path, opt_level, ptxas):
    kind = memref(TmemLayout((2, 32, 4), (4 @ COL, *_ROWS.strides), _ROWS.replicas))
    views = (
        f"%s = memref.get_global @ring : {ring_type(2)}\n{address}\n"
        f"%t = tcgen05.view %a : i32 to {kind}\n"
        f"%b = tcgen05.address %t : {kind} -> i32\n"
        "%from = llvm.inttoptr %b : i32 to !llvm.ptr<6>\n"
        "%word = nvvm.tcgen05.ld %from {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32\n"
        "llvm.store %word, %slot : i32, !llvm.ptr<3>"
    )
    copies = copies_of(2, ring_type(2), "[%stage]").replace(target(2), kind)
    text = issued_by_one_thread(copies, views, scale_factor_ring(2))
    ptx = to_ptx(text, path=path, opt_level=opt_level)
    lines = [line.strip() for line in ptx.splitlines()]
    accesses = [line for line in lines if line.startswith(("tcgen05.cp", "tcgen05.ld"))]
    assert len(accesses) == 3
    assert all("[%r" in line for line in accesses)
    # It would crash over a literal.
    assert utccp(to_sass(text, path=path, opt_level=opt_level)) == [FORM.sass] * 2


_ROWS = TmemLayout.for_instruction(FORM)


def test_what_llvm_folds_to_a_constant_is_in_a_register_too():
    """A loop that LLVM unrolls, over addresses that are its counter."""
    kind = memref(_ROWS)
    body = (
        "%c0 = arith.constant 0 : index\n%c4 = arith.constant 4 : index\n"
        "%c12 = arith.constant 12 : index\nscf.for %i = %c0 to %c12 step %c4 {\n"
        "%a = arith.index_cast %i : index to i32\n"
        f"%t = tcgen05.view %a : i32 to {kind}\n"
        f"tcgen05.cp <shape_32x128b> %t, %s[%c0, %c0] {DESCRIPTOR} : {kind}, {ring_type(1)}\n}}"
    )
    views = f"%s = memref.get_global @ring : {ring_type(1)}"
    ptx = to_ptx(issued_by_one_thread(body, views, scale_factor_ring(1)))
    copies = [line.split()[1] for line in ptx.splitlines() if "tcgen05.cp" in line]
    assert len(copies) == 3
    assert all(operand.startswith("[%r") for operand in copies)
