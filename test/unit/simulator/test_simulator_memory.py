"""Memory by address space: loads, stores, addresses, atomics, aggregates."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import THREADS, lanes, llvm_kernel, per_thread
from tcgen05_mlir import MLIRError
from tcgen05_mlir.simulator import SimulationError, run

TID = np.arange(THREADS, dtype=np.int32)
X = TID * 3 + 1


def made_by(body: str, type_: str = "i32", dtype: type = np.int32, outside: str = "") -> list:
    return lanes(per_thread(body, "y", type_, outside=outside), X, dtype=dtype).tolist()


def test_a_struct_goes_through_local_memory() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
    %z = llvm.mlir.zero : !llvm.struct<(i8, i32, array<2 x i16>)>
    %h = llvm.trunc %x0 : i32 to i16
    %a = llvm.insertvalue %x0, %z[1] : !llvm.struct<(i8, i32, array<2 x i16>)>
    %b = llvm.insertvalue %h, %a[2, 1] : !llvm.struct<(i8, i32, array<2 x i16>)>
    %s = llvm.alloca %one x !llvm.struct<(i8, i32, array<2 x i16>)> : (i32) -> !llvm.ptr
    llvm.store %b, %s : !llvm.struct<(i8, i32, array<2 x i16>)>, !llvm.ptr
    %q = llvm.getelementptr %s[0, 2, 1]
      : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, i32, array<2 x i16>)>
    %u = llvm.load %q : !llvm.ptr -> i16
    %w = llvm.load %s : !llvm.ptr -> !llvm.struct<(i8, i32, array<2 x i16>)>
    %v = llvm.extractvalue %w[1] : !llvm.struct<(i8, i32, array<2 x i16>)>
    %e = llvm.zext %u : i16 to i32
    %y = llvm.add %e, %v : i32"""
    assert made_by(body.replace("%q", "%qq")) == (2 * X).tolist()


