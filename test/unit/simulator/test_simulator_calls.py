"""Calls: one copy of a function's code serves all that call it, from wherever they are."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels import THREADS, lanes, llvm_kernel, per_thread
from tcgen05_mlir import MLIRError
from tcgen05_mlir.simulator import run
from test_simulator_control_flow import VARIABLES, Block, blocks_of, kernel_of, walk

STEPS = """llvm.func @steps(%n: i32) -> i32 {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    llvm.br ^look(%n, %zero : i32, i32)
  ^look(%m: i32, %count: i32):
    %done = llvm.icmp "ule" %m, %one : i32
    llvm.cond_br %done, ^end, ^step
  ^step:
    %odd = llvm.and %m, %one : i32
    %is = llvm.icmp "eq" %odd, %one : i32
    %more = llvm.add %count, %one : i32
    llvm.cond_br %is, ^up, ^down
  ^up:
    %d = llvm.mul %m, %two : i32
    %p = llvm.add %m, %d : i32
    %q = llvm.add %p, %one : i32
    llvm.br ^look(%q, %more : i32, i32)
  ^down:
    %h = llvm.udiv %m, %two : i32
    llvm.br ^look(%h, %more : i32, i32)
  ^end:
    llvm.return %count : i32
  }
"""
"""How many steps of Collatz's a number is from 1: a loop that lanes leave at different times."""


