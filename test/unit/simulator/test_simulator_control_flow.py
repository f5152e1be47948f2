"""Divergence: every thread has its own control flow, whatever the graph looks like."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import THREADS, element, lanes, llvm_kernel, per_thread
from tcgen05_mlir.simulator import SimulationError, run

FUEL, VARIABLES = 40, 3


@dataclass(frozen=True)
class Block:
    """Changes one variable by the two others, then goes one of two ways by a bit of a variable."""

    changes: int
    operation: str
    looks_at: int
    bit: int
    ways: tuple[int, int]


OPERATIONS = {"add": lambda a, b: a + b, "xor": lambda a, b: a ^ b, "mul": lambda a, b: a * b}


def blocks_of(count: int) -> st.SearchStrategy[list[Block]]:
    """A graph of `count` blocks, without a rule: irreducible loops and all."""
    place = st.integers(0, count - 1)
    block = st.builds(
        Block,
        st.integers(0, VARIABLES - 1),
        st.sampled_from(list(OPERATIONS)),
        st.integers(0, VARIABLES - 1),
        st.integers(0, 4),
        st.tuples(place, place),
    )
    return st.lists(block, min_size=count, max_size=count)


def walk(blocks: list[Block], thread: int) -> list[int]:
    """What one thread makes of it."""
    values, at = [thread, thread * 7 + 3, thread ^ 21], 0
    for _ in range(FUEL):
        block = blocks[at]
        others = [value for i, value in enumerate(values) if i != block.changes]
        values[block.changes] = OPERATIONS[block.operation](*others) & 0xFFFFFFFF
        at = block.ways[values[block.looks_at] >> block.bit & 1 ^ 1]
    return values


def kernel_of(blocks: list[Block]) -> str:
    """Every block takes the fuel and the variables; at the end they are stored."""
    names = [f"x{i}" for i in range(VARIABLES)]
    types = ", ".join(["i32"] * (VARIABLES + 1))
    text = []
    for place, block in enumerate(blocks):
        own = [f"%{name}_{place}" for name in names]
        after = list(own)
        after[block.changes] = f"%n_{place}"
        a, b = (value for i, value in enumerate(own) if i != block.changes)
        passed = f"%f_{place}, {', '.join(after)} : {types}"
        ways = [f"^b{way}({passed})" for way in block.ways]
        text.append(f"""
    ^b{place}(%g_{place}: i32, {", ".join(f"{value}: i32" for value in own)}):
      %n_{place} = llvm.{block.operation} {a}, {b} : i32
      %f_{place} = llvm.sub %g_{place}, %one : i32
      %d_{place} = llvm.icmp "eq" %f_{place}, %zero : i32
      llvm.cond_br %d_{place}, ^end({", ".join(after)} : {types[5:]}), ^go{place}
    ^go{place}:
      %s_{place} = llvm.mlir.constant({1 << block.bit} : i32) : i32
      %m_{place} = llvm.and {after[block.looks_at]}, %s_{place} : i32
      %c_{place} = llvm.icmp "ne" %m_{place}, %zero : i32
      llvm.cond_br %c_{place}, {ways[0]}, {ways[1]}""")
    stores = "\n".join(
        f"      %e{i} = {element('out', i, 'i32')}\n      llvm.store %r{i}, %e{i} : i32, !llvm.ptr"
        for i in range(VARIABLES)
    )
    return llvm_kernel(
        "%out: !llvm.ptr",
        f"""%tid = nvvm.read.ptx.sreg.tid.x : i32
      %t = llvm.zext %tid : i32 to i64
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %three = llvm.mlir.constant(3 : i32) : i32
      %seven = llvm.mlir.constant(7 : i32) : i32
      %bits = llvm.mlir.constant(21 : i32) : i32
      %fuel = llvm.mlir.constant({FUEL} : i32) : i32
      %i1 = llvm.mul %tid, %seven : i32
      %i2 = llvm.add %i1, %three : i32
      %i3 = llvm.xor %tid, %bits : i32
      llvm.br ^b0(%fuel, %tid, %i2, %i3 : {types})
    {"".join(text)}
    ^end({", ".join(f"%r{i}: i32" for i in range(VARIABLES))}):
{stores}
      llvm.return""",
    )


@settings(max_examples=40)
@given(blocks=st.integers(1, 7).flatmap(blocks_of), seed=st.integers(0, 3))
def test_random_control_flow(blocks: list[Block], seed: int) -> None:
    out = np.zeros((VARIABLES, THREADS), np.uint32)
    (got,) = run(kernel_of(blocks), "k", out, seed=seed)
    wanted = np.array([walk(blocks, thread) for thread in range(THREADS)], np.uint32).T
    assert (got == wanted).all(), kernel_of(blocks)


TID = np.arange(THREADS, dtype=np.int32)
ONE = "%one = llvm.mlir.constant(1 : i32) : i32\n%zero = llvm.mlir.constant(0 : i32) : i32\n"


def test_a_loop_with_a_trip_count_per_thread() -> None:
    """The last value made in the loop is used behind it, where other threads went on."""
    body = (
        ONE
        + """llvm.br ^head(%zero, %zero : i32, i32)
    ^head(%i: i32, %sum: i32):
      %square = llvm.mul %i, %i : i32
      %more = llvm.icmp "slt" %i, %tid : i32
      llvm.cond_br %more, ^body, ^done
    ^body:
      %next = llvm.add %i, %one : i32
      %total = llvm.add %sum, %square : i32
      llvm.br ^head(%next, %total : i32, i32)
    ^done:
      %y = llvm.add %sum, %square : i32"""
    )
    got = lanes(per_thread(body, "y", "i32", inputs=0))
    assert (got == [sum(i * i for i in range(t + 1)) for t in range(THREADS)]).all()


def test_nested_branches_in_a_loop_with_break_and_continue() -> None:
    body = (
        ONE
        + """%two = llvm.mlir.constant(2 : i32) : i32
      %ten = llvm.mlir.constant(10 : i32) : i32
      llvm.br ^head(%zero, %zero : i32, i32)
    ^head(%i: i32, %sum: i32):
      %next = llvm.add %i, %one : i32
      %stop = llvm.icmp "eq" %i, %tid : i32
      llvm.cond_br %stop, ^done(%sum : i32), ^odd
    ^odd:
      %r = llvm.urem %i, %two : i32
      %is_odd = llvm.icmp "eq" %r, %one : i32
      llvm.cond_br %is_odd, ^head(%next, %sum : i32, i32), ^add
    ^add:
      %s = llvm.add %sum, %i : i32
      %big = llvm.icmp "ugt" %s, %ten : i32
      llvm.cond_br %big, ^done(%s : i32), ^head(%next, %s : i32, i32)
    ^done(%y: i32):"""
    )

    def thread(tid: int) -> int:
        total = 0
        for i in range(tid):
            if i % 2 == 0:
                total += i
                if total > 10:
                    break
        return total

    assert (lanes(per_thread(body, "y", "i32", inputs=0)) == [thread(t) for t in range(32)]).all()


def test_early_exit_leaves_the_rest_running() -> None:
    body = (
        ONE
        + """%ten = llvm.mlir.constant(10 : i32) : i32
      %out_of = llvm.icmp "ugt" %tid, %ten : i32
      llvm.cond_br %out_of, ^leave, ^stay
    ^leave:
      llvm.return
    ^stay:
      %all = llvm.mlir.constant(-1 : i32) : i32
      %y = nvvm.vote.sync ballot %all, %true -> i32"""
    )
    body = "%true = llvm.mlir.constant(true) : i1\n" + body
    got = lanes(per_thread(body, "y", "i32", inputs=0))
    assert got[:11].tolist() == [0x7FF] * 11
    assert got[11:].tolist() == [0] * 21


def test_switch() -> None:
    body = (
        ONE
        + """%four = llvm.mlir.constant(4 : i32) : i32
      %r = llvm.urem %tid, %four : i32
      llvm.switch %r : i32, ^end(%tid : i32) [
        0: ^end(%zero : i32),
        1: ^one(%four : i32),
        3: ^end(%one : i32)
      ]
    ^one(%v: i32):
      %w = llvm.add %v, %tid : i32
      llvm.br ^end(%w : i32)
    ^end(%y: i32):"""
    )
    got = lanes(per_thread(body, "y", "i32", inputs=0))
    assert got.tolist() == [[0, 4 + t, t, 1][t % 4] for t in range(THREADS)]


def test_a_call_in_a_branch() -> None:
    outside = """llvm.func @collatz(%n: i32) -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %odd = llvm.and %n, %one : i32
    %is = llvm.icmp "eq" %odd, %one : i32
    llvm.cond_br %is, ^a, ^b
  ^a:
    %m = llvm.mul %n, %two : i32
    %p = llvm.add %m, %n : i32
    %q = llvm.add %p, %one : i32
    llvm.return %q : i32
  ^b:
    %h = llvm.udiv %n, %two : i32
    llvm.return %h : i32
  }"""
    body = (
        ONE
        + """%small = llvm.icmp "ult" %tid, %ten : i32
      llvm.cond_br %small, ^call, ^end(%zero : i32)
    ^call:
      %a = llvm.call @collatz(%tid) : (i32) -> i32
      %b = llvm.call @collatz(%a) : (i32) -> i32
      llvm.br ^end(%b : i32)
    ^end(%y: i32):"""
    )
    body = "%ten = llvm.mlir.constant(10 : i32) : i32\n" + body

    def once(n: int) -> int:
        return 3 * n + 1 if n % 2 else n // 2

    got = lanes(per_thread(body, "y", "i32", inputs=0, outside=outside))
    assert got.tolist() == [once(once(t)) if t < 10 else 0 for t in range(THREADS)]


def test_lanes_of_both_ways_gather_at_one_shuffle() -> None:
    """The two halves come to a shuffle of all lanes one after the other."""
    body = (
        ONE
        + """%all = llvm.mlir.constant(-1 : i32) : i32
      %last = llvm.mlir.constant(31 : i32) : i32
      %half = llvm.mlir.constant(16 : i32) : i32
      %low = llvm.icmp "ult" %tid, %half : i32
      llvm.cond_br %low, ^a, ^shuffle(%tid : i32)
    ^a:
      %n = llvm.mul %tid, %half : i32
      llvm.br ^shuffle(%n : i32)
    ^shuffle(%v: i32):
      %y = nvvm.shfl.sync bfly %all, %v, %half, %last : i32 -> i32"""
    )
    got = lanes(per_thread(body, "y", "i32", inputs=0))
    value = [t * 16 if t < 16 else t for t in range(THREADS)]
    assert got.tolist() == [value[t ^ 16] for t in range(THREADS)]


def producer_in_a_lane(seed: int) -> np.ndarray:
    """Lane 0 waits for an mbarrier on which another lane of its warp arrives in the other way."""
    body = """%tid = nvvm.read.ptx.sreg.tid.x : i32
    %t = llvm.zext %tid : i32 to i64
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %ticks = llvm.mlir.constant(100 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %first = llvm.icmp "eq" %tid, %zero : i32
    llvm.cond_br %first, ^init, ^begin
  ^init:
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    llvm.br ^begin
  ^begin:
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %first, ^wait, ^other
  ^wait:
    nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^other:
    %second = llvm.icmp "eq" %tid, %one : i32
    llvm.cond_br %second, ^arrive, ^end
  ^arrive:
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^end:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %tid, %p : i32, !llvm.ptr
    llvm.return"""
    bar = "llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64"
    kernel = llvm_kernel("%out: !llvm.ptr", body, outside=bar)
    return run(kernel, "k", np.zeros(THREADS, np.int32), seed=seed)[0]


@pytest.mark.parametrize("seed", range(4))
def test_lanes_of_a_warp_wait_for_each_other(seed: int) -> None:
    assert (producer_in_a_lane(seed) == TID).all()


def test_unreachable_is_an_error_where_it_is_reached() -> None:
    body = (
        ONE
        + """%three = llvm.mlir.constant(3 : i32) : i32
      %bad = llvm.icmp "eq" %tid, %three : i32
      llvm.cond_br %bad, ^trap, ^end
    ^trap:
      llvm.unreachable
    ^end:"""
    )
    with pytest.raises(SimulationError) as caught:
        lanes(per_thread(body, "tid", "i32", inputs=0))
    assert caught.value.rule == "S20"
    assert str(caught.value.place) == "block (0, 0, 0), thread (3, 0, 0)"
    assert "'llvm.unreachable' op is reached, which must not happen [S20]" in str(caught.value)


def test_exit_and_trap() -> None:
    body = (
        ONE
        + """%ten = llvm.mlir.constant(10 : i32) : i32
      %out_of = llvm.icmp "ugt" %tid, %ten : i32
      llvm.cond_br %out_of, ^leave, ^stay
    ^leave:
      nvvm.exit
      "llvm.intr.trap"() : () -> ()
      llvm.br ^stay
    ^stay:
      %y = llvm.add %tid, %one : i32"""
    )
    got = lanes(per_thread(body, "y", "i32", inputs=0))
    assert got.tolist() == [t + 1 if t <= 10 else 0 for t in range(THREADS)]
    with pytest.raises(SimulationError) as caught:
        lanes(per_thread(body.replace("nvvm.exit", ""), "y", "i32", inputs=0))
    assert "'llvm.intr.trap' op is reached, which must not happen [S20]" in str(caught.value)