def test_vectors_in_memory_and_element_by_element() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %c = llvm.mlir.constant(dense<[10, 20, 30, 40]> : vector<4xi32>) : vector<4xi32>
    %v = llvm.insertelement %x0, %c[%two : i32] : vector<4xi32>
    %s = llvm.alloca %one x vector<4xi32> : (i32) -> !llvm.ptr
    llvm.store %v, %s : vector<4xi32>, !llvm.ptr
    %w = llvm.load %s : !llvm.ptr -> vector<4xi32>
    %r = llvm.shufflevector %w, %c [2, 3, 4, 7] : vector<4xi32>
    %k = llvm.and %tid, %two : i32
    %a = llvm.extractelement %r[%k : i32] : vector<4xi32>
    %sum = "llvm.intr.vector.reduce.add"(%r) : (vector<4xi32>) -> i32
    %y = llvm.add %a, %sum : i32"""
    wanted = [x + 40 + 10 + 40 + (10 if t & 2 else x) for t, x in enumerate(X)]
    assert made_by(body) == wanted


def test_bitcast_between_vectors_and_numbers() -> None:
    body = """%b = llvm.bitcast %x0 : i32 to vector<4xi8>
    %r = llvm.shufflevector %b, %b [3, 2, 1, 0] : vector<4xi8>
    %y = llvm.bitcast %r : vector<4xi8> to i32"""
    assert made_by(body) == X.byteswap().tolist()
    body = """%b = llvm.bitcast %x0 : i32 to vector<32xi1>
    %i = llvm.mlir.constant(2 : i32) : i32
    %f = llvm.extractelement %b[%i : i32] : vector<32xi1>
    %y = llvm.zext %f : i1 to i32"""
    assert made_by(body) == (X >> 2 & 1).tolist()


def test_negative_and_dynamic_indices() -> None:
    body = """%m = llvm.mlir.constant(-1 : i32) : i32
    %i = llvm.mul %tid, %m : i32
    %a = llvm.getelementptr %p0[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %b = llvm.getelementptr %a[-0] : (!llvm.ptr) -> !llvm.ptr, i32
    %y = llvm.load %b : !llvm.ptr -> i32"""
    assert made_by(body) == [1] * THREADS


def test_constant_and_global_variables() -> None:
    outside = """llvm.mlir.global internal constant @table(dense<[5, 6, 7, 8]> : tensor<4xi32>)
        {addr_space = 4 : i32} : !llvm.array<4 x i32>
      llvm.mlir.global internal @count(100 : i32) {addr_space = 1 : i32} : i32
      llvm.mlir.global internal constant @word("abcd") {addr_space = 4 : i32}
        : !llvm.array<4 x i8>"""
    body = """%three = llvm.mlir.constant(3 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %table = llvm.mlir.addressof @table : !llvm.ptr<4>
    %count = llvm.mlir.addressof @count : !llvm.ptr<1>
    %word = llvm.mlir.addressof @word : !llvm.ptr<4>
    %i = llvm.and %tid, %three : i32
    %e = llvm.getelementptr %table[0, %i]
      : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, !llvm.array<4 x i32>
    %a = llvm.load %e : !llvm.ptr<4> -> i32
    %f = llvm.getelementptr %word[%i] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i8
    %g = llvm.addrspacecast %f : !llvm.ptr<4> to !llvm.ptr
    %c = llvm.load %g : !llvm.ptr -> i8
    %d = llvm.zext %c : i8 to i32
    %old = llvm.atomicrmw add %count, %one monotonic : !llvm.ptr<1>, i32
    %s = llvm.add %a, %old : i32
    %y = llvm.add %s, %d : i32"""
    wanted = [5 + t % 4 + 100 + t + ord("abcd"[t % 4]) for t in range(THREADS)]
    assert made_by(body, outside=outside) == wanted


ATOMICS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "_and": lambda a, b: a & b,
    "_or": lambda a, b: a | b,
    "_xor": lambda a, b: a ^ b,
    "max": max,
    "min": min,
    "umax": max,
    "umin": min,
    "xchg": lambda a, b: b,
}


@pytest.mark.parametrize("op", ATOMICS)
@pytest.mark.parametrize("space", ["", "<3>"])
def test_atomics_take_lanes_one_after_the_other(op: str, space: str) -> None:
    outside = "llvm.mlir.global internal @cell() {addr_space = 3 : i32} : i32"
    cell = "%c = llvm.getelementptr %in0[0] : (!llvm.ptr) -> !llvm.ptr, i32"
    if space:
        cell = """%c = llvm.mlir.addressof @cell : !llvm.ptr<3>
    %start = llvm.load %in0 : !llvm.ptr -> i32
    llvm.store %start, %c : i32, !llvm.ptr<3>"""
    body = f"{cell}\n    %y = llvm.atomicrmw {op} %c, %x0 acq_rel : !llvm.ptr{space}, i32"
    olds, value = [], int(X[0])
    for x in X.tolist():
        olds.append(value)
        value = ATOMICS[op](value, x)
    assert made_by(body, outside=outside) == olds


def test_compare_and_exchange() -> None:
    body = """%zero = llvm.mlir.constant(1 : i32) : i32
    %r = llvm.cmpxchg %in0, %zero, %tid acq_rel monotonic : !llvm.ptr, i32
    %ok = llvm.extractvalue %r[1] : !llvm.struct<(i32, i1)>
    %y = llvm.zext %ok : i1 to i32"""
    assert made_by(body) == [1] + [0] * 31


def test_memcpy_and_memset() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
    %n = llvm.mlir.constant(4 : i64) : i64
    %three = llvm.mlir.constant(3 : i64) : i64
    %byte = llvm.mlir.constant(1 : i8) : i8
    %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    "llvm.intr.memcpy"(%s, %p0, %n) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %k = llvm.and %t, %three : i64
    "llvm.intr.memset"(%s, %byte, %k) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
    %y = llvm.load %s : !llvm.ptr -> i32"""
    wanted = []
    for t, x in enumerate(X.tolist()):
        data = bytearray(x.to_bytes(4, "little"))
        data[: t % 4] = b"\1" * (t % 4)
        wanted.append(int.from_bytes(data, "little"))
    assert made_by(body) == wanted


def test_masked_loads_and_stores() -> None:
    body = """%one = llvm.mlir.constant(1 : i32) : i32
    %m = llvm.mlir.constant(dense<[true, false]> : vector<2xi1>) : vector<2xi1>
    %f = llvm.mlir.constant(dense<[7, 9]> : vector<2xi32>) : vector<2xi32>
    %v = llvm.intr.masked.load %p0, %m, %f {alignment = 4 : i32}
      : (!llvm.ptr, vector<2xi1>, vector<2xi32>) -> vector<2xi32>
    %y = "llvm.intr.vector.reduce.add"(%v) : (vector<2xi32>) -> i32"""
    assert made_by(body) == (X + 9).tolist()


def error_of(body: str, rule: str, outside: str = "") -> str:
    with pytest.raises(SimulationError) as caught:
        made_by(body, outside=outside)
    assert caught.value.rule == rule
    return str(caught.value)


def test_a_read_of_unwritten_shared_memory() -> None:
    outside = "llvm.mlir.global internal @cell() {addr_space = 3 : i32} : i32"
    body = """%c = llvm.mlir.addressof @cell : !llvm.ptr<3>
    %y = llvm.load %c : !llvm.ptr<3> -> i32"""
    assert "'llvm.load' op" in error_of(body, "S1", outside)


def test_an_access_outside_its_buffer() -> None:
    body = """%c = llvm.getelementptr %p0[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %y = llvm.load %c : !llvm.ptr -> i32"""
    assert "thread (31, 0, 0)" in error_of(body, "S2")


def test_a_misaligned_access() -> None:
    body = """%c = llvm.getelementptr %in0[%t] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %y = llvm.load %c : !llvm.ptr -> i32"""
    assert "thread (1, 0, 0)" in error_of(body, "S3")


def test_dynamic_shared_memory_has_the_size_of_the_launch() -> None:
    outside = (
        "llvm.mlir.global external @pool() {addr_space = 3 : i32, alignment = 16 : i64}"
        " : !llvm.array<0 x i8>"
    )
    body = """%c = llvm.mlir.addressof @pool : !llvm.ptr<3>
    %e = llvm.getelementptr %c[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x0, %e : i32, !llvm.ptr<3>
    %y = llvm.load %e : !llvm.ptr<3> -> i32"""
    kernel = per_thread(body, "y", "i32", outside=outside)
    out = np.zeros_like(X)
    assert (run(kernel, "k", X, out, smem=128)[1] == X).all()
    with pytest.raises(SimulationError) as caught:
        run(kernel, "k", X, out, smem=124)
    assert caught.value.rule == "S2"
    with pytest.raises(
        ValueError, match=r"at most 232448 bytes of shared memory, got 232464 \[F10\]"
    ):
        run(kernel, "k", X, out, smem=232464)


def test_an_unknown_operation_is_named_before_the_run() -> None:
    kernel = llvm_kernel(
        "%p: !llvm.ptr<3>",
        """%n = llvm.mlir.constant(1 : i32) : i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    llvm.return""",
    )
    with pytest.raises(MLIRError) as caught:
        run(kernel, "k", np.zeros(1))
    messages = [d.message for d in caught.value.error_diagnostics]
    assert messages == [
        "'nvvm.cp.async.commit.group' op is not known to the simulator",
        "'nvvm.cp.async.wait.group' op is not known to the simulator",
    ]


def test_a_call_of_an_unknown_function() -> None:
    body = """%y = llvm.call @mystery(%x0) : (i32) -> i32"""
    with pytest.raises(MLIRError, match="calls 'mystery', which has no body and is not known"):
        made_by(body, outside="llvm.func @mystery(i32) -> i32")