def steps(n: int) -> int:
    count = 0
    while n > 1:
        n, count = (3 * n + 1 if n % 2 else n // 2), count + 1
    return count


def test_lanes_call_from_two_places_at_once() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
      %hundred = llvm.mlir.constant(100 : i32) : i32
      %odd = llvm.and %tid, %one : i32
      %is = llvm.icmp "eq" %odd, %one : i32
      llvm.cond_br %is, ^a, ^b
    ^a:
      %p = llvm.call @steps(%tid) : (i32) -> i32
      %far = llvm.add %p, %hundred : i32
      %p2 = llvm.call @steps(%far) : (i32) -> i32
      llvm.br ^end(%p2 : i32)
    ^b:
      %far2 = llvm.add %tid, %hundred : i32
      %r = llvm.call @steps(%far2) : (i32) -> i32
      llvm.br ^end(%r : i32)
    ^end(%y: i32):"""
    got = lanes(per_thread(body, "y", "i32", inputs=0, outside=STEPS))
    wanted = [steps(steps(t) + 100) if t % 2 else steps(t + 100) for t in range(THREADS)]
    assert got.tolist() == wanted


def test_lanes_wait_inside_for_those_that_call_later() -> None:
    """All lanes exchange values in a function; half of them come to it by way of another one."""
    outside = """llvm.func @other(%v: i32) -> !llvm.struct<(i32, i1)> {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %last = llvm.mlir.constant(31 : i32) : i32
    %half = llvm.mlir.constant(16 : i32) : i32
    %y = nvvm.shfl.sync bfly %all, %v, %half, %last {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    llvm.return %y : !llvm.struct<(i32, i1)>
  }
  llvm.func @twice(%v: i32) -> i32 {
    %w = llvm.add %v, %v : i32
    %x = llvm.call @other(%w) : (i32) -> !llvm.struct<(i32, i1)>
    %y = llvm.extractvalue %x[0] : !llvm.struct<(i32, i1)>
    llvm.return %y : i32
  }"""  # noqa: E501
    body = """%half = llvm.mlir.constant(16 : i32) : i32
      %low = llvm.icmp "ult" %tid, %half : i32
      llvm.cond_br %low, ^a, ^b
    ^a:
      %p = llvm.call @twice(%tid) : (i32) -> i32
      llvm.br ^end(%p : i32)
    ^b:
      %both = llvm.call @other(%tid) : (i32) -> !llvm.struct<(i32, i1)>
      %r = llvm.extractvalue %both[0] : !llvm.struct<(i32, i1)>
      llvm.br ^end(%r : i32)
    ^end(%y: i32):"""
    kernel = per_thread(body, "y", "i32", inputs=0, outside=outside)
    wanted = [t ^ 16 if t < 16 else 2 * (t ^ 16) for t in range(THREADS)]
    for seed in range(4):
        (got,) = run(kernel, "k", np.zeros(THREADS, np.int32), seed=seed)
        assert got.tolist() == wanted


def test_lanes_that_leave_a_function_early_or_end_in_it() -> None:
    outside = """llvm.func @half(%v: i32) -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %b = llvm.and %v, %three : i32
    llvm.switch %b : i32, ^rest [ 0: ^end, 1: ^early ]
  ^end:
    nvvm.exit
    llvm.unreachable
  ^early:
    llvm.return %five : i32
  ^rest:
    %w = llvm.lshr %v, %one : i32
    llvm.return %w : i32
  }"""
    body = """%y = llvm.call @half(%tid) : (i32) -> i32"""
    kernel = per_thread(body, "y", "i32", inputs=0, outside=outside)
    (got,) = run(kernel, "k", np.full(THREADS, -1, np.int32))
    assert got.tolist() == [[-1, 5, t // 2, t // 2][t % 4] for t in range(THREADS)]


def test_the_code_does_not_grow_with_the_calls() -> None:
    from mlir import ir
    from tcgen05_mlir.passes.device_code import functions, gpu_modules
    from tcgen05_mlir.simulator.translate.kernel import translate

    def length(calls: int) -> int:
        body = "%v0 = llvm.add %tid, %tid : i32\n" + "\n".join(
            f"%v{n + 1} = llvm.call @steps(%v{n}) : (i32) -> i32" for n in range(calls)
        )
        text = per_thread(body, f"v{calls}", "i32", inputs=0, outside=STEPS)
        with ir.Context():
            module = ir.Module.parse(text)
            (holder,) = gpu_modules(module.operation)
            source = translate(functions(holder)["k"], holder).source
        assert source.count(" // ") == 1
        return source.count("\n")

    assert length(20) - length(19) == length(2) - length(1) < 20


@pytest.mark.parametrize("inner", ["@f", "@g"])
def test_recursion_is_refused(inner: str) -> None:
    outside = f"""llvm.func @f() {{
    llvm.call {inner}() : () -> ()
    llvm.return
  }}
  llvm.func @g() {{
    llvm.call @f() : () -> ()
    llvm.return
  }}"""
    with pytest.raises(MLIRError) as caught:
        run(llvm_kernel("", "llvm.call @f() : () -> ()\n llvm.return", outside=outside))
    assert "calls 'f', which is recursive: not simulated" in str(caught.value)


FUNCTIONS = """
  llvm.func @slow_add(%a: i32, %b: i32) -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^look(%a, %b : i32, i32)
  ^look(%sum: i32, %carry: i32):
    %done = llvm.icmp "eq" %carry, %zero : i32
    llvm.cond_br %done, ^end, ^more
  ^more:
    %both = llvm.and %sum, %carry : i32
    %next = llvm.xor %sum, %carry : i32
    %up = llvm.shl %both, %one : i32
    llvm.br ^look(%next, %up : i32, i32)
  ^end:
    llvm.return %sum : i32
  }
  llvm.func @slow_mul(%a: i32, %b: i32) -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^look(%zero, %a, %b : i32, i32, i32)
  ^look(%sum: i32, %c: i32, %d: i32):
    %done = llvm.icmp "eq" %d, %zero : i32
    llvm.cond_br %done, ^end, ^more
  ^more:
    %bit = llvm.and %d, %one : i32
    %odd = llvm.icmp "eq" %bit, %one : i32
    %c2 = llvm.shl %c, %one : i32
    %d2 = llvm.lshr %d, %one : i32
    llvm.cond_br %odd, ^add, ^look(%sum, %c2, %d2 : i32, i32, i32)
  ^add:
    %s2 = llvm.call @slow_add(%sum, %c) : (i32, i32) -> i32
    llvm.br ^look(%s2, %c2, %d2 : i32, i32, i32)
  ^end:
    llvm.return %sum : i32
  }
"""


@settings(max_examples=10)
@given(blocks=st.integers(2, 5).flatmap(blocks_of), seed=st.integers(0, 3))
def test_random_control_flow_whose_sums_and_products_are_calls(
    blocks: list[Block], seed: int
) -> None:
    calls = re.sub(
        r"(%n_\d+) = llvm\.(add|mul) (%\w+), (%\w+) : i32",
        r"\1 = llvm.call @slow_\2(\3, \4) : (i32, i32) -> i32",
        kernel_of(blocks),
    )
    kernel = calls.replace("llvm.func @k", f"{FUNCTIONS}\n  llvm.func @k", 1)
    (got,) = run(kernel, "k", np.zeros((VARIABLES, THREADS), np.uint32), seed=seed)
    wanted = np.array([walk(blocks, thread) for thread in range(THREADS)], np.uint32).T
    assert (got == wanted).all(), kernel
